# SPDX-License-Identifier: Apache-2.0

"""What people read about a lock: refusals, status reasons and events.

What the handler of a service says of its resources stands with the handler.
Pure: nothing of Heat is imported.
"""

import collections.abc
import typing

from heat_extras import sanitize

# What begins the refusal while an engine would not enforce a lock.
NO_LOCK = 'No stack can be locked'

# Of a lock and an unlock that have ended, or not.
LOCKED = 'Stack LOCK completed successfully'
UNLOCKED = 'Stack UNLOCK completed successfully'
LOCK_STARTED = 'Stack LOCK started'
BY_OPERATOR = 'Lifted by an operator of the cloud with heat-extras-manage'
ENGINE_STOPPED = 'The engine stopped while it was working on the lock'
LOST = ('The result of the lock operation could not be saved because the '
        'database was unavailable. Retry the operation.')
# Who lifts the protection of a resource that is not ours.
ITS_SERVICE = 'its service'

# What a refusal of the lock tells besides while its pass is used.
_PASS_IN_USE = (
    'An operation that the lock allows to finish is in progress. Until it '
    'ends, it can only be canceled, by the pass user or by a user who may '
    'unlock the stack. ')

# How many an error names one by one of the things that are in the way, and a
# status reason of the resources that failed.
_IN_THE_WAY = 5
_FAILED = 3


def is_locked(stack: str, level: str | None, who: str | None,
              since: str | None, reason: str | None, root_name: str,
              right: str, until: str | None = None,
              is_passing: bool = False, of_pass: str = '') -> str:
    """Refuse an operation on a locked stack, and tell how to go on.

    :param stack: see :func:`named`.
    :param who: None where the reader may not know.
    :param right: the policy rule that it takes to lift the lock.
    :param until: its end, if it has one.
    :param is_passing: whether an update goes through it with a pass.
    :param of_pass: what is told of passes, if the operation could use one.
    """
    return (
        f'Stack {stack} is locked '
        f'(level {level})'
        f' by {who or "a user of another project"}'
        f' since {since}{f" until {until}" if until else ""}'
        f'{sanitize.because(reason)}. '
        f'{_PASS_IN_USE if is_passing else ""}To unlock it: '
        f'{unlock(root_name)}. '
        f'Required policy: {right}.'
        f'{of_pass}')


def named(stack: typing.Any) -> str:
    """Name a stack, or the row of one."""
    return f'{stack.name} ({stack.id})'


def unlock(root_name: str) -> str:
    """Tell how a lock is lifted."""
    return f'openstack stack unlock {root_name}'


def protection(physical_id: str, is_ours: bool, reason: str | None,
               is_left: bool = False) -> str:
    """Tell of a physical resource that is protected.

    :param is_ours: whether by the lock.
    :param is_left: whether an unlock could not release it.
    """
    what = ('protected by the lock of the stack' if is_ours
            else 'could not be released by an unlock' if is_left
            else 'was protected before the lock, and stays so')
    return f'{physical_id} {what}{sanitize.because(reason)}'


def lift_there(resource_type: str) -> str:
    """Tell how a protection is lifted that was there before the lock."""
    return f'lift it where it was set, at the service of {resource_type}'


def completed(level: str, reason: str | None) -> str:
    """Tell that a stack is locked."""
    return f'{LOCKED} (level {level})' + sanitize.because(reason)


def started(action: str) -> str:
    """Tell that an action begins."""
    return f'Stack {action} started'


def with_root(action: str, ended: str, root_name: str) -> str:
    """Tell how a nested stack's lock or unlock ended."""
    return f'Stack {action} {ended} with root stack {root_name}'


def invalid_level(quoted: str, levels: collections.abc.Iterable[str]) -> str:
    """Refuse a level that there is not."""
    return (f'Invalid lock level {quoted}: it must be '
            f'one of {", ".join(levels)}.')


def set_by_other(stack: str, name: str, level: str | None, who: str | None,
                 since: str | None, reason: str | None,
                 lock_id: str | None) -> str:
    """Refuse to change another user's lock by chance.

    :param name: of the root stack.
    :param who: None where the reader may not know.
    """
    return (f'Stack {stack} is locked (level {level}) by '
            f'{who or "a user of another project"} since {since}'
            f'{sanitize.because(reason)}. Nothing was changed. To change this '
            f'lock, name its ID, {lock_id}. To replace it: openstack stack '
            f'lock --replace {name} ("replace": true).')


def no_string(what: str, reason: object) -> str:
    """Refuse a reason that is no string.

    :param what: names it, like ``lock reason``.
    """
    return (f'Invalid {what}: it must be a string, found '
            f'{type(reason).__name__}.')


def too_long(what: str, length: int, most: int) -> str:
    """Refuse a reason with too many characters.

    :param what: names it, like ``lock reason``.
    """
    return (f'Invalid {what}: it has {length} characters, '
            f'at most {most} are allowed.')


def no_object(found: object, fields: collections.abc.Iterable[str],
              action: str = 'lock') -> str:
    """Refuse what is no body of a lock or protection."""
    return (f'Invalid body of {action}: found {type(found).__name__}, wanted '
            f'null or an object with any of {", ".join(fields)}.')


def unknown_fields(unknown: collections.abc.Iterable[str],
                   fields: collections.abc.Iterable[str],
                   action: str = 'lock') -> str:
    """Refuse a body of a lock or protection with unknown fields."""
    return (f'Invalid body of {action}: unknown '
            f'{", ".join(map(repr, unknown))}; '
            f'wanted any of {", ".join(fields)}.')


def no_null(found: object, action: str = 'unlock') -> str:
    """Refuse what is no body of an unlock."""
    return (f'Invalid body of {action}: found '
            f'{type(found).__name__}, wanted null.')


def nested(stack: str, verb: str, root: str) -> str:
    """Refuse to lock or unlock a part of a tree.

    :param verb: ``lock`` or ``unlock``.
    """
    return (f'Stack {stack} is nested, and a tree of '
            f'stacks can only be {verb}ed as a whole: {verb} its root '
            f'stack {root} instead.')


def not_locked(stack: str) -> str:
    """Refuse to unlock what is not locked."""
    return f'Stack {stack} is not locked.'


def not_allowed(called: str, stack: str, state: str) -> str:
    """Refuse a request about a lock that is in this state.

    :param called: what is refused, before "of stack ...".
    """
    advice = ('Wait until this is over, and try again.'
              if state.endswith('_IN_PROGRESS') else
              'Lift the lock first; then the stack can be locked anew.')
    return (f'{called} of stack {stack} is not allowed '
            f'while it is {state}. Nothing was changed. {advice}')


def busy(root: str, blockers: collections.abc.Sequence[str]) -> str:
    """Refuse to lock a tree that is not at rest."""
    return (f'Stack {root} cannot be locked now: '
            f'{sanitize.listing(blockers, most=_IN_THE_WAY)}. '
            'Nothing was changed. Wait until this is over, and try again.')


def admins(stack: str) -> str:
    """Refuse the change of an administrator's lock."""
    return (f'Stack {stack} was locked by an administrator. Changing or '
            'removing this lock requires policy actions:unlock_override.')


def unguarded(what: str, engines: collections.abc.Iterable[str]) -> str:
    """Refuse what an engine without stack_lock would not enforce.

    :param what: begins the sentence, like "No stack can be protected".
    """
    return (f'{what} now: these engines run without stack_lock of '
            f'heat-extras and would not enforce it: {", ".join(engines)}. '
            'Enable stack_lock in [heat_extras] features there and restart '
            'them, or stop them. The option allow_unguarded_engines '
            'overrides this.')


def changed(stack: str) -> str:
    """Refuse a deletion that something overtook."""
    return (f'Stack {stack} was changed meanwhile; its '
            'deletion was not begun. Look at it, and try again.')


def not_released_ways(failure: str, name: str, stack_id: str) -> str:
    """Tell what to do where a service does not release a resource.

    :param name: of the root stack, and its ID.
    """
    return (f'{failure.rstrip(".")}. Retry it, or unlock the stack without '
            f'these resources: openstack stack unlock --ignore-failures '
            f'{name}. An administrator of the cloud can use '
            f'heat-extras-manage unlock {stack_id}')


def given_up(failure: str | None) -> str:
    """Tell what an unlock has left protected."""
    return f'Unlocked, but {failure}. They can still be protected there'


def failed(count: int, total: int, verb: str,
           named: collections.abc.Sequence[str]) -> str:
    """Tell which resources could not be protected or released."""
    return (f'{count} of {sanitize.count(total, "resource")} could not be '
            f'{verb}: ' + sanitize.listing(named, most=_FAILED))


def in_vain(why: str | None, failure: str | None) -> str | None:
    """Tell of an unlock that nobody has asked for that it has failed.

    :param why: it was begun; None: somebody asked.
    :param failure: None: it has not failed.
    """
    if why is None or failure is None:
        return failure
    return f'{why}, and engines go on trying to lift it. {failure}'


def lifted_by_others(found: collections.abc.Sequence[str]) -> str:
    """Tell which resources somebody else had unlocked."""
    return (f'{sanitize.count(len(found), "resource")} had been unlocked by '
            'somebody else: '
            + sanitize.listing(found, ', ', most=_FAILED))


def no_thread(action: str, root_id: str) -> str:
    """Tell that a lock or unlock could not begin its work."""
    return f'{action} of stack {root_id} found no thread to run in'


def work(action: str, root_id: str) -> str:
    """Name the work of a lock or unlock."""
    return f'{action} of stack {root_id}'


def stopped(action: str, root_id: str) -> str:
    """Tell that the thread of a lock or unlock was ended."""
    return f'{action} of stack {root_id} was stopped'


def signal_ignored(level: str | None, reason: str | None) -> str:
    """Tell of the first signal that a lock ignores."""
    return (f'Signal ignored: the stack is locked (level {level})'
            + sanitize.because(reason))


def signals_ignored(total: int, named: str, more: int) -> str:
    """Tell how many signals a lock has ignored.

    :param named: those of the first resources.
    :param more: how many resources more there are.
    """
    were = 'was' if total == 1 else 'were'
    return (f'{sanitize.count(total, "signal")} {were} ignored while '
            f'the stack was locked ({named}'
            + (f', and {sanitize.count(more, "more resource")})' if more
               else ')'))


def stack_at_work(stack: str, engine_id: str) -> str:
    """Name a stack that is in the way of a lock."""
    return f'stack {stack} is being worked on by engine {engine_id}'


def stack_unsettled(stack: str, state: str) -> str:
    """Name a stack without a final status."""
    return f'stack {stack} is {state}'


def resource_at_work(name: str, stack_name: str, state: str) -> str:
    """Name a resource that an engine works on."""
    return (f'resource {name} of stack '
            f'{stack_name} is {state}'
            ' and being worked on')


def snapshot_under_way(snapshot_id: str, stack_name: str,
                       state: str) -> str:
    """Name a snapshot that is being made or deleted."""
    return f'snapshot {snapshot_id} of stack {stack_name} is {state}'


def rollback_pending(stack: str) -> str:
    """Name a stack that Heat is about to roll back."""
    return f'stack {stack} failed and is about to be rolled back'
