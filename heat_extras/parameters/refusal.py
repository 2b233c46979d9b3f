# SPDX-License-Identifier: Apache-2.0

"""Make the error of a refused update. It tells names, never values."""

import contextlib

from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.parameters import rules
from heat_extras.parameters import words
from heat_extras import text as texts


def error(offenders, operation=rules.Operation.UPDATE):
    """Make the error that names every offender.

    :param offenders: ``(path, name, answer)``; the path of a nested stack
        is the names of the resources that lead to it, () the stack itself.
    """
    refused = heat_exception.ImmutableParameterModified(
        charset.storable(texts.listing(
            [words.parameter(path, name) for path, name, answer in offenders],
            ', ')))
    advice = _advice(offenders, operation)
    if advice:
        # Heat's exception takes the names alone.
        refused.message = f'{refused.message}. {advice}'
    return refused


@contextlib.contextmanager
def counted(context, stack_id, operation):
    """Count the operation of a caller if a parameter forbids it."""
    try:
        yield
    except dispatcher.ExpectedException as error:
        if isinstance(error.exc_info[1],
                      heat_exception.ImmutableParameterModified):
            counting.count(stack_id, counters.PARAMETER, operation, context)
        raise


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
