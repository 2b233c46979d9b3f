# SPDX-License-Identifier: Apache-2.0

"""Speak with a service: TLS, time, attempts, signature.

Pure: nothing of Heat is imported. Errors do not say where the service is,
as users read them; the log has that.
"""

import base64
from collections import abc
import contextlib
import dataclasses
import hashlib
import hmac
from http import client as http_client
import json
import re
import ssl
import time
import typing
import urllib.parse

import tenacity

from heat_extras import errors
from heat_extras.lifecycle import public
from heat_extras.plugins.webhook import address
from heat_extras.plugins.webhook import exchange

SIGNATURE = 'X-Heat-Extras-Signature'
_BYTES = 1 << 20


class WebhookError(public.Unavailable):
    """The service gave no answer that can be used."""


class Transient(WebhookError):
    """Another attempt may do better."""


@dataclasses.dataclass(frozen=True)
class Client:
    """How to speak with one service.

    :param timeout: seconds that one attempt may take in all.
    :param verify: file with certificates to trust, or True for the system's.
    :param certificate: (certificate file, key file) of our own, or None.
    :param secret: signs what is sent.
    """

    url: str
    timeout: float = 5
    attempts: int = 3
    verify: str | typing.Literal[True] = True
    certificate: tuple | None = None
    secret: str | None = None

    def post(self, document: object) -> typing.Any:
        """Send a document.

        :returns: what the answer's JSON says.
        :raises WebhookError: when there is no such answer.
        """
        body = json.dumps({'input': document}, default=str).encode()
        return self._retry('POST', body)

    def get(self) -> typing.Any:
        """Fetch a document; returns and raises as :meth:`post`."""
        return self._retry('GET', b'')

    def _retry(self, method: str, body: bytes) -> typing.Any:
        with self.telling(method):
            return tenacity.Retrying(
                stop=tenacity.stop_after_attempt(self.attempts),
                wait=tenacity.wait_random_exponential(0.2, max=2),
                retry=tenacity.retry_if_exception_type(Transient),
                reraise=True)(self._attempt, method, body)

    def _place(self) -> str:
        # What follows the path could let somebody in, too.
        return re.split('[?#]', address.shown(self.url))[0]

    @contextlib.contextmanager
    def telling(self, method: str) -> abc.Iterator[None]:
        """Tell the log of what goes wrong where the service is."""
        try:
            yield
        except public.Unavailable as error:
            cause = f' ({error.__cause__})' if error.__cause__ else ''
            error.detail = f'{method} {self._place()}{cause}'
            raise

    def _attempt(self, method: str, body: bytes) -> typing.Any:
        try:
            return self._exchange(method, body)
        except ssl.SSLCertVerificationError as error:
            raise WebhookError('the certificate of the service could not be '
                               'verified') from error
        except TimeoutError as error:
            raise Transient('no answer of the service within '
                            f'{self.timeout} s') from error
        except (OSError, http_client.HTTPException) as error:
            raise Transient('no connection to the service') from error

    def _exchange(self, method: str, body: bytes) -> typing.Any:
        parts = urllib.parse.urlsplit(self.url)
        status, content = exchange.exchange(
            method, parts, self._headers(parts, body), body or None,
            self.timeout, self._tls(parts), _BYTES)
        if len(content) > _BYTES:
            raise WebhookError(f'more than {_BYTES} bytes of an answer')
        return _parse(status, content)

    def _headers(self, parts: urllib.parse.SplitResult, body: bytes
                 ) -> dict[str, str]:
        headers = {'Content-Type': 'application/json',
                   'Accept': 'application/json', 'Connection': 'close'}
        if parts.username is not None:
            headers['Authorization'] = _basic(parts)
        if self.secret:
            headers[SIGNATURE] = signature(self.secret, body,
                                           int(time.time()))
        return headers

    def _tls(self, parts: urllib.parse.SplitResult
             ) -> ssl.SSLContext | None:
        if parts.scheme != 'https':
            return None
        try:
            context = ssl.create_default_context(
                cafile=None if self.verify is True else self.verify)
            if self.certificate:
                context.load_cert_chain(*self.certificate)
        except OSError as error:
            raise WebhookError(
                'found no certificates and keys in the files of '
                'webhook_ca_file, webhook_cert_file and webhook_key_file, '
                'wanted PEM') from error
        return context


def _basic(parts: urllib.parse.SplitResult) -> str:
    name, word = (urllib.parse.unquote(part or '')
                  for part in (parts.username, parts.password))
    return 'Basic ' + base64.b64encode(f'{name}:{word}'.encode()).decode()


def _parse(status: int, content: bytes) -> typing.Any:
    if status != 200:
        kind = Transient if status >= 500 or status == 429 else WebhookError
        raise kind(f'found status {status} of the service, wanted 200')
    try:
        return json.loads(content)
    except ValueError as error:
        raise WebhookError('found no JSON in the answer of the '
                           'service') from error


def signature(secret: str, body: bytes, at: int) -> str:
    """Sign a body: HMAC-SHA256 over the time, a dot, and the body."""
    digest = hmac.new(secret.encode(), b'%d.%s' % (at, body), hashlib.sha256)
    return f't={at},v1={digest.hexdigest()}'


def from_conf(conf: typing.Any, option: str) -> Client:
    """Make a client of the options of ``[heat_extras]``.

    :param option: has the URL.
    :raises ActivationError: with all of them that are not good.
    """
    options = conf.heat_extras
    problems = [*_url_problems(option, options[option]),
                *_trust_problems(options.webhook_ca_file),
                *_certificate_problems(options.webhook_cert_file,
                                       options.webhook_key_file)]
    if problems:
        raise errors.ActivationError(*(
            f'[heat_extras] {problem}' for problem in problems))
    return Client(
        options[option], options.webhook_timeout, options.webhook_attempts,
        options.webhook_ca_file or True,
        options.webhook_cert_file and (options.webhook_cert_file,
                                       options.webhook_key_file),
        options.webhook_secret)


def _url_problems(option: str, url: str) -> abc.Iterator[str]:
    try:
        address.Address()(url)
    except ValueError as error:
        yield f'{option}: {error}'


def _trust_problems(path: str | None) -> abc.Iterator[str]:
    try:
        if path:
            ssl.create_default_context(cafile=path)
    except OSError as error:
        yield (f'webhook_ca_file: found {path} ({error.strerror or error}), '
               'wanted a readable file with certificates in PEM')


def _certificate_problems(certificate: str | None, key: str | None
                          ) -> abc.Iterator[str]:
    both = {'webhook_cert_file': certificate, 'webhook_key_file': key}
    absent = [name for name, path in both.items() if not path]
    if len(absent) == 2:
        return
    problems = [f'{name}: found nothing, wanted a file, as the other one of '
                f'{" and ".join(both)} is set' for name in absent]
    for name, path in both.items():
        problems += _file_problems(name, path) if path else ()
    yield from problems or _pair_problems(certificate, key)


def _file_problems(name: str, path: str) -> abc.Iterator[str]:
    try:
        with open(path, 'rb'):
            return
    except OSError as error:
        yield (f'{name}: found {path} ({error.strerror}), wanted a readable '
               'file in PEM')


def _pair_problems(certificate: str | None, key: str | None
                   ) -> abc.Iterator[str]:
    try:
        # Without the function, OpenSSL asks for a password at the terminal.
        ssl.create_default_context().load_cert_chain(
            str(certificate), key, password=lambda: '')
    except (OSError, ValueError) as error:
        said = getattr(error, 'strerror', None) or error
        yield (f'webhook_cert_file, webhook_key_file: found {certificate} '
               f'and {key} ({said}), wanted a certificate in PEM and its '
               'key, without a password')
