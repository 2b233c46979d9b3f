# SPDX-License-Identifier: Apache-2.0

"""Call plugins in order, with a timeout, and unwind after a denial."""

from collections import abc
import dataclasses
import threading
import typing

from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras.heat_internals import rpc_errors
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

PRE, POST = 'do_pre_op', 'do_post_op'
DRY_RUN = 'do_dry_run'

_HEAT_EXCEPTIONS = 'heat.common.exception'

_RETRY = 'Try again later, or ask the operator of this Heat.'


class ActionDenied(Exception):
    """A plugin denied the action. Users can read the text."""


class TimedOut(plugin_api.Unavailable):
    """A plugin did not answer in time."""


@dataclasses.dataclass(frozen=True)
class Call:
    """The arguments of calls of plugins.

    :param arguments: a function that returns (context, stack, current_stack)
        for the name of a plugin.
    :param enter: a function that is first called in the thread of a plugin.
    :param about: a text that names the stack in the log.
    :param count: a function with the arguments event, see
        :mod:`heat_extras.db.counters`, and name of the plugin.
    :param untouched: a sentence for users about the state of the stack after a
        denial.
    :param path: the path of the nested stack of a dry run.
    """

    action: str
    arguments: typing.Callable
    enter: typing.Callable = lambda: None
    about: str = ''
    count: typing.Callable[[str, str], object] = lambda event, name: None
    untouched: str = ''
    path: str = ''

    @property
    def subject(self) -> str:
        """The action and its nested stack, for users."""
        return self.action + (
            f' of nested stack {self.path}' if self.path else '')

    def make(self, plugin: registry.Plugin, method: typing.Callable,
             *more: object) -> BaseException | None:
        """Call one method of one plugin, and wait until its timeout.

        :returns: the exception of the plugin, of any class, or None. If this
            method itself raises an exception, the caller's thread is being
            ended.
        """
        positional = (*self.arguments(plugin.name), self.action, *more)
        return _run_in_thread(plugin, self.enter, method, positional)


def _run_in_thread(plugin: registry.Plugin, enter: typing.Callable,
                   method: typing.Callable,
                   positional: abc.Iterable) -> BaseException | None:
    # Always in a thread of its own: SystemExit of a plugin then does not end
    # the engine's thread (or its process, with eventlet), and is not mistaken
    # for a kill of the caller (ThreadGroupManager.stop). The thread cannot be
    # killed, so after the timeout its result is ignored.
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
    # Read before `raised`: otherwise an exception between them would be lost.
    is_late = thread.is_alive()
    if raised:
        return raised[0]
    if is_late:
        return TimedOut(f'no answer within {plugin.timeout} s')
    return None


def run_pre_ops(
        ordered: abc.Iterable[registry.Plugin], call: Call,
        note: typing.Callable[[list[str]], object] = lambda names: None,
        warn: typing.Callable[[str], object] = lambda text: None) -> list[str]:
    """Call do_pre_op of every plugin, in order.

    :param note: a function that is called with the names of the plugins that
        allowed the action, before the call of the next plugin.
    :param warn: a function that is called with the message of a plugin in mode
        ``warn``.
    :returns: the names of the plugins that allowed the action.
    :raises ActionDenied: at the first denial, without calls of later plugins.
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
            _handle_error(plugin, call, error, warn)
        names.append(plugin.name)
    return names


def run_dry_runs(ordered: abc.Iterable[registry.Plugin],
                 calls: abc.Sequence[Call]) -> None:
    """Make calls of do_dry_run of every plugin, in order.

    After an error that does not deny the action, the plugin is not called
    again.

    :raises ActionDenied: at the first denial, without further calls.
    """
    for plugin in ordered:
        method = plugin.method(DRY_RUN)
        for call in calls:
            if method is None or not plugin.is_asked(call.action):
                continue
            error = call.make(plugin, method)
            if error is not None:
                _handle_error(plugin, call, error, lambda text: None)
                break


def _handle_error(plugin: registry.Plugin, call: Call, error: BaseException,
                  warn: typing.Callable[[str], object]) -> None:
    reason = user_message(error)
    is_refusal = is_denial(error)
    message = (
        f'{call.subject} denied by lifecycle plugin {plugin.name}: {reason}'
        if is_refusal else
        f'Lifecycle plugin {plugin.name} failed before {call.subject}: '
        f'{reason}')
    call.count(_event_of_error(error), plugin.name)
    if is_refusal:
        LOG.info('%s', _log_line(message, call, error))
    else:
        _log_error(message, call, error)
        if plugin.on_error == options.ALLOW:
            return
    if plugin.mode == options.WARN:
        warn(message)
        return
    raise ActionDenied(' '.join(filter(None, (
        message if message.endswith(('.', '!', '?')) else f'{message}.',
        call.untouched, '' if is_refusal else _RETRY)))) from error


def _event_of_error(error: BaseException) -> str:
    if is_denial(error):
        return counters.DENIED
    return (counters.TIMEOUT if isinstance(error, TimedOut)
            else counters.ERROR)


def _log_error(message: str, call: Call, error: BaseException) -> None:
    # A known reason needs no traceback.
    is_known = isinstance(error, plugin_api.Unavailable)
    LOG.error('%s', _log_line(message, call, error),
              exc_info=None if is_known else error)


def _log_line(message: str, call: Call, error: BaseException) -> str:
    return sanitize.printable('; '.join(filter(None, (
        message, call.about, getattr(error, 'detail', None)))))


def run_post_ops(ordered: abc.Iterable[registry.Plugin], call: Call,
                 passed: abc.Container[str], is_failure: bool,
                 is_unwinding: bool = False) -> list[str]:
    """Call do_post_op of the plugins that allowed the action, in order.

    All of them are called, also if some raise an exception, and also if this
    thread is being ended.

    :param passed: the names of the plugins that allowed the action.
    :param is_failure: whether the action failed.
    :param is_unwinding: whether the action was denied. Then plugins without a
        pre call are not called. Otherwise they are called.
    :returns: a list of messages, one for each plugin with an exception that
        makes the action fail.
    """
    failures: list[str] = []
    ended = None
    for plugin in ordered:
        method = plugin.method(POST)
        if method is None or not _is_called_after(plugin, call.action, passed,
                                                  is_unwinding):
            continue
        try:
            error = call.make(plugin, method, is_failure)
        except BaseException as error_of_thread:
            ended = error_of_thread
            continue
        if error is not None:
            failures += _list_failure(plugin, call, error)
    if ended is not None:
        raise ended
    return failures


def _list_failure(plugin: registry.Plugin, call: Call,
                  error: BaseException) -> list[str]:
    message = (f'Lifecycle plugin {plugin.name} failed after {call.action}: '
               f'{user_message(error)}')
    call.count(_event_of_error(error), plugin.name)
    _log_error(message, call, error)
    return [message] if _is_failure(plugin, error) else []


def _is_called_after(plugin: registry.Plugin, action: str,
                     passed: abc.Container[str], is_unwinding: bool) -> bool:
    if plugin.name in passed:
        return True
    return (not is_unwinding and not plugin.is_asked(action)
            and plugin.is_called_for(action))


def _is_failure(plugin: registry.Plugin, error: BaseException) -> bool:
    return plugin.mode == options.FAIL and (
        is_denial(error) or plugin.on_error == options.DENY)


def is_denial(error: BaseException) -> bool:
    """Return whether an exception is a denial.

    Denials are ``plugin_api.Denied``, Heat's own exceptions, and a plain
    ``Exception``, which plugins raise that were written for Heat alone. Any
    other class, like KeyError, ConnectionError or SystemExit, is an error.
    """
    return (isinstance(error, plugin_api.Denied) or type(error) is Exception
            or any(base.__module__ == _HEAT_EXCEPTIONS
                   for base in type(error).__mro__))


def user_message(error: BaseException) -> str:
    """Return the text of an exception for users."""
    try:
        if rpc_errors.is_internal(error):
            return rpc_errors.log_unexpected(error, type(error).__name__)
        text = sanitize.make_storable(str(error).strip() or 'no reason given')
    except BaseException:
        text = 'the reason cannot be shown'
    if is_denial(error) or isinstance(error, plugin_api.Unavailable):
        return text
    return f'{type(error).__name__}: {text}'
