# SPDX-License-Identifier: Apache-2.0

"""What people read when plugins deny an action, fail, or are not asked.

It stands in status reasons, in events and in answers; what operators read in
the log is where it is written.
Pure: nothing of Heat is imported.
"""

import collections.abc

# What did not happen to the resources of a stack.
_DONE = {'CREATE': 'created', 'ADOPT': 'adopted', 'DELETE': 'deleted'}

NO_REASON = 'no reason given'
NOT_SHOWN = 'its reason cannot be shown'

STACK_GONE = 'the stack is gone'

# Of a guard.
ASKED = ('the lifecycle plugin does not say which actions it judges: it is '
         'asked before each of these, and may deny it')
JUDGED = ('the lifecycle plugin judges each of these actions, and denies '
          'those that do not suit it')
OPERATOR = 'the operator'
RETRY = 'Try again later, or ask the operator of this Heat.'
HOW_TO_LIFT = 'ask the operator of this Heat'


def denied(action: str, plugin: str, said: str) -> str:
    """Tell which plugin denies an action."""
    return f'{action} denied by lifecycle plugin {plugin}: {said}'


def failed_before(action: str, plugin: str, said: str) -> str:
    """Tell which plugin is broken, before an action."""
    return f'Lifecycle plugin {plugin} failed before {action}: {said}'


def failed_after(action: str, plugin: str, said: str) -> str:
    """Tell which plugin is broken, after an action."""
    return f'Lifecycle plugin {plugin} failed after {action}: {said}'


def warning(text: str) -> str:
    """Tell of something that denies nothing."""
    return f'Warning: {text}'


def untouched(action: str, stack_name: str | None,
              stopped: str | None) -> str:
    """Tell what an action that is refused leaves as it is.

    :param stack_name: of a nested stack; None: of a root stack.
    :param stopped: the action that this one had taken over from, if any.
    """
    done = _DONE.get(action, 'changed')
    what = f'of stack {stack_name} ' if stack_name else ''
    if stopped:
        return (f'The {stopped} that was under way is stopped, nothing else '
                f'{what}was {done}.')
    return f'Nothing {what}was {done}.'


def refused(message: str, untouched: str, is_error: bool) -> str:
    """Tell why an action is refused, what that leaves, and whom to ask."""
    sentence = message if message.endswith(('.', '!', '?')) else f'{message}.'
    return ' '.join(filter(None, (
        sentence, untouched, RETRY if is_error else '')))


def not_called(action: str) -> str:
    """Tell before which action plugins could not be called."""
    return f'Lifecycle plugins could not be called before {action}'


def no_answer(seconds: float) -> str:
    """Tell that a plugin did not answer in time."""
    return f'no answer within {seconds} s'


def started(action: str) -> str:
    """Tell what Heat tells when an action begins."""
    return f'Stack {action} started'


def cancelled(action: str) -> str:
    """Tell that an action has been cancelled before it began."""
    return f'Stack {action} cancelled'


def stopped(action: str) -> str:
    """Tell that the thread of an action was ended before it began."""
    return f'Stack {action} stopped while lifecycle plugins were asked'


def not_begun(action: str, error: BaseException) -> str:
    """Tell why an action that plugins let pass could not begin."""
    return f'Stack {action} could not begin: ' + (
        'its thread was ended' if not isinstance(error, Exception)
        else type(error).__name__)


def not_ended(action: str) -> str:
    """Tell that an action was left behind by this engine."""
    return (f'Stack {action} could not be brought to its end, '
            'see the log of the engine')


def engine_stopped(action: str) -> str:
    """Tell what Heat tells of an action whose engine died."""
    return f'Engine went down during stack {action}'


def taken_over(action: str, stack_id: str) -> str:
    """Tell that another engine has ended an action meanwhile."""
    return (f'{action} of stack {stack_id} is not started: '
            'another engine took this one for dead meanwhile and has '
            'ended it; wanted heartbeats in time, see report_interval '
            'and the load of the host and of the database')


def bad_actions(found: object, wanted: collections.abc.Iterable[str]) -> str:
    """Refuse a plugin that names actions that there are not."""
    return (f'get_actions() returned {found!r}, wanted some of '
            f'{", ".join(wanted)}')


def bad_ordinal(found: object) -> str:
    """Refuse a plugin that does not say when it is called."""
    return f'get_ordinal() returned {found!r}, wanted a number'
