# SPDX-License-Identifier: Apache-2.0

"""Call plugins: in order, with a timeout, and unwind after a denial.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import threading
import typing

from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras import internal_error
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

PRE, POST = 'do_pre_op', 'do_post_op'

_HEAT_EXCEPTIONS = 'heat.common.exception'

_RETRY = 'Try again later, or ask the operator of this Heat.'


class Refused(Exception):
    """A plugin denied the action, in words for the user."""


class TimedOut(plugin_api.Unavailable):
    """A plugin did not answer in time."""


@dataclasses.dataclass(frozen=True)
class Call:
    """What plugins are called with.

    :param arguments: from a plugin's name to (context, stack,
        current_stack).
    :param enter: called in the thread in which a plugin runs, first.
    :param about: names the stack in the log.
    :param count: called with what happened, see
        :mod:`heat_extras.db.counters`, and the plugin's name.
    :param untouched: a sentence that tells users what a refusal leaves as
        it is.
    """

    action: str
    arguments: typing.Callable
    enter: typing.Callable = lambda: None
    about: str = ''
    count: typing.Callable[[str, str], object] = lambda event, name: None
    untouched: str = ''

    def make(self, plugin: registry.Plugin, method: typing.Callable,
             *more: object) -> BaseException | None:
        """Call one method of one plugin, and wait for it within its time.

        :returns: what it raised, of whatever class, or None. What is raised
            here is no doing of the plugin's: the caller is being ended.
        """
        positional = (*self.arguments(plugin.name), self.action, *more)
        return _apart(plugin, self.enter, method, positional)


def _apart(plugin: registry.Plugin, enter: typing.Callable,
           method: typing.Callable, positional: abc.Iterable
           ) -> BaseException | None:
    # In a thread of its own, with or without a timeout: SystemExit there
    # ends neither the engine's thread nor, under eventlet, its process, and
    # nobody takes it for a kill of the caller (ThreadGroupManager.stop). A
    # thread cannot be killed: after its time nobody listens to it.
    raised: list[BaseException] = []

    def run() -> None:
        try:
            enter()
            method(*positional)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True,
                              name=f'lifecycle-{plugin.name}')
    try:
        thread.start()
    except RuntimeError as error:
        return error
    thread.join(plugin.timeout or None)
    # Looked at first: what is raised meanwhile would be lost.
    is_late = thread.is_alive()
    if raised:
        return raised[0]
    if is_late:
        return TimedOut(f'no answer within {plugin.timeout} s')
    return None


def pre(ordered: abc.Iterable[registry.Plugin], call: Call,
        note: typing.Callable[[list[str]], object] = lambda names: None,
        warn: typing.Callable[[str], object] = lambda text: None
        ) -> list[str]:
    """Call do_pre_op of every plugin, in order.

    :param note: called with the names of the plugins that let the action
        pass, before the next one is asked, and before a denial is raised.
    :param warn: called with what a plugin in mode ``warn`` had to say.
    :returns: their names.
    :raises Refused: at the first denial; later plugins are not asked.
    """
    names: list[str] = []
    for plugin in ordered:
        method = plugin.method(PRE)
        if method is None or not plugin.is_asked(call.action):
            continue
        if names:
            note(list(names))
        error = call.make(plugin, method)
        if error is not None:
            _judge(plugin, call, error, warn)
        names.append(plugin.name)
    return names


def _judge(plugin: registry.Plugin, call: Call, error: BaseException,
           warn: typing.Callable[[str], object]) -> None:
    said = user_message(error)
    is_refusal = is_denial(error)
    message = (f'{call.action} denied by lifecycle plugin {plugin.name}: '
               f'{said}' if is_refusal else f'Lifecycle plugin {plugin.name} '
               f'failed before {call.action}: {said}')
    call.count(_event(error), plugin.name)
    if is_refusal:
        LOG.info('%s', _line(message, call, error))
    else:
        _log(message, call, error)
        if plugin.on_error == options.ALLOW:
            return
    if plugin.mode == options.WARN:
        warn(message)
        return
    raise Refused(' '.join(filter(None, (
        message if message.endswith(('.', '!', '?')) else f'{message}.',
        call.untouched, '' if is_refusal else _RETRY)))) from error


def _event(error: BaseException) -> str:
    if is_denial(error):
        return counters.DENIED
    return (counters.TIMEOUT if isinstance(error, TimedOut)
            else counters.ERROR)


def _log(message: str, call: Call, error: BaseException) -> None:
    # What a plugin knows needs no traceback.
    is_known = isinstance(error, plugin_api.Unavailable)
    LOG.error('%s', _line(message, call, error),
              exc_info=None if is_known else error)


def _line(message: str, call: Call, error: BaseException) -> str:
    return sanitize.printable('; '.join(filter(None, (
        message, call.about, getattr(error, 'detail', None)))))


def post(ordered: abc.Iterable[registry.Plugin], call: Call,
         passed: abc.Container[str], is_failure: bool,
         is_unwinding: bool = False) -> list[str]:
    """Call do_post_op of the plugins that let the action pass, in order.

    All are called, whatever the others raise, and also when this thread is
    being ended meanwhile.

    :param passed: their names.
    :param is_failure: whether the action failed.
    :param is_unwinding: whether a denial is why. Plugins that were not
        asked, which otherwise are called, are left out then.
    :returns: a list of texts, one for each plugin that raised and whose
        errors count.
    """
    failures: list[str] = []
    ended = None
    for plugin in ordered:
        method = plugin.method(POST)
        if method is None or not _takes_part(plugin, call.action, passed,
                                             is_unwinding):
            continue
        try:
            error = call.make(plugin, method, is_failure)
        except BaseException as error_of_thread:
            ended = error_of_thread
            continue
        if error is not None:
            failures += _fault(plugin, call, error)
    if ended is not None:
        raise ended
    return failures


def _fault(plugin: registry.Plugin, call: Call, error: BaseException
           ) -> list[str]:
    message = (f'Lifecycle plugin {plugin.name} failed after {call.action}: '
               f'{user_message(error)}')
    call.count(_event(error), plugin.name)
    _log(message, call, error)
    return [message] if _counts(plugin, error) else []


def _takes_part(plugin: registry.Plugin, action: str,
                passed: abc.Container[str], is_unwinding: bool) -> bool:
    if plugin.name in passed:
        return True
    return (not is_unwinding and not plugin.is_asked(action)
            and plugin.is_called_for(action))


def _counts(plugin: registry.Plugin, error: BaseException) -> bool:
    return plugin.mode == options.FAIL and (
        is_denial(error) or plugin.on_error == options.DENY)


def is_denial(error: BaseException) -> bool:
    """Return whether an exception is meant as a refusal.

    ``plugin_api.Denied`` is, and Heat's own exceptions, and a plain
    ``Exception``, which is what plugins written for Heat alone raise. Any
    other class, like KeyError or ConnectionError, is an error, and so is
    what is no Exception at all, like SystemExit.
    """
    return (isinstance(error, plugin_api.Denied) or type(error) is Exception
            or any(base.__module__ == _HEAT_EXCEPTIONS
                   for base in type(error).__mro__))


def user_message(error: BaseException) -> str:
    """Return what an exception says, in words for a user."""
    try:
        if internal_error.is_internal(error):
            return internal_error.unexpected(error, type(error).__name__)
        said = sanitize.storable(str(error).strip() or 'no reason given')
    except BaseException:
        said = 'its reason cannot be shown'
    if is_denial(error) or isinstance(error, plugin_api.Unavailable):
        return said
    return f'{type(error).__name__}: {said}'
