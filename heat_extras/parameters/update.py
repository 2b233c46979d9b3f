# SPDX-License-Identifier: Apache-2.0

"""Refuse an update or a restore that changes what must stay."""

from heat_extras.parameters import before
from heat_extras.parameters import check as checks
from heat_extras.parameters import offenders
from heat_extras.parameters import refusal
from heat_extras.parameters import rules
from heat_extras.pre_update_state import operation as operations


def prepare(prepare_stacks, current, is_from_parent):
    """Check an update once Heat has prepared it.

    :param prepare_stacks: Heat's own way to do it; takes nothing.
    :returns: what Heat makes of it; the last is the stack as it would be.
    :raises ImmutableParameterModified:
    """
    prepared, failure = (None, None, None), None
    with checks.postponed() as questions:
        try:
            prepared = prepare_stacks()
        except Exception as error:
            failure = error
    # Not while the failure is handled: Heat would have refused before it
    # came to it, and what it says of a hidden value may show it.
    check(current, prepared[2], questions, is_from_parent)
    if failure is not None:
        raise failure
    return prepared


def check(current, updated, questions, is_from_parent):
    """Check an update that Heat has prepared.

    :param updated: the stack as it would be; None: it would not be valid.
    :param questions: what Heat asked about the stack's own parameters.
    :param is_from_parent: whether this is a nested stack whose parent is
        being updated, which has looked ahead already.
    :raises ImmutableParameterModified:
    """
    if is_from_parent:
        _check_child(current, questions)
        return
    found = _own(questions, rules.Operation.UPDATE)
    if updated is not None:
        found += offenders.in_nested(current, updated)
    if found:
        raise refusal.error(found)


def check_restored(current, restored):
    """Check a restore whose outcome Heat has worked out.

    :raises ImmutableParameterModified:
    """
    found = _own([(current.parameters, restored.parameters)],
                 rules.Operation.RESTORE)
    found += offenders.in_nested(current, restored, rules.Operation.RESTORE)
    if found:
        raise refusal.error(found, rules.Operation.RESTORE)


def check_restore(current, snapshot):
    """Check a restore that Heat has not begun yet.

    :raises ImmutableParameterModified:
    """
    restored = type(current)(
        current.context, current.name,
        current._template_from_snapshot_data(snapshot.data))
    check_restored(current, restored)


def _check_child(current, questions):
    if not any(before.is_worth(*question) for question in questions):
        return
    found = operations.of(current.context, current.id)
    kept = before.keep(current, found.update)
    operation = rules.Operation(found.action.lower())
    if operation is rules.Operation.ROLLBACK:
        wrong = [offender for offender in _own(
            questions, operation, before.restricted(kept))
            if not _is_undone(kept, questions, offender)]
    else:
        wrong = _own(questions, operation)
    if wrong:
        raise refusal.error(wrong, operation)


def _is_undone(kept, questions, offender):
    path, name, answer = offender
    return all(before.gives_back(kept, name, *question[1:])
               for question in questions)


def _own(questions, operation, restricted=()):
    return [((), name, answer) for question in questions
            for name, answer in checks.answers(
                *question, operation=operation,
                restricted=restricted).items()]
