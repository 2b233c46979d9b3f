# SPDX-License-Identifier: Apache-2.0

"""Make the error of a refused update. It tells names, never values."""

import contextlib

from heat.common import exception as heat_exception
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher

from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.parameters import rules
from heat_extras.parameters import words
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


def error(offenders, operation=rules.Operation.UPDATE):
    """Make the error that names every offender.

    :param offenders: ``(path, name, answer)``; the path of a nested stack
        is the names of the resources that lead to it, () the stack itself.
    """
    refused = heat_exception.ImmutableParameterModified(
        charset.storable(sanitize.listing(
            [words.parameter(path, name) for path, name, answer in offenders],
            ', ')))
    advice = _advice(offenders, operation)
    if advice:
        # Heat's exception takes the names alone. What to do stands first: of
        # a nested stack's refusal events have only the beginning.
        refused.message = f'{advice} {refused.message}'
    return refused


@contextlib.contextmanager
def counted(context, identity, operation):
    """Count and log the operation of a caller if a parameter forbids it.

    :param identity: of the stack, as in RPC.
    """
    try:
        yield
    except dispatcher.ExpectedException as error:
        refused = error.exc_info[1]
        if isinstance(refused, heat_exception.ImmutableParameterModified):
            _tell(context, identity, operation, refused)
        raise


def _tell(context, identity, operation, refused):
    # That of the thread can be the one of the stack's credentials by now.
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: %(why)s', {
        'operation': operation, 'name': identity['stack_name'],
        'id': identity['stack_id'], 'why': sanitize.printable(refused)},
        context=context)
    counting.count(identity['stack_id'], counters.PARAMETER, operation,
                   context)


def _advice(offenders, operation):
    # Where Heat refuses as well, its words must do: its tests compare them.
    if operation is rules.Operation.RESTORE:
        return words.RESTORE
    if operation is rules.Operation.ROLLBACK:
        return words.ROLLBACK
    if any(answer is rules.Answer.LIFT_FIRST
           for path, name, answer in offenders):
        return words.LIFT_FIRST
    return None
