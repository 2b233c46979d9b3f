# SPDX-License-Identifier: Apache-2.0

"""The public interface of heat-extras for lifecycle plugins.

This module stays compatible. The rest of the package may change at any time. A
plugin does not need this module, because Heat's own interface is sufficient.
Then it also works without heat-extras. It does not import Heat.
"""

import typing

from oslo_log import log as logging

from heat_extras.lifecycle import read_only
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

ACTIONS = ('CREATE', 'ADOPT', 'UPDATE', 'ROLLBACK', 'RESTORE', 'DELETE',
           'SUSPEND', 'RESUME', 'CHECK', 'SNAPSHOT', 'LOCK', 'UNLOCK')

# Actions with a template, which shows in advance the resources that they
# create or change.
WITH_TEMPLATE = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')

ReadOnly = read_only.ReadOnly


class Denied(Exception):
    """Raised by a plugin that denies an action. Users can read its text."""


class Unavailable(Exception):
    """Raised by a plugin that cannot decide now, for a known reason.

    It counts as an error of the plugin, not as a denial.

    :param text: a text that users can read.
    :param detail: a text only for the log, such as the name of a service.
    """

    def __init__(self, text: str, detail: str = '') -> None:
        super().__init__(text)
        self.detail = detail


def bare(stack: typing.Any) -> typing.Any:
    """Return Heat's object behind a read-only proxy.

    Use it to pass a stack to code of Heat that does not work with a proxy. The
    object is not read-only. Read ``operation_id`` and the previous state of
    the stack from the proxy, because the object does not have them.

    :param stack: a proxy of a stack or of its part. Any other value, such as
        None, is returned as it is.
    """
    return read_only.unwrap_value(stack)


def warn(stack: typing.Any, action: str, text: str) -> None:
    """Add a warning to a stack without denying the action.

    It is logged, and the stack gets an event that users can read.

    :param stack: the stack as the plugin received it.
    """
    stack = read_only.unwrap_value(stack)
    LOG.warning('Stack %(name)s (%(id)s): %(text)s',
                {'name': stack.name, 'id': stack.id,
                 'text': sanitize.printable(text)})
    stack._add_event(action, stack.IN_PROGRESS, f'Warning: {text}')
