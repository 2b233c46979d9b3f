# SPDX-License-Identifier: Apache-2.0

"""What people read when a policy refuses something."""

from heat_extras import sanitize
from heat_extras.update_plan import change
from heat_extras.update_policy import keys

NOT_UNDONE = ('Not done by this rollback, which may only give back what was '
              'before the failed update: ')

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

# Of a guard.
HOW_TO_LIFT = 'update the stack with a template that allows it'

# Of an error of Heat's that names the path to a policy.
SECTION = 'Update policy'

NESTED_STACK = 'nested stack'

_KEYS = ' and '.join(keys.ALL)

# Heat cuts a reason in an event where its column ends; --wait shows events.
_EVENT = 255
_LONGEST_NAME = 60

# bool is an int, too.
_KINDS = {str: 'a text', bool: 'a boolean', int: 'a number',
          float: 'a number', list: 'a list', dict: 'a map'}

_DONE = {'delete': 'deleted', 'abandon': 'abandoned'}

_WOULD = {
    change.UPDATE: 'would be updated in place',
    change.REPLACE: 'would be replaced',
    change.REMOVE: 'would be removed',
}


def no_map(found, is_shown):
    """Refuse an ``allow`` that is no map.

    :param is_shown: whether it is in the template, not in a parameter.
    """
    return (f'found {_value(found, is_shown)}, wanted a map with any of '
            f'{_KEYS}, like allow: {{replace: false}}')


def _value(found, is_shown):
    if found is None:
        return 'nothing'
    name = next((name for kind, name in _KINDS.items()
                 if isinstance(found, kind)), 'a value')
    if isinstance(found, (list, dict)):
        return name
    if is_shown:
        return sanitize.as_written(found)
    return f'{name} (not shown, as a parameter may be hidden)'


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
    return (f'found {_value(found, is_shown)}, wanted true or false, without '
            'quotes, or get_param of a parameter of the type boolean')


def beside_allow(said):
    """Show how to write keys that belong in ``allow``.

    :param said: what the template says, by the key; an example is shown in
        place of an empty one.
    """
    written = sanitize.as_written(said or {keys.REPLACE: False})
    return ('For what heat-extras guards, write '
            + (f'allow: {written}' if said
               else f'allow, for example allow: {written}'))


def refers(names):
    """Refuse an ``allow`` that depends on resources."""
    return (f'found a reference to resource {", ".join(names)}, wanted '
            'what is known before an update: true, false or get_param')


def unresolvable(kind):
    """Refuse an ``allow`` whose functions fail.

    :param kind: the name of the error. What it says may be of a parameter
        that is hidden.
    """
    return (f'found functions that end in {kind}, wanted what makes true or '
            'false; try get_param of a parameter of the type boolean')


def forbids_replacement(path, by):
    """Warn that a policy will keep a marked resource."""
    whose = 'Its own' if by == path else f'The one of resource {by}'
    return (f'The update_policy forbids to replace resource {path}. {whose} '
            'says replace: false: every update that would replace it will '
            'be refused, until the template allows it or the mark is reset.')


def forbids_replacement_around(path, guarded):
    """Warn that a policy inside a marked resource will keep it.

    An update replaces the marked resource, so it cannot change the policy.
    """
    return (f'Resource {guarded} inside resource {path} has the '
            'update_policy replace: false. Every update that would replace '
            f'{path} is refused until the mark is reset. To replace it, '
            f'first update the stack with templates that allow it for '
            f'{guarded}, and then mark {path}.')


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
            f'of resource {by} around it says {key}: false; take out one '
            'of them')


def guarded_inside(path, kind, act, inner, by):
    """Tell that something inside a nested stack is in the way."""
    return (f'resource {inner}, inside {path} ({kind}) which '
            f'{_WOULD[act]}, is protected by {_policy_of(inner, by)} '
            '(replace: false)')


def nested(name, stack_id, operation, problem, root):
    """Make the refusal to remove a nested stack by its own id.

    :param operation: ``delete`` or ``abandon``.
    :param root: the name of the root stack.
    """
    verb = _DONE[operation]
    return (f'Stack {name} ({stack_id}) is nested in stack {root} and is not '
            f'{verb}: {problem}. Nothing was changed. To do it, first update '
            f'stack {root} with templates that allow it. Stack {root} as a '
            f'whole can be {verb} at any time.')


def not_done(reason, is_allowed_at_once):
    """Report an act that an update has come to, and does not do.

    :param is_allowed_at_once: whether the template of an update that allows
        the act may also ask for it.
    """
    remedy = BY_NO_RESTORE if is_allowed_at_once else BY_TWO_UPDATES
    return f'Not done: {reason}. {remedy}'


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
