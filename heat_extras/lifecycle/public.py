# SPDX-License-Identifier: Apache-2.0

"""What a lifecycle plugin may import of heat-extras.

Everything here stays as it is; the rest of the package may change at any
time. A plugin that is to work without heat-extras, too, needs none of it:
Heat's own interface is enough. Imports nothing of Heat.
"""

import typing

from oslo_log import log as logging

from heat_extras.lifecycle import actions
from heat_extras.lifecycle import denial
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import words
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

ACTIONS = actions.ACTIONS
WITH_TEMPLATE = actions.WITH_TEMPLATE
Denied = denial.Denied
Unavailable = denial.Unavailable
ReadOnly = read_only.ReadOnly


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
    stack._add_event(action, stack.IN_PROGRESS, words.warning(text))
