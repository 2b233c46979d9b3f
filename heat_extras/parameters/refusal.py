# SPDX-License-Identifier: Apache-2.0

"""Make the error of a refused update. It tells names, never values."""

from heat.common import exception as heat_exception

from heat_extras.db import charset
from heat_extras.parameters import rules
from heat_extras import text as texts

_LIFT_FIRST = ('Here a restriction must be lifted first, by an update that '
               'keeps the value (parameter_lift = two_step).')
_RESTORE = ('A restore lifts no restriction: let an update of the stack lift '
            'it first.')
_ROLLBACK = ('This is a rollback, which may only give back what was before '
             'the failed update.')


def error(offenders, operation=rules.Operation.UPDATE):
    """Make the error that names every offender.

    :param offenders: ``(path, name, answer)``; the path of a nested stack
        is the names of the resources that lead to it, () the stack itself.
    """
    refused = heat_exception.ImmutableParameterModified(
        charset.storable(texts.listing(
            [_describe(path, name) for path, name, answer in offenders],
            ', ')))
    advice = _advice(offenders, operation)
    if advice:
        # Heat's exception takes the names alone.
        refused.message = f'{refused.message}. {advice}'
    return refused


def _advice(offenders, operation):
    # Where Heat refuses as well, its words must do: its tests compare them.
    if operation is rules.Operation.RESTORE:
        return _RESTORE
    if operation is rules.Operation.ROLLBACK:
        return _ROLLBACK
    if any(answer is rules.Answer.LIFT_FIRST
           for path, name, answer in offenders):
        return _LIFT_FIRST
    return None


def _describe(path, name):
    if not path:
        return name
    return f'{name} of nested stack {"/".join(path)}'
