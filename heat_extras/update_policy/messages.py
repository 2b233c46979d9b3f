# SPDX-License-Identifier: Apache-2.0

"""What people read when a policy refuses something."""

from heat_extras import sanitize
from heat_extras.update_plan import change
from heat_extras.update_policy import rules

# What to do, by where a refused update came from. A restore brings the policy
# of its snapshot along.
BY_UPDATE = 'To do it, allow it in the template of the same update.'
BY_TWO_UPDATES = ('To do it, first update the stack with templates in which '
                  'update_policy allows it, and then repeat this update.')
BY_RESET = ('To do it, first reset the mark, then update the root stack with '
            'templates in which update_policy allows it, and then repeat '
            'this update.')
BY_ROOT = 'To do it, update the root stack with templates that allow it.'
BY_ROOT_FIRST = ('To do it, first update the root stack with templates in '
                 'which update_policy allows it, and then repeat this '
                 'update.')
BY_NO_RESTORE = 'To do it, update the stack with a template that allows it.'
NO_CONTRARY_SNAPSHOT = ('A snapshot stays as it is: update the stack with '
                        'its templates, mended.')

# Of an error of Heat's that names the path to a policy.
SECTION = 'Update policy'

NESTED_STACK = 'nested stack'

# Heat cuts a reason in an event where its column ends; --wait shows events.
_EVENT = 255
_LONGEST_NAME = 60

_WOULD = {
    change.UPDATE: 'would be updated in place',
    change.REPLACE: 'would be replaced',
    change.REMOVE: 'would be removed',
}


def forbidden(path, kind, act, by, reason=None):
    """Tell what would happen to a resource, and who forbids it.

    :param path: of the resource, like ``group/0/server``.
    :param by: the path of the resource with the policy.
    :param reason: why Heat would do it.
    """
    return (f'resource {path} ({kind}) {_WOULD[act]}'
            + (f' ({reason})' if reason else '')
            + f', which {_policy_of(path, by)} forbids '
            f'({rules.DECIDING[act]}: false)')


def conflict(path, key, by):
    """Tell that a resource allows what a resource around it forbids."""
    return (f'the update_policy of resource {path} says {key}: true, that '
            f'of resource {by} around it says {key}: false; take out one '
            'of them')


def guarded_inside(path, kind, act, inner):
    """Tell that something inside a nested stack is in the way."""
    return (f'resource {inner}, inside {path} ({kind}) which '
            f'{_WOULD[act]}, is protected by its update_policy '
            '(replace: false)')


def refusal(problems, remedy=None, is_whole=True, name=None, act='update'):
    """Make the reason of a stack whose update is refused before it starts.

    What to do stands before the problems: of a long reason the events of
    the stack have only the beginning.

    :param problems: one sentence part each.
    :param remedy: what to do; None: the problems tell.
    :param is_whole: False for the nested stack of a stack whose update goes
        on already.
    :param name: of the stack.
    :param act: what is refused.
    """
    what, where = ((f'The {act}', '') if is_whole
                   else (f'The {act} of this nested stack', ' in it'))
    start = ' '.join(filter(None, [
        f'{what} is refused by update_policy.allow, and nothing{where} was '
        'changed.', remedy]))
    found = f'Found: {sanitize.listing(problems)}.'
    if len(start) + len(found) < _EVENT:
        return f'{start} {found}'
    return f'{start} In full: {_show(name)}. {found}'


def _show(name):
    if name is None or len(name) > _LONGEST_NAME:
        name = '<stack>'
    return f'openstack stack show {name}'


def _policy_of(path, by):
    return ('its update_policy' if by == path
            else f'the update_policy of resource {by}')
