# SPDX-License-Identifier: Apache-2.0

"""Format the errors of a server for a terminal."""

import contextlib
import json
import re

from heatclient import exc
from keystoneauth1 import exceptions as keystone_exceptions
from osc_lib import exceptions

from heat_extras import sanitize

#: The errors of a request.
FAILURES = (exc.BaseException, keystone_exceptions.ClientException)

LONGEST = 300

# The part of a page that is searched, in characters. The time for the search
# of tags is quadratic.
_SEARCHED = 10000

_ASK = ('. Ask the operator of this Heat to install heat-extras and to enable '
        'the feature "%s" in heat-api and heat-engine')
MISSING_LOCKS = 'this Heat does not know stack locks' + _ASK % 'stack_lock'
MISSING_GUARDS = 'this Heat cannot list guards' + _ASK % 'guards'
MISSING_PLANS = 'this Heat cannot plan updates' + _ASK % 'plan'
MISSING_CREATE_PLANS = (
    'this Heat made no plan of the new stack. Ask the operator of this Heat '
    'to enable the feature "plan" of heat-extras in heat-engine, or to find '
    'the error in its log')
MISSING_DELETE_PLANS = 'this Heat cannot plan deletions' + _ASK % 'plan'
MISSING_PLAN_FILES = ('this Heat cannot apply plans. Ask the operator of this '
                      'Heat to enable the features "plan" and "update_policy" '
                      'of the same version of heat-extras in every '
                      'heat-engine')
MISSING_LIST = 'this Heat cannot list locks' + _ASK % 'stack_lock'
MISSING_FREEZES = 'this Heat cannot list freezes' + _ASK % 'freeze'
MISSING_MARKS = ('this Heat, or a proxy in front of it, does not accept '
                 'requests to mark resources as unhealthy (PATCH). Ask the '
                 'operator of this Heat to allow these requests')
MISSING_PROTECTION = ('this Heat does not report delete protection'
                      + _ASK % 'stack_lock')

# The HTTP status for a path or method that the server does not know, unless
# the answer is a fault of Heat.
_NOT_KNOWN = (404, 405, 501)


def describe(error, missing=None):
    """Explain in one line why a request failed.

    :param error: an exception of heatclient or keystoneauth
    :param missing: the hint to add if the server does not know the request
    """
    if not isinstance(error, exc.HTTPException):
        return _one_line(str(error))
    fault = _fault(error)
    text = _text(error, fault)
    if missing is None and _is_unknown_action(error.code, fault, text):
        return f'{text} ({MISSING_LOCKS})'
    if missing and error.code in _NOT_KNOWN and _fault_type(fault) is None:
        return f'{text} ({missing})' if text else missing
    return (text
            or f'the server answered with HTTP {error.code} and no message')


@contextlib.contextmanager
def command_errors(missing=None):
    """Convert the errors of requests to errors of an openstack command.

    :param missing: as for :func:`describe`
    """
    try:
        yield
    except FAILURES as error:
        raise exceptions.CommandError(describe(error, missing)) from error


def add_name(kind, name, text):
    """Put the name of a stack or resource before a text, unless it has it.

    :param kind: ``stack`` or ``resource``
    :param name: the name as the user typed it
    """
    known = re.escape(name.partition('/')[0])
    is_named = re.search(rf'(?i:{kind}) \(?{known}(?![\w-])|\({known}\)', text)
    return text if is_named else f'{kind} {name}: {text}'


def fault_type(error):
    """Return the type of the error of Heat in an answer, or None."""
    return _fault_type(_fault(error))


def _is_unknown_action(code, fault, text):
    """Return whether an API without heat-extras rejects an action for locks.

    heat.api.openstack.v1.actions answers "Invalid action lock specified", in
    the language of its host. With heat-extras, this client sends no request
    that has such an answer.
    """
    return (code == 400 and _fault_type(fault) == 'HTTPBadRequest'
            and re.search('lock|protect', text))


def _fault(error):
    """Parse the answer, if it is an object in JSON.

    Do not use ``error.error``: heatclient adds its own text to an answer
    without text.
    """
    try:
        body = json.loads(error.message)
    except (TypeError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def _fault_type(fault):
    """Return the type of a fault of heat.api.middleware.fault, or None."""
    inner = (fault or {}).get('error')
    return inner.get('type') if isinstance(inner, dict) else None


def _text(error, fault):
    if fault is None:
        # The answer is not from Heat, but for example the page of a proxy.
        page = error.message or ''
        return _without_tags(page.decode(errors='replace')
                             if isinstance(page, bytes) else page)
    inner = fault.get('error')
    text = inner.get('message') if isinstance(inner, dict) else inner
    # A fault that Heat considers unsafe to show has no message.
    for other in ('message', 'explanation', 'title'):
        text = text or fault.get(other)
    return (_one_line(str(text or '')) if _fault_type(fault)
            else _without_tags(str(text or '')))


def _without_tags(page):
    text = re.sub('(?s)<(head|style|script).*?</\\1>|<[^>]*>', ' ',
                  page[:_SEARCHED])
    return _one_line(text)[:LONGEST]


def _one_line(text):
    return sanitize.printable(' '.join(text.split()))
