# SPDX-License-Identifier: Apache-2.0

"""The type of options that hold where a service is.

``oslo_config.types.URI`` takes ``http://:80`` and the port 99999.
Pure: nothing of Heat is imported.
"""

import re
import urllib.parse

from oslo_config import types

WANTED = ('a URL that begins with https:// or http:// and names a host, '
          'with a port from 1 to 65535, if any')

# Who looks at a log is not to see the password that may be in a URL.
_LOGIN = re.compile('//.*@', re.DOTALL)


class Address(types.String):
    """A URL of HTTP.

    :cvar wanted: its description in messages about a wrong value.
    :cvar stand_in: used while :mod:`heat_extras.config_validation` checks the
        options that count where there is a URL.
    """

    wanted = WANTED
    stand_in = 'https://localhost/'

    def __init__(self) -> None:
        super().__init__(type_name='URL')

    def __call__(self, value: object) -> str:
        """Check a value.

        :raises ValueError: says what was found and what was wanted.
        """
        url = super().__call__(value)
        # Empty is not set.
        if url and not _is_address(url):
            raise ValueError(f'found {shown(url)}, wanted {WANTED}')
        return url

    def __repr__(self) -> str:
        return 'Address'


def shown(url: str) -> str:
    """Return a URL without name and password in it."""
    return _LOGIN.sub('//***@', url)


def _is_address(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        # The port is looked at here for the first time, and a host that has
        # an empty label, or one that is too long, when it is encoded.
        return (parts.scheme in ('http', 'https')
                and bool((parts.hostname or '').encode('idna'))
                and parts.port != 0 and url.isprintable() and ' ' not in url)
    except ValueError:
        return False
