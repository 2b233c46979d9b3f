# SPDX-License-Identifier: Apache-2.0

"""Options of the shipped lifecycle plugins, and the type of a URL.

Pure: does not import Heat.
"""

import re
import urllib.parse

from oslo_config import cfg
from oslo_config import types

from heat_extras.lifecycle import plugin_api

EXPECTED = ('a URL that starts with https:// or http:// and has a host, and '
            'optionally a port from 1 to 65535')

# A URL can contain a password, which must not be logged.
_CREDENTIALS = re.compile('//.*@', re.DOTALL)


class Url(types.String):
    """The type of an option with an HTTP URL."""

    def __init__(self) -> None:
        super().__init__(type_name='URL')

    def __call__(self, value: object) -> str:
        """Check a value.

        :raises ValueError: with the value and what is expected.
        """
        url = super().__call__(value)
        # An empty value means that the option is not set.
        if url and not _is_url(url):
            raise ValueError(f'{hide_credentials(url)!r} is not valid: '
                             f'expected {EXPECTED}')
        return url

    def __repr__(self) -> str:
        return 'Address'


def hide_credentials(url: str) -> str:
    """Return a URL without user name and password."""
    return _CREDENTIALS.sub('//***@', url)


def _is_url(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        # The port is parsed here. Encoding the host fails if one of its
        # labels is empty or too long.
        return (parts.scheme in ('http', 'https')
                and bool((parts.hostname or '').encode('idna'))
                and parts.port != 0 and url.isprintable() and ' ' not in url)
    except ValueError:
        return False


OPTIONS = [
    cfg.StrOpt(
        'limits_file',
        help='YAML file with the rules of the lifecycle plugin '
             'heat_extras_limits. If this option is not set, the plugin is '
             'disabled. The file is read when the engine starts.'),
    cfg.Opt(
        'webhook_url',
        type=Url(),
        help='URL of the service that the lifecycle plugin '
             'heat_extras_webhook calls. If this option is not set, the '
             'plugin is disabled.'),
    cfg.ListOpt(
        'webhook_calls',
        default=['pre'],
        item_type=types.String(choices=['pre', 'post']),
        help='When the plugin calls the service: pre (before an action and '
             'in dry runs, to ask whether the action may start), post (after '
             'an action, to report its result), or both.'),
    cfg.ListOpt(
        'webhook_actions',
        default=list(plugin_api.ACTIONS),
        item_type=types.String(choices=plugin_api.ACTIONS),
        help='The only actions for which the plugin calls the service. While '
             'the service is unavailable, these actions are denied, unless '
             'lifecycle_errors contains heat_extras_webhook:allow.'),
    cfg.FloatOpt(
        'webhook_timeout',
        default=5, min=0.1, max=86400,
        help='Maximum time, in seconds, of one attempt to connect to the '
             'service, and of the wait for each part of its answer. If all '
             'attempts together take longer than lifecycle_timeout, the call '
             'counts as an error of the plugin.'),
    cfg.IntOpt(
        'webhook_attempts',
        default=3, min=1,
        help='Maximum number of requests for one call. A request is repeated '
             'if the service cannot be reached, does not answer in time, or '
             'answers with 5xx or 429. With 1, no request is repeated.'),
    cfg.StrOpt(
        'webhook_ca_file',
        help='PEM file with the certificates to trust. If this option is not '
             'set, the engine trusts the certificates of the system. The '
             'engine always verifies the certificate of the service.'),
    cfg.StrOpt(
        'webhook_cert_file',
        help='PEM file with the certificate that the engine presents to the '
             'service. Requires webhook_key_file. If this option is not set, '
             'the engine presents no certificate.'),
    cfg.StrOpt(
        'webhook_key_file',
        help='PEM file with the private key of the certificate in '
             'webhook_cert_file, without a password.'),
    cfg.StrOpt(
        'webhook_secret',
        secret=True,
        help='Key for the HMAC-SHA256 signature in the header '
             'X-Heat-Extras-Signature. If this option is not set, requests '
             'are not signed.'),
]
