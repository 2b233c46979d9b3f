# SPDX-License-Identifier: Apache-2.0

"""Targets: the stacks of a form, as its URL and its fields name them.

A target has the format ``name/ID``, or ``name/ID@lock`` with the ID of the
current lock. A request with this ID does not change a later lock.
"""

import re
from urllib import parse

from django import urls

from heat_extras_dashboard import heat_api

PARAMETER = 'stack'
# The field with the locks that the page has shown.
SHOWN = 'shown'
_WRITTEN = re.compile(r'(?P<identity>(?P<name>[\w.-]+)/[\w-]+)'
                      r'(?:@(?P<lock>[\w-]+))?')


def format_target(stack):
    """Return the target of a stack or lock."""
    lock = getattr(stack, 'lock_id', None)
    identity = heat_api.stack_identity(stack)
    return f'{identity}@{lock}' if lock else identity


def form_url(view, target=None):
    """Return the URL of a form.

    :param target: the only stack. None: the user selects stacks.
    """
    url = urls.reverse(f'horizon:project:protection:{view}')
    if target is None:
        return url
    return f'{url}?{parse.urlencode({PARAMETER: target})}'


def shown_target(request, stack):
    """Return the target of a locked stack that the page has shown, or None.

    Horizon reads the table again before it runs an action. The lock in this
    table can be a later lock.
    """
    wanted = heat_api.stack_identity(stack)
    return next((each for each in request.POST.getlist(SHOWN)
                 if is_target(each) and stack_identity(each) == wanted), None)


def is_target(text):
    """Return whether a text is a valid target."""
    return bool(_WRITTEN.fullmatch(text))


def stack_name(target):
    """Return the name of the stack."""
    return _WRITTEN.fullmatch(target)['name']


def stack_identity(target):
    """Return name and ID of the stack."""
    return _WRITTEN.fullmatch(target)['identity']


def lock_id(target):
    """Return the ID of the lock, or None without a lock."""
    return _WRITTEN.fullmatch(target)['lock']
