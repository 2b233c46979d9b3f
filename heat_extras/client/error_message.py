# SPDX-License-Identifier: Apache-2.0

"""What a server's refusal says, in words for the person at the terminal."""

import json
import re

from heatclient import exc

from heat_extras import sanitize

LONGEST = 300

# Of a page; the time that looking for its tags takes grows with the square.
_LOOKED_AT = 10000

_ASK = ('ask its operator to install heat-extras and to enable %s in '
        'heat-api and heat-engine')
MISSING_LOCKS = 'this Heat does not know stack locks; ' + _ASK % 'stack_lock'
MISSING_GUARDS = 'this Heat cannot list guards; ' + _ASK % 'guards'
UNSURE_GUARDS = 'if this Heat has never listed guards, ' + _ASK % 'guards'
MISSING_LIST = 'this Heat cannot list locks; ' + _ASK % 'stack_lock'
UNSURE_LIST = 'if this Heat has never listed locks, ' + _ASK % 'stack_lock'
MISSING_MARKS = ('this Heat, or a proxy before it, lets no resource be '
                 'marked; ask its operator')

# What stands for a path or a method that there is not, unless it comes with a
# fault of Heat's.
_NOWHERE = (404, 405, 501)
# What does not stand for one: rights, patience, and what is out of order.
_ELSEWHERE = (401, 408, 409, 413, 429, 502, 503, 504)


def describe(error, missing=None, unsure=None):
    """Say in one line why a request failed.

    :param error: an exception of heatclient or keystoneauth
    :param missing: what the answer of a Heat without such a call stands for
    :param unsure: what to say where that is one of several explanations
    """
    if not isinstance(error, exc.HTTPException):
        return _one_line(str(error))
    fault = _fault(error)
    text = _text(error, fault)
    more = _more(error.code, _kind(fault), missing, unsure)
    if error.code == 400 and _kind(fault) == 'HTTPBadRequest':
        more = _unknown_action(text, missing)
    if not text and error.code == 404 and more:
        return more
    text = text or f'the server answered HTTP {error.code} without a text'
    return f'{text} ({more})' if more else text


def about(kind, name, text):
    """Say which stack or resource a message is about, once.

    :param kind: ``stack`` or ``resource``
    :param name: as it was typed
    :returns: the text, with the name before it unless it begins with that or
        names it with its ID
    """
    known = re.escape(name.partition('/')[0])
    begin = (rf'(The )?{kind.capitalize()} '
             rf'(\({known}\)|\S+ \({known}\)|{known}[:.,]?(\s|$))')
    is_named = (re.match(begin, text)
                or re.search(rf' {kind} ({known} \(|\S+ \({known}\))', text))
    return text if is_named else f'{kind} {name}: {text}'


def without_locks(text):
    """Say why something failed on a Heat that shows no locks."""
    return text if MISSING_LOCKS in text else f'{text} ({MISSING_LOCKS})'


def _more(code, kind, missing, unsure):
    if kind is None:
        return (missing if code in _NOWHERE
                else None if code in _ELSEWHERE else unsure)
    # An engine without the call, behind an API that has it.
    return unsure if code == 500 else None


def _unknown_action(text, missing):
    """Return the hint for a Heat that does not know an action, or None."""
    # What heat.api.openstack.v1.actions answers without us: "Invalid action
    # lock specified", in the language of the API's host. With us, only a
    # body that this client does not send is answered so.
    is_meant = missing is None and re.search('lock|protect', text)
    return MISSING_LOCKS if is_meant else None


def _fault(error):
    """Read the answer, if it is an object in JSON.

    Not ``error.error``: heatclient puts its own words into it where there
    are none.
    """
    try:
        found = json.loads(error.message)
    except (TypeError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _kind(fault):
    """Return the type of a fault of heat.api.middleware.fault, or None."""
    inner = (fault or {}).get('error')
    return inner.get('type') if isinstance(inner, dict) else None


def _text(error, fault):
    if fault is None:
        # Not of Heat's, a proxy's page for example.
        return _without_tags(_decoded(error.message or ''))
    inner = fault.get('error')
    text = inner.get('message') if isinstance(inner, dict) else inner
    # A fault that Heat holds for unsafe to show has no message.
    for other in ('message', 'explanation', 'title'):
        text = text or fault.get(other)
    return (_one_line(str(text or '')) if _kind(fault)
            else _without_tags(str(text or '')))


def _decoded(text):
    return text.decode(errors='replace') if isinstance(text, bytes) else text


def _without_tags(page):
    text = re.sub('(?s)<(head|style|script).*?</\\1>|<[^>]*>', ' ',
                  page[:_LOOKED_AT])
    return _one_line(text)[:LONGEST]


def _one_line(text):
    return sanitize.printable(' '.join(text.split()))
