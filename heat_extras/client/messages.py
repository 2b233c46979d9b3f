# SPDX-License-Identifier: Apache-2.0

"""What a server's refusal says, in words for the person at the terminal."""

import re

from heatclient import exc

from heat_extras import text as texts

LONGEST = 300

# Of a page; the time that looking for its tags takes grows with the square.
_LOOKED_AT = 10000

MISSING_FEATURE = (
    'this Heat does not know stack locks; ask its operator to install '
    'heat-extras and to enable stack_lock in heat-api and heat-engine')
MISSING_GUARDS = (
    'this Heat cannot list guards; ask its operator to install heat-extras '
    'and to enable guards in heat-api and heat-engine')


def describe(error, missing=None):
    """Say in one line why a request failed.

    :param error: an exception of heatclient or keystoneauth
    :param missing: what a 404 without a text stands for: a Heat that has no
        such path
    """
    if not isinstance(error, exc.HTTPException):
        return _one_line(str(error))
    text = _fault_text(error.error)
    # What Heat's own heat.api.openstack.v1.actions answers without us.
    if error.code == 400 and re.search('Invalid action (un)?lock', text):
        return f'{text} ({MISSING_FEATURE})'
    if not text and error.code == 404 and missing:
        return missing
    return text or f'the server answered HTTP {error.code} without a text'


def _fault_text(fault):
    """Take the text out of a fault body of heat.api.middleware.fault."""
    inner = fault.get('error')
    text = inner.get('message') if isinstance(inner, dict) else inner
    # A fault that Heat holds for unsafe to show has no message.
    text = text or fault.get('explanation') or fault.get('title') or ''
    if isinstance(text, bytes):
        # Not a fault of Heat's: heatclient hands over the raw body, for
        # example a proxy's page.
        return _without_tags(text.decode(errors='replace'))
    return _one_line(str(text))


def _without_tags(page):
    text = re.sub('(?s)<(head|style|script).*?</\\1>|<[^>]*>', ' ',
                  page[:_LOOKED_AT])
    return _one_line(text)[:LONGEST]


def _one_line(text):
    return texts.printable(' '.join(text.split()))
