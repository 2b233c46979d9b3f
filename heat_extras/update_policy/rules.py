# SPDX-License-Identifier: Apache-2.0

"""The rules of ``update_policy: {allow: {update: ..., replace: ...}}``.

They define the valid values, how the policies of nested stacks are combined,
which acts of an update a policy forbids, and the messages about these acts.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses

from heat_extras import guard
from heat_extras.plan import change
from heat_extras import sanitize


UPDATE, REPLACE = 'update', 'replace'
KEYS = (UPDATE, REPLACE)

#: The key that allows or forbids an act.
DECIDING_KEYS = {change.UPDATE: UPDATE, change.REPLACE: REPLACE,
                 change.REMOVE: REPLACE}

_KEYS_IN_TEXT = ' and '.join(f'"{key}"' for key in KEYS)


class RuleError(ValueError):
    """An ``allow`` that is not valid.

    :ivar path: the keys below ``allow`` that lead to the error.
    """

    def __init__(self, message: str, path: abc.Iterable[str] = ()) -> None:
        super().__init__(message)
        self.path = list(path)


@dataclasses.dataclass(frozen=True)
class Allow:
    """The ``allow`` of one resource. A key that is not set is None."""

    update: bool | None = None
    replace: bool | None = None


@dataclasses.dataclass(frozen=True)
class Policy:
    """The policy of a resource, including the policies around it.

    :param update: the path of the resource whose policy forbids updates in
        place, or None if they are allowed.
    :param replace: the same for replacement and removal. It can also be the
        protection of all resources of the tree.
    """

    update: str | None = None
    replace: str | guard.ResourceProtection | None = None

    @property
    def is_free(self) -> bool:
        return self.update is None and self.replace is None

    def forbids(self, act: str) -> str | guard.ResourceProtection | None:
        """Return what forbids an act.

        :returns: the path of the resource with the policy, the protection of
            the tree, or None.
        """
        key = DECIDING_KEYS.get(act)
        return None if key is None else getattr(self, key)


UNRESTRICTED = Policy()


def parse_allow(value: object, written: object = None) -> Allow:
    """Parse a resolved ``allow``.

    :param written: the unresolved value in the template.
    :raises RuleError: if it is not valid. The message contains only those
        parts of the value that are literals in the template, because other
        parts can be values of hidden parameters.
    """
    literals = written if isinstance(written, dict) else {}
    if not isinstance(value, dict):
        raise RuleError(f'must be a map with any of {_KEYS_IN_TEXT}, like '
                        'allow: {replace: false}')
    unknown = value.keys() - {*KEYS}
    if unknown:
        named = ', '.join(f'"{key}"' for key in sorted(map(
            sanitize.to_yaml, unknown & literals.keys())))
        problem = f'the unknown key {named}' if named else 'an unknown key'
        raise RuleError(f'has {problem}: the allowed keys are '
                        f'{_KEYS_IN_TEXT}')
    for key, setting in value.items():
        if not isinstance(setting, bool):
            is_literal = key in literals and literals[key] is setting
            shown = (f'is {sanitize.to_yaml(setting)}, but ' if is_literal
                     else '')
            raise RuleError(f'{shown}must be true or false, without quotes, '
                            'or a function with a boolean result, like '
                            'get_param of a parameter of the type boolean',
                            [key])
    return Allow(**value)


def restrict_policy(outer: Policy, inner: Allow, path: str) -> Policy:
    """Return the policy of a resource, from the policy around it."""
    return Policy(*(
        getattr(outer, key) if getattr(outer, key) is not None
        else path if getattr(inner, key) is False else None
        for key in KEYS))


def combine_allow(allow: Allow, other: Allow) -> Allow:
    """Return the ``allow`` with the restrictions of both."""
    return Allow(*(False if getattr(other, key) is False
                   else getattr(allow, key) for key in KEYS))


def find_conflicts(outer: Policy, inner: Allow) -> list[str]:
    """List the keys that are true although the policy around is false."""
    return [key for key in KEYS
            if getattr(inner, key) is True
            and isinstance(getattr(outer, key), str)]


# What to do after different operations. A restore uses the policy in its
# snapshot.
BY_UPDATE = ('To make this change, allow the change in the template that you '
             'send with the update.')
BY_TWO_UPDATES = ('First update the root stack with templates that allow the '
                  'change, then repeat this update.')
BY_TWO_UPDATES_UNMARKED = (
    'First reset all unhealthy marks, update the root stack with templates '
    'that allow the change, then repeat this update.')
BY_NO_RESTORE = ('To make this change, update the stack with a template that '
                 'allows this change.')

# The title of Heat's error with the path of a policy.
SECTION = 'Update policy'

NESTED_STACK = 'nested stack'

# The length to which Heat truncates the reason of an event, and the length of
# the words that join_some adds.
_EVENT, _AND_MORE = 255, 20

_WOULD = {
    change.UPDATE: 'would be updated in place',
    change.REPLACE: 'would be replaced',
    change.REMOVE: 'would be removed',
}


def describe_forbidden(path: str, kind: str, act: str,
                       by: str | guard.ResourceProtection,
                       reason: str | None = None) -> str:
    """Describe the change of a resource, and what forbids it.

    :param path: the path of the resource, like ``group/0/server``.
    :param by: see :meth:`Policy.forbids`.
    :param reason: why Heat would change the resource.
    """
    changed = (f'resource {path} ({kind}) {_WOULD[act]}'
               + (f' ({reason})' if reason else ''))
    if isinstance(by, guard.ResourceProtection):
        return f'{changed}, which {by.name} forbids'
    return (f'{changed}, which {_name_policy(path, by)} forbids '
            f'({DECIDING_KEYS[act]}: false)')


def describe_conflict(path: str, key: str, by: str) -> str:
    """Describe a policy that contradicts a policy around it."""
    return (f'the update_policy of resource {path} has "{key}: true", but the '
            f'update_policy of resource {by}, which contains resource {path}, '
            f'has "{key}: false" (remove one of these settings)')


def describe_guarded_inside(path: str, kind: str, act: str,
                            inner: str) -> str:
    """Describe a nested stack that contains a protected resource."""
    return (f'resource {path} ({kind}) {_WOULD[act]}, but resource {inner} '
            'inside it is protected by its update_policy (replace: false)')


def how_to_allow(by: guard.ResourceProtection) -> str:
    """Describe how to remove the protection of all resources."""
    return f'To allow this change: {by.how_to_lift}.'


def make_refusal(problems: abc.Sequence[tuple[str, str]],
                 remedy: str | None = None, is_whole: bool = True,
                 act: str = 'update',
                 protector: str = 'update_policy.allow') -> str:
    """Make the status reason of a stack whose update is rejected.

    Events contain only the beginning of a long reason. Therefore, the names of
    the resources and the remedy are the first in a long reason.

    :param problems: pairs of the path of a resource and a phrase without a
        full stop.
    :param remedy: what to do, or None if the problems state it.
    :param is_whole: False for a nested stack while its parent is updated.
    :param act: the operation that is rejected.
    :param protector: what protects the resources.
    """
    subject, where = ((f'The {act}', '') if is_whole
                      else (f'The {act} of this nested stack', ' in it'))
    begin = f'{subject} is rejected, and nothing{where} was changed: '
    reasons = f'{sanitize.join_some([text for _path, text in problems])}.'
    text = _join(begin + reasons, remedy)
    if len(problems) == 1 and len(text) <= _EVENT:
        return text
    begin += f'{protector} protects '
    size = _EVENT - len(_join(begin, remedy)) - _AND_MORE
    names = sanitize.join_some(
        [sanitize.truncate(path, size)
         for path in sorted({path for path, _text in problems})], ', ', size)
    return _join(f'{begin}{names}.', remedy, f'Reason: {reasons}')


def choose_two_updates(is_marked: bool) -> str:
    """Return the remedy if the previous policy counts.

    :param is_marked: whether a resource is marked as unhealthy. The first
        update would replace this resource.
    """
    return BY_TWO_UPDATES_UNMARKED if is_marked else BY_TWO_UPDATES


def _join(*sentences: str | None) -> str:
    return ' '.join(filter(None, sentences))


def _name_policy(path: str, by: str) -> str:
    return ('its update_policy' if by == path
            else f'the update_policy of resource {by}')


def describe_blocked_mark(path: str,
                          by: str | guard.ResourceProtection) -> str:
    """Describe why no update replaces an unhealthy resource.

    :param by: see :meth:`Policy.forbids`.
    """
    if isinstance(by, guard.ResourceProtection):
        return (f'Every update that would replace resource {path} is rejected '
                f'because of {by.name}. {how_to_allow(by)}')
    return (f'The update_policy of resource {by} has "replace: false". Every '
            f'update that would replace resource {path} is rejected until '
            'the template allows the replacement, or until the mark is reset.')


def describe_blocked_mark_around(path: str, guarded: str) -> str:
    """Describe why no update replaces an unhealthy nested stack.

    :param guarded: the path of the resource inside it with the policy.
    """
    # An update replaces the marked resource, so it cannot change the policy.
    return (f'Resource {guarded} inside resource {path} has the update_policy '
            f'"replace: false". Every update that would replace {path} is '
            f'rejected until the mark is reset. To replace {path}: reset the '
            'mark, update the stack with templates that allow the replacement '
            f'of {guarded}, and then mark {path} again.')
