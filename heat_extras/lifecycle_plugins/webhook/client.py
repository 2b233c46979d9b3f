# SPDX-License-Identifier: Apache-2.0

"""HTTP client of the webhook: TLS, timeouts, attempts, signature.

Errors do not contain the URL of the service, because users can read them. The
log contains it.

Pure: does not import Heat.
"""

from collections import abc
import contextlib
import dataclasses
import hashlib
import hmac
import json
import re
import ssl
import time
import typing

import requests
import tenacity

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins import options
from heat_extras import operator_errors

SIGNATURE = 'X-Heat-Extras-Signature'

# Bytes of an answer, when decoded. A decision is short.
_LONGEST_ANSWER = 1 << 20
# Small, since what is compressed can be a thousand times as long.
_CHUNK = 1 << 12


class WebhookError(plugin_api.Unavailable):
    """The response of the service is missing or cannot be used."""


class TransientError(WebhookError):
    """An error after which another attempt can succeed."""


@dataclasses.dataclass(frozen=True)
class Client:
    """A client of one service.

    :param timeout: the seconds to connect, and to wait for more data.
    :param verify: a file with trusted certificates, or True for those of the
        system.
    :param certificate: the files (certificate, key) of the client, or None.
    :param secret: the key to sign requests, or None.
    """

    url: str
    timeout: float = 5
    attempts: int = 3
    verify: str | typing.Literal[True] = True
    certificate: tuple | None = None
    secret: str | None = None

    def post(self, document: object) -> typing.Any:
        """Send a document.

        :returns: the parsed JSON of the response.
        :raises WebhookError: if there is no such response.
        """
        body = json.dumps({'input': document}, default=str).encode()
        with self.telling():
            return tenacity.Retrying(
                stop=tenacity.stop_after_attempt(self.attempts),
                wait=tenacity.wait_random_exponential(0.2, max=2),
                retry=tenacity.retry_if_exception_type(TransientError),
                reraise=True)(self._attempt, body)

    @contextlib.contextmanager
    def telling(self) -> abc.Iterator[None]:
        """Add the URL of the service to an error, for the log."""
        try:
            yield
        except plugin_api.Unavailable as error:
            cause = error.__cause__
            error.detail = 'POST ' + self._place() + (
                f' ({_innermost_error(cause)})' if cause else '')
            raise

    def _place(self) -> str:
        # The query and the fragment can also contain credentials.
        return re.split('[?#]', options.hide_credentials(self.url))[0]

    def _attempt(self, body: bytes) -> typing.Any:
        try:
            return self._exchange(body)
        except requests.Timeout as error:
            raise TransientError('no answer of the service within '
                                 f'{self.timeout} s') from error
        except requests.RequestException as error:
            if isinstance(_innermost_error(error),
                          ssl.SSLCertVerificationError):
                raise WebhookError('the certificate of the service could not '
                                   'be verified') from error
            raise TransientError('no connection to the service') from error
        except OSError as error:
            raise WebhookError(
                'the files of webhook_ca_file, webhook_cert_file and '
                'webhook_key_file must contain certificates and keys in PEM '
                'format') from error

    def _exchange(self, body: bytes) -> typing.Any:
        with requests.Session() as session:
            # No proxies of the environment.
            session.trust_env = False
            with session.post(
                    self.url, data=body, headers=self._headers(body),
                    timeout=self.timeout, verify=self.verify,
                    cert=self.certificate, allow_redirects=False,
                    stream=True) as answer:
                return _parse_response(answer)

    def _headers(self, body: bytes) -> dict[str, str]:
        headers = {'Content-Type': 'application/json',
                   'Accept': 'application/json', 'Connection': 'close'}
        if self.secret:
            headers[SIGNATURE] = sign_body(self.secret, body, int(time.time()))
        return headers


def _parse_response(answer: requests.Response) -> typing.Any:
    status = answer.status_code
    if status != 200:
        is_transient = status >= 500 or status == 429
        raise (TransientError if is_transient else WebhookError)(
            f'the service answered with status {status}, but it must answer '
            'with 200')
    try:
        return json.loads(_read_content(answer))
    except (ValueError, RecursionError) as error:
        raise WebhookError('the answer of the service is not JSON') from error


def _read_content(answer: requests.Response) -> bytes:
    content = b''
    for chunk in answer.iter_content(_CHUNK):
        content += chunk
        if len(content) > _LONGEST_ANSWER:
            raise WebhookError('the answer of the service is longer than 1 '
                               'MiB')
    return content


def _innermost_error(error: BaseException) -> BaseException:
    """Return the error that requests and urllib3 have wrapped.

    Its text does not contain the URL, which can contain a secret.
    """
    inner = getattr(error, 'reason', None)
    if not isinstance(inner, Exception):
        inner = next((each for each in error.args
                      if isinstance(each, Exception)), None)
    return error if inner is None else _innermost_error(inner)


def sign_body(secret: str, body: bytes, at: int) -> str:
    """Sign a body: HMAC-SHA256 over the time, a dot, and the body."""
    digest = hmac.new(secret.encode(), b'%d.%s' % (at, body), hashlib.sha256)
    return f't={at},v1={digest.hexdigest()}'


def make_client(conf: typing.Any) -> Client:
    """Make a client from the options of ``[heat_extras]``.

    :raises ActivationError: with all options that are not valid.
    """
    settings = conf.heat_extras
    problems = [*_trust_problems(settings.webhook_ca_file),
                *_certificate_problems(settings.webhook_cert_file,
                                       settings.webhook_key_file)]
    if problems:
        raise operator_errors.ActivationError(*(
            f'[heat_extras] {problem}' for problem in problems))
    return Client(
        settings.webhook_url, settings.webhook_timeout,
        settings.webhook_attempts, settings.webhook_ca_file or True,
        settings.webhook_cert_file and (settings.webhook_cert_file,
                                        settings.webhook_key_file),
        settings.webhook_secret)


def _trust_problems(path: str | None) -> abc.Iterator[str]:
    try:
        if path:
            ssl.create_default_context(cafile=path)
    except OSError as error:
        yield (f'webhook_ca_file: {path} ({error.strerror or error}) is not '
               'valid: expected a readable file with certificates in PEM '
               'format')


def _certificate_problems(certificate: str | None, key: str | None
                          ) -> abc.Iterator[str]:
    if not certificate and not key:
        return
    unreadable = [*_file_problems('webhook_cert_file', certificate),
                  *_file_problems('webhook_key_file', key)]
    yield from unreadable
    try:
        if not unreadable:
            # Without the function, OpenSSL would ask for a password at the
            # terminal.
            ssl.create_default_context().load_cert_chain(
                str(certificate), key, password=lambda: '')
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or error
        yield (f'webhook_cert_file, webhook_key_file: {certificate} and {key} '
               f'({reason}) are not valid: expected a certificate in PEM '
               'format, and its key without a password')


def _file_problems(name: str, path: str | None) -> abc.Iterator[str]:
    try:
        with open(path or '', 'rb'):
            return
    except OSError as error:
        yield (f'{name}: {path or "empty"} ({error.strerror}) is not valid: '
               'expected a readable file in PEM format')
