# SPDX-License-Identifier: Apache-2.0

"""What ``update_policy: {allow: {update: ..., replace: ...}}`` means.

Pure rules, apart from Heat: what may be written, how the policies of nested
stacks add up, and which act of an update a policy forbids.
"""

from collections import abc
import dataclasses

from heat_extras.update_policy import keys
from heat_extras.update_policy import words


class RuleError(ValueError):
    """An ``allow`` that cannot be understood.

    :ivar path: the keys below ``allow`` that lead to the error.
    """

    def __init__(self, message: str, path: abc.Iterable[str] = ()) -> None:
        super().__init__(message)
        self.path = list(path)


@dataclasses.dataclass(frozen=True)
class Allow:
    """What one resource's template says; None where it says nothing."""

    update: bool | None = None
    replace: bool | None = None

    @property
    def is_written(self) -> bool:
        return self.update is not None or self.replace is not None


@dataclasses.dataclass(frozen=True)
class Policy:
    """What holds for a resource, the policies around it included.

    :param update: the path of the resource whose policy forbids updates in
        place, or None when they are allowed.
    :param replace: the same for every destruction by an update.
    """

    update: str | None = None
    replace: str | None = None

    @property
    def is_free(self) -> bool:
        return self.update is None and self.replace is None

    def forbids(self, act: str) -> str | None:
        """Return the path of the resource whose policy forbids an act."""
        key = keys.DECIDING.get(act)
        return None if key is None else getattr(self, key)


FREE = Policy()


def parse(found: object, written: object = None) -> Allow:
    """Read a resolved ``allow``.

    :param written: it as it stands in the template. What is the same there
        comes from no parameter, which may be hidden, and is repeated in
        errors.
    :raises RuleError: telling what was found and what was wanted.
    """
    literals = written if isinstance(written, dict) else {}
    if not isinstance(found, dict):
        raise RuleError(words.no_map(found, found is written))
    unknown = [key for key in found if key not in keys.ALL]
    if unknown:
        # A hidden parameter may be a map.
        raise RuleError(words.unknown_keys(
            len(unknown), sorted(str(key) for key in unknown
                                 if key in literals)))
    return Allow(**{
        key: _boolean(key, value, literals.get(key) is value)
        for key, value in found.items()})


def _boolean(key: str, value: object, is_literal: bool) -> bool:
    if isinstance(value, bool):
        return value
    raise RuleError(words.no_boolean(value, is_literal), [key])


def restrict(outer: Policy, inner: Allow, path: str) -> Policy:
    """Add what a resource itself says to what holds around it."""
    return Policy(*(
        getattr(outer, key) if getattr(outer, key) is not None
        else path if getattr(inner, key) is False else None
        for key in keys.ALL))


def both(one: Allow, other: Allow) -> Allow:
    """Return what two templates allow a resource together."""
    return Allow(*(False if getattr(other, key) is False
                   else getattr(one, key) for key in keys.ALL))


def conflicts(outer: Policy, inner: Allow) -> list[str]:
    """List the keys that are written true where outside says false."""
    return [key for key in keys.ALL
            if getattr(inner, key) is True
            and getattr(outer, key) is not None]
