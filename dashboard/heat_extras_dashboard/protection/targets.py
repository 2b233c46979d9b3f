# SPDX-License-Identifier: Apache-2.0

"""The stacks that a form is about, as its URL and its fields name them.

A target is the name and the id of a stack with a slash between, and after an
at sign the id of the lock that is meant: what somebody has locked anew in the
meantime is left alone.
"""

import re
from urllib import parse

from django import urls

from heat_extras_dashboard import heat_api

PARAMETER = 'stack'
# The field by which a page sends back the locks that it has shown.
SHOWN = 'shown'
_WRITTEN = re.compile(r'(?P<identity>(?P<name>[\w.-]+)/[\w-]+)'
                      r'(?:@(?P<lock>[\w-]+))?')


def format_target(stack):
    """Write the target of a stack, or of a lock of the list."""
    lock = getattr(stack, 'lock_id', None)
    identity = heat_api.stack_identity(stack)
    return f'{identity}@{lock}' if lock else identity


def form_url(view, target=None):
    """Return the URL of a form.

    :param target: the only stack that it is about; None: it asks for them
    """
    url = urls.reverse(f'horizon:project:protection:{view}')
    if target is None:
        return url
    return f'{url}?{parse.urlencode({PARAMETER: target})}'


def shown_target(request, stack):
    """Return the target of a locked stack as the page has shown it, or None.

    Horizon reads the table anew before it does anything with a row.
    """
    wanted = heat_api.stack_identity(stack)
    return next((each for each in request.POST.getlist(SHOWN)
                 if is_target(each) and stack_identity(each) == wanted), None)


def is_target(text):
    """Return whether it is a target."""
    return bool(_WRITTEN.fullmatch(text))


def stack_name(target):
    """Return the name of the stack."""
    return _WRITTEN.fullmatch(target)['name']


def stack_identity(target):
    """Return the name and the id of the stack."""
    return _WRITTEN.fullmatch(target)['identity']


def lock_id(target):
    """Return the id of the lock, or None: the stack is not locked."""
    return _WRITTEN.fullmatch(target)['lock']
