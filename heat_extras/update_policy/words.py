# SPDX-License-Identifier: Apache-2.0

"""What people read when a policy refuses something."""

from heat_extras.host import effect
from heat_extras import text as texts
from heat_extras.update_policy import rules

NOT_DONE = 'Not done: '
NOT_UNDONE = ('Not done by this rollback, which may only give back what was '
              'before the failed update: ')

_WOULD = {
    effect.CHANGE: 'would be updated in place',
    effect.RECREATE: 'would be replaced',
    effect.REMOVE: 'would be removed',
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
              f'({rules.key_of(act)}: false)')


def conflict(path, key, by):
    """Tell that a resource allows what a resource around it forbids."""
    return (f'the update_policy of resource {path} says {key}: true, that '
            f'of resource {by} around it says {key}: false; remove one of '
            'them')


def guarded_inside(path, kind, act, inner, by):
    """Tell that something inside a nested stack is in the way."""
    return (f'resource {inner}, inside {path} ({kind}) which '
            f'{_WOULD[act]}, is protected by {_policy_of(inner, by)} '
            '(replace: false)')


def nested(name, stack_id, verb, problem, root):
    """Make the refusal to remove a nested stack by its own id.

    :param verb: ``deleted`` or ``abandoned``.
    :param root: the name of the root stack.
    """
    return (f'Stack {name} ({stack_id}) is nested in stack {root} and is not '
            f'{verb}: {problem}. Nothing was changed. To do it all the same, '
            f'allow it in the template first. Stack {root} as a whole can be '
            f'{verb} at any time.')


def refusal(problems, is_whole=True):
    """Make the reason of a stack whose update is refused before it starts.

    :param problems: one sentence part each.
    :param is_whole: False for the nested stack of a stack whose update goes
        on already.
    """
    what, where = (('The update', '') if is_whole
                   else ('The update of this nested stack', ' in it'))
    return (f'{what} is refused by update_policy.allow of the templates, and '
            f'nothing{where} was changed: ' + texts.listing(problems) + '. To '
            'do it all the same, allow it in the template first.')


def _policy_of(path, by):
    return ('its update_policy' if by == path
            else f'the update_policy of resource {by}')
