# SPDX-License-Identifier: Apache-2.0

"""What people read when a policy refuses something."""

from heat_extras.host import effect
from heat_extras import text as texts
from heat_extras.update_policy import keys

NOT_DONE = 'Not done: '
NOT_UNDONE = ('Not done by this rollback, which may only give back what was '
              'before the failed update: ')

# Of a guard.
HOW_TO_LIFT = 'update the stack with a template that allows it'

# Of an error of Heat's that names the path to a policy.
SECTION = 'Update policy'

NESTED_STACK = 'nested stack'

_KEYS = ' and '.join(keys.ALL)

_WOULD = {
    effect.CHANGE: 'would be updated in place',
    effect.RECREATE: 'would be replaced',
    effect.REMOVE: 'would be removed',
}


def no_map(found):
    """Refuse an ``allow`` that is no map."""
    kind = 'nothing' if found is None else type(found).__name__
    return f'found {kind}, wanted a map with any of {_KEYS}'


def unknown_keys(count, named):
    """Refuse keys of ``allow`` that there are not.

    :param named: those that may be shown, of *count*.
    """
    found = (f'unknown key {", ".join(named)}' if len(named) == count
             else f'found {count} unknown key{"s" if count > 1 else ""}')
    return f'{found}; wanted any of {_KEYS}'


def no_boolean(found, is_shown):
    """Refuse a value in ``allow`` that is neither true nor false.

    :param is_shown: whether it is in the template, not in a parameter.
    """
    if is_shown and isinstance(found, (int, float)):
        shown = repr(found)
    else:
        shown = 'nothing' if found is None else f'a {type(found).__name__}'
    return f'found {shown}, wanted true or false'


def refers(names):
    """Refuse an ``allow`` that depends on resources."""
    return (f'found a reference to resource {", ".join(names)}, wanted '
            'what is known before an update: true, false or get_param')


def forbids_replacement(path, by):
    """Warn that a policy will keep a marked resource."""
    whose = 'Its own' if by == path else f'The one of resource {by}'
    return (f'The update_policy forbids to replace resource {path}. {whose} '
            'says replace: false: every update that would replace it will '
            'be refused, until the template allows it or the mark is reset.')


def guards(key):
    """Tell of a guard in a template."""
    return (f'update_policy: {key}: false; it reaches all that is inside '
            'the resource')


def guards_around(by, key):
    """Tell of a guard in the template of a stack around it."""
    return f'update_policy of resource {by} around it: {key}: false'


def forbidden(path, kind, act, by, reason=None):
    """Tell what would happen to a resource, and who forbids it.

    :param path: of the resource, like ``group/0/server``.
    :param by: the path of the resource with the policy.
    :param reason: why Heat would do it.
    """
    return (f'resource {path} ({kind}) {_WOULD[act]}'
            + (f' ({reason})' if reason else '')
            + f', which {_policy_of(path, by)} forbids '
            f'({keys.DECIDING[act]}: false)')


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
