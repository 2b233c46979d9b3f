# SPDX-License-Identifier: Apache-2.0

"""Which parameters an update may change: pure rules, without Heat."""

import dataclasses
import enum
import typing

from heat_extras import sanitize

UPDATABLE, IMMUTABLE = WORDS = 'updatable', 'immutable'

SAME_UPDATE, TWO_STEP = 'same_update', 'two_step'

# Heat's two template formats have a name each for a type.
_KINDS = {'String': 'string', 'Number': 'number', 'Boolean': 'boolean',
          'CommaDelimitedList': 'comma_delimited_list', 'Json': 'json'}


class FlagError(ValueError):
    """A template says something about a parameter that makes no sense."""


class State(enum.Enum):
    """What is known about the value of a parameter."""

    KNOWN = 'known'
    MISSING = 'missing'
    # Given, but not what its type wants.
    INVALID = 'invalid'
    # Depends on what the update itself changes.
    UNKNOWN = 'unknown'


@dataclasses.dataclass(frozen=True)
class Reading:
    """A parameter in one template and environment.

    :param kind: the type, as either template format calls it.
    :param updatable: whether the template lets updates change it.
    """

    kind: str
    updatable: bool = True
    state: State = State.KNOWN
    value: typing.Any = dataclasses.field(default=None, repr=False)


class Operation(enum.Enum):
    """On whose behalf a new value comes."""

    UPDATE = 'update'
    RESTORE = 'restore'
    # Of a stack around it. The template that it goes to may have been
    # refused.
    ROLLBACK = 'rollback'


class Answer(enum.Enum):
    """What becomes of an update, as far as one parameter goes."""

    ALLOWED = 'allowed'
    REFUSED = 'refused'
    LIFT_FIRST = 'lift first'


def is_updatable(name: str, definition: dict) -> bool:
    """Return whether updates may change a parameter, by its two attributes.

    :param definition: of the parameter, as the template has it.
    :raises FlagError: when ``updatable`` is no boolean, or contradicts
        ``immutable``.
    """
    immutable = definition.get(IMMUTABLE, False)
    if UPDATABLE not in definition:
        # As Heat reads it, whatever it is: templates that it took must
        # still load.
        return not immutable
    updatable = definition[UPDATABLE]
    if not isinstance(updatable, bool):
        raise FlagError(f'parameter {name}: {UPDATABLE}: '
                        f'{sanitize.as_written(updatable)} is not valid: it '
                        'must be true or false, without quotes')
    if IMMUTABLE in definition and immutable is not (not updatable):
        raise FlagError(
            f'parameter {name}: {UPDATABLE}: {sanitize.as_written(updatable)} '
            f'and {IMMUTABLE}: {sanitize.as_written(immutable)} contradict '
            'each other: remove one of them')
    return updatable


def kind(name: str) -> str:
    """Return the type by one name, whichever format it is written in."""
    return _KINDS.get(name, name)


def is_same(one: typing.Any, other: typing.Any) -> bool:
    """Compare two typed values, so that ``1`` is ``1.0`` but not ``true``."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return (one.keys() == other.keys()
                and all(is_same(one[key], other[key]) for key in one))
    if isinstance(one, list) and isinstance(other, list):
        return (len(one) == len(other)
                and all(map(is_same, one, other)))
    # The second half: no NaN equals another.
    return one == other or (one != one and other != other)


def is_changed(old: Reading, new: Reading) -> bool:
    """Return whether a parameter has another value, as far as can be told.

    What is missing on either side is for Heat to judge, and what can't be
    known yet is judged when it can.
    """
    states = (old.state, new.state)
    if State.MISSING in states or State.UNKNOWN in states:
        return False
    if State.INVALID in states:
        return True
    return (kind(old.kind) != kind(new.kind)
            or not is_same(old.value, new.value))


def answer(old: Reading, new: Reading | None, lift: str = SAME_UPDATE,
           operation: Operation = Operation.UPDATE) -> Answer:
    """Decide about one parameter that the stack has.

    :param old: as the stack has it now.
    :param new: as it would have it; None: its template has none.
    :param lift: ``[heat_extras] parameter_lift``.
    """
    if operation is not Operation.UPDATE:
        # The stack's own template decides alone. A rollback may take away
        # what the failed update brought.
        is_other = (operation is Operation.RESTORE if new is None
                    else is_changed(old, new))
        return (Answer.REFUSED if is_other and not old.updatable
                else Answer.ALLOWED)
    if new is not None:
        if not is_changed(old, new):
            return Answer.ALLOWED
        if not new.updatable:
            return Answer.REFUSED
    return (Answer.LIFT_FIRST if not old.updatable and lift == TWO_STEP
            else Answer.ALLOWED)
