# SPDX-License-Identifier: Apache-2.0

"""Messages about operations that a policy rejects."""

from heat_extras.plan import change
from heat_extras import sanitize
from heat_extras.update_policy import rules

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


def describe_forbidden(path, kind, act, by, reason=None):
    """Describe the change of a resource, and the policy that forbids it.

    :param path: the path of the resource, like ``group/0/server``.
    :param by: the path of the resource with the policy.
    :param reason: why Heat would change the resource.
    """
    return (f'resource {path} ({kind}) {_WOULD[act]}'
            + (f' ({reason})' if reason else '')
            + f', which {_name_policy(path, by)} forbids '
            f'({rules.DECIDING_KEYS[act]}: false)')


def describe_conflict(path, key, by):
    """Describe a policy that contradicts a policy around it."""
    return (f'the update_policy of resource {path} has "{key}: true", but the '
            f'update_policy of resource {by}, which contains resource {path}, '
            f'has "{key}: false" (remove one of these settings)')


def describe_guarded_inside(path, kind, act, inner):
    """Describe a nested stack that contains a protected resource."""
    return (f'resource {path} ({kind}) {_WOULD[act]}, but resource {inner} '
            'inside it is protected by its update_policy (replace: false)')


def make_refusal(problems, remedy=None, is_whole=True, act='update'):
    """Make the status reason of a stack whose update is rejected.

    Events contain only the beginning of a long reason. Therefore, the names of
    the resources and the remedy are the first in a long reason.

    :param problems: pairs of the path of a resource and a phrase without a
        full stop.
    :param remedy: what to do, or None if the problems state it.
    :param is_whole: False for a nested stack while its parent is updated.
    :param act: the operation that is rejected.
    """
    subject, where = ((f'The {act}', '') if is_whole
                      else (f'The {act} of this nested stack', ' in it'))
    begin = f'{subject} is rejected, and nothing{where} was changed: '
    reasons = f'{sanitize.join_some([text for _path, text in problems])}.'
    text = _join(begin + reasons, remedy)
    if len(problems) == 1 and len(text) <= _EVENT:
        return text
    begin += 'update_policy.allow protects '
    size = _EVENT - len(_join(begin, remedy)) - _AND_MORE
    names = sanitize.join_some(
        [sanitize.truncate(path, size)
         for path in sorted({path for path, _text in problems})], ', ', size)
    return _join(f'{begin}{names}.', remedy, f'Reason: {reasons}')


def choose_two_updates(is_marked):
    """Return the remedy if the previous policy counts.

    :param is_marked: whether a resource is marked as unhealthy. The first
        update would replace this resource.
    """
    return BY_TWO_UPDATES_UNMARKED if is_marked else BY_TWO_UPDATES


def _join(*sentences):
    return ' '.join(filter(None, sentences))


def _name_policy(path, by):
    return ('its update_policy' if by == path
            else f'the update_policy of resource {by}')


def describe_blocked_mark(path: str, by: str) -> str:
    """Describe why no update replaces an unhealthy resource.

    :param by: the path of the resource with the policy.
    """
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
