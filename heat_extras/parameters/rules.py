# SPDX-License-Identifier: Apache-2.0

"""Decide which parameters an update may change. Pure: does not import Heat."""

import dataclasses
import enum
import typing

from heat_extras import sanitize

UPDATABLE, IMMUTABLE = ATTRIBUTES = 'updatable', 'immutable'

SAME_UPDATE, TWO_STEP = 'same_update', 'two_step'

# From the names of types in cfn templates to the names in HOT.
_TYPES = {'String': 'string', 'Number': 'number', 'Boolean': 'boolean',
          'CommaDelimitedList': 'comma_delimited_list', 'Json': 'json'}


class FlagError(ValueError):
    """The ``updatable`` or ``immutable`` of a parameter is not valid."""


class ValueState(enum.Enum):
    """The state of the value of a parameter."""

    KNOWN = 'known'
    MISSING = 'missing'
    # The value does not match the type.
    INVALID = 'invalid'
    # The value depends on changes of the update itself.
    UNKNOWN = 'unknown'


@dataclasses.dataclass(frozen=True)
class ParameterState:
    """A parameter in one template and environment.

    :param kind: the type, by its name in HOT or in cfn templates.
    :param updatable: whether updates may change the parameter.
    """

    kind: str
    updatable: bool = True
    state: ValueState = ValueState.KNOWN
    value: typing.Any = dataclasses.field(default=None, repr=False)


class Operation(enum.Enum):
    """The operation that sets a new value."""

    UPDATE = 'update'
    RESTORE = 'restore'
    # The rollback of a stack around this one. Its target can be a template
    # that was rejected before.
    ROLLBACK = 'rollback'


class Decision(enum.Enum):
    """The decision about the change of one parameter."""

    ALLOWED = 'allowed'
    REJECTED = 'rejected'
    LIFT_FIRST = 'lift first'


def is_updatable(name: str, definition: dict) -> bool:
    """Return whether updates may change a parameter.

    :param definition: the parameter in the template.
    :raises FlagError: if ``updatable`` is not a boolean, or contradicts
        ``immutable``.
    """
    immutable = definition.get(IMMUTABLE, False)
    if UPDATABLE not in definition:
        # Heat accepts any value. Stored templates must still load.
        return not immutable
    updatable = definition[UPDATABLE]
    if not isinstance(updatable, bool):
        raise FlagError(f'parameter {name}: {UPDATABLE}: '
                        f'{sanitize.to_yaml(updatable)} is not valid: it '
                        'must be true or false, without quotes')
    if IMMUTABLE in definition and immutable is not (not updatable):
        raise FlagError(
            f'parameter {name}: {UPDATABLE}: {sanitize.to_yaml(updatable)} '
            f'and {IMMUTABLE}: {sanitize.to_yaml(immutable)} contradict '
            'each other: remove one of them')
    return updatable


def list_not_updatable(document: typing.Any) -> dict[str, bool] | None:
    """Return the value of the column ``updatable`` for a stored template.

    :param document: as parsed. Only HOT templates have the attributes.
    :returns: False by the name of each parameter that is not updatable, or
        None when there are none.
    """
    value = document.get('parameters') if isinstance(document, dict) else None
    schemata = value if isinstance(value, dict) else {}
    return {name: False for name in sorted(schemata)
            if isinstance(schemata[name], dict)
            and not _is_updatable_if_valid(name, schemata[name])} or None


def _is_updatable_if_valid(name: str, definition: dict) -> bool:
    try:
        return is_updatable(name, definition)
    except FlagError:
        # Heat loads no stack with this template.
        return True


def normalize_type(name: str) -> str:
    """Return the name in HOT for the type of a parameter."""
    return _TYPES.get(name, name)


def is_same(first: typing.Any, other: typing.Any) -> bool:
    """Compare two typed values: ``1`` equals ``1.0``, but not ``true``."""
    if isinstance(first, bool) or isinstance(other, bool):
        return first is other
    if isinstance(first, dict) and isinstance(other, dict):
        return (first.keys() == other.keys()
                and all(is_same(first[key], other[key]) for key in first))
    if isinstance(first, list) and isinstance(other, list):
        return (len(first) == len(other)
                and all(map(is_same, first, other)))
    # The second part is for NaN, which does not equal itself.
    return first == other or (first != first and other != other)


def is_changed(old: ParameterState, new: ParameterState) -> bool:
    """Return whether a parameter is known to have another value.

    Heat itself checks missing values. Unknown values are checked later, when
    they are known.
    """
    states = (old.state, new.state)
    if ValueState.MISSING in states or ValueState.UNKNOWN in states:
        return False
    if ValueState.INVALID in states:
        return True
    return (normalize_type(old.kind) != normalize_type(new.kind)
            or not is_same(old.value, new.value))


def decide(old: ParameterState, new: ParameterState | None,
           lift: str = SAME_UPDATE, operation: Operation = Operation.UPDATE
           ) -> Decision:
    """Decide whether a parameter of a stack may change.

    :param old: the current state.
    :param new: the new state, or None if the new template does not have the
        parameter.
    :param lift: the value of ``[heat_extras] parameter_lift``.
    """
    if operation is not Operation.UPDATE:
        # Only the current template of the stack counts. A rollback may
        # remove a parameter that the failed update added.
        is_other = (operation is Operation.RESTORE if new is None
                    else is_changed(old, new))
        return (Decision.REJECTED if is_other and not old.updatable
                else Decision.ALLOWED)
    if new is not None:
        if not is_changed(old, new):
            return Decision.ALLOWED
        if not new.updatable:
            return Decision.REJECTED
    return (Decision.LIFT_FIRST if not old.updatable and lift == TWO_STEP
            else Decision.ALLOWED)
