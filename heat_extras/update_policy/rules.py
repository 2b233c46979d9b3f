# SPDX-License-Identifier: Apache-2.0

"""What ``update_policy: {allow: {update: ..., replace: ...}}`` means.

Pure rules, apart from Heat: what may be written, how the policies of nested
stacks add up, and which act of an update a policy forbids.
"""

from collections import abc
import dataclasses

from heat_extras import sanitize
from heat_extras.update_plan import change

UPDATE, REPLACE = 'update', 'replace'
KEYS = (UPDATE, REPLACE)

#: The key that decides about an act.
DECIDING = {change.UPDATE: UPDATE, change.REPLACE: REPLACE,
            change.REMOVE: REPLACE}

_KEYS_IN_TEXT = ' and '.join(KEYS)

# bool is an int, too.
_KINDS = {str: 'a text', bool: 'a boolean', int: 'a number',
          float: 'a number', list: 'a list', dict: 'a map'}


class RuleError(ValueError):
    """An ``allow`` that is not valid.

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


@dataclasses.dataclass(frozen=True)
class Policy:
    """The policy of a resource, the policies around it included.

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
        key = DECIDING.get(act)
        return None if key is None else getattr(self, key)


FREE = Policy()


def parse(found: object, written: object = None) -> Allow:
    """Read a resolved ``allow``.

    :param written: it as it stands in the template. What is the same there
        comes from no parameter, which may be hidden, and is repeated in
        errors.
    :raises RuleError: with what was found and what was expected.
    """
    literals = written if isinstance(written, dict) else {}
    if not isinstance(found, dict):
        raise RuleError(
            f'found {_in_text(found, found is written)}, wanted a map with '
            f'any of {_KEYS_IN_TEXT}, like allow: {{replace: false}}')
    unknown = [key for key in found if key not in KEYS]
    if unknown:
        # A hidden parameter may be a map.
        named = sorted(str(key) for key in unknown if key in literals)
        raise RuleError(
            (f'unknown key {", ".join(named)}' if len(named) == len(unknown)
             else f'found {sanitize.count(len(unknown), "unknown key")}')
            + f'; wanted any of {_KEYS_IN_TEXT}')
    return Allow(**{
        key: _boolean(key, value, literals.get(key) is value)
        for key, value in found.items()})


def _boolean(key: str, value: object, is_literal: bool) -> bool:
    if isinstance(value, bool):
        return value
    raise RuleError(f'found {_in_text(value, is_literal)}, wanted true or '
                    'false, without quotes, or get_param of a parameter of '
                    'the type boolean', [key])


def _in_text(value: object, is_literal: bool) -> str:
    if value is None:
        return 'nothing'
    name = next((name for kind, name in _KINDS.items()
                 if isinstance(value, kind)), 'a value')
    if isinstance(value, (list, dict)):
        return name
    if is_literal:
        return sanitize.as_written(value)
    return f'{name} (not shown, as a parameter may be hidden)'


def restrict(outer: Policy, inner: Allow, path: str) -> Policy:
    """Add what a resource itself says to the policy around it."""
    return Policy(*(
        getattr(outer, key) if getattr(outer, key) is not None
        else path if getattr(inner, key) is False else None
        for key in KEYS))


def both(one: Allow, other: Allow) -> Allow:
    """Return what two templates allow a resource together."""
    return Allow(*(False if getattr(other, key) is False
                   else getattr(one, key) for key in KEYS))


def conflicts(outer: Policy, inner: Allow) -> list[str]:
    """List the keys that are written true where outside says false."""
    return [key for key in KEYS
            if getattr(inner, key) is True
            and getattr(outer, key) is not None]
