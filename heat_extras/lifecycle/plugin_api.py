# SPDX-License-Identifier: Apache-2.0

"""What a lifecycle plugin may import of heat-extras.

Everything here stays as it is; the rest of the package may change at any
time. A plugin that is to work without heat-extras, too, needs none of it:
Heat's own interface is enough. Imports nothing of Heat.
"""

import typing

from oslo_log import log as logging

from heat_extras.lifecycle import read_only
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

ACTIONS = ('CREATE', 'ADOPT', 'UPDATE', 'ROLLBACK', 'RESTORE', 'DELETE',
           'SUSPEND', 'RESUME', 'CHECK', 'SNAPSHOT', 'LOCK', 'UNLOCK')

# Those that bring a template: what they make or change is known before.
WITH_TEMPLATE = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')

ReadOnly = read_only.ReadOnly


class Denied(Exception):
    """Raised by a plugin that refuses an action; its text reaches the user."""


class Unavailable(Exception):
    """Raised by a plugin that can't judge now, for a reason that it knows.

    It is an error of the plugin, and no denial.

    :param text: reaches the user.
    :param detail: for the log alone: which service was asked, for example.
    """

    def __init__(self, text: str, detail: str = '') -> None:
        super().__init__(text)
        self.detail = detail


def bare(stack: typing.Any) -> typing.Any:
    """Return the object of Heat's that a read-only view stands for.

    For a plugin that hands a stack on to code of Heat's which does not take
    a view. Nothing stops it from changing the stack then. What only the view
    has, ``operation_id`` and the state that the stack had before, is to be
    read there.

    :param stack: a view of a stack, or of a part of one; what is no view,
        like None or a bare stack, comes back as it is.
    """
    return read_only.unwrap(stack)


def warn(stack: typing.Any, action: str, text: str) -> None:
    """Tell of something without denying the action.

    It is logged, and the stack gets an event that the user may read.

    :param stack: as it was given to the plugin.
    """
    stack = read_only.unwrap(stack)
    LOG.warning('Stack %(name)s (%(id)s): %(text)s',
                {'name': stack.name, 'id': stack.id,
                 'text': sanitize.printable(text)})
    stack._add_event(action, stack.IN_PROGRESS, f'Warning: {text}')
