# SPDX-License-Identifier: Apache-2.0

"""Select stacks by name or tag, and run an action on each of them."""

import functools
import typing
from urllib import parse

from heatclient import exc

from heat_extras.client import actions
from heat_extras.client import error_message
from heat_extras.client import lock_warnings
from heat_extras.client import managers
from heat_extras.client import options
from heat_extras.client import wait

_WAIT = '. With --wait, the command waits until the action is complete'
# The result in a row. The error is printed separately.
FAILED = 'failed'
_CHANGED = 'lock changed'
RESULTS = {'LOCK': 'locked', 'UNLOCK': 'unlocked',
           'EXTEND_LOCK': 'expiration changed',
           'LOCK_PASS': 'pass granted', 'REVOKE_LOCK_PASS': 'pass revoked',
           'PROTECT': 'protected', 'UNPROTECT': 'unprotected'}


class NothingSelected(exc.BaseException):
    """The arguments select no stack."""


class SelectedStack(typing.NamedTuple):
    """A stack that the arguments select.

    :ivar name: the name as it was typed, or as the server shows it.
    :ivar identity: name and ID with a slash between. None if it is not known
        yet.
    """

    name: str
    identity: str | None = None


class Hints(typing.NamedTuple):
    """Commands of a client for the next step.

    :param follow: the command that follows a lock or unlock in progress.
    :param show: the command that shows the stack.
    :param locks: the command that lists the locks.
    """

    follow: str
    show: str
    locks: str


OPENSTACK = Hints(
    'openstack stack event list --follow {stack}',
    'openstack stack show {stack}', 'openstack stack lock list')


def select(heat_client, arguments):
    """List the stacks that the command line selects.

    :param arguments: the arguments of the command line, with ``stack``,
        ``tag``, and ``usage_error``, which ends the program
    :returns: a list of :class:`SelectedStack`
    :raises NothingSelected: if no stack is selected
    """
    if not (arguments.stack or arguments.tag):
        arguments.usage_error('no stack was named: give the name or ID of '
                              'each <stack>, or --tag <tag>')
    if isinstance(getattr(arguments, 'lock_id', None), str) and (
            arguments.tag or len(arguments.stack) > 1):
        raise NothingSelected('--lock-id is not valid with several stacks or '
                              'with --tag, because a lock belongs to one '
                              'stack')
    if not arguments.tag:
        return [SelectedStack(name) for name in dict.fromkeys(arguments.stack)]
    tags = ','.join(arguments.tag)
    if not all(each.strip() for each in tags.split(',')):
        # Without a tag, Heat would list all stacks.
        raise NothingSelected(
            f'--tag {tags!r} is not valid: a tag must not be empty')
    stacks = _tagged(heat_client, tags)
    if not stacks:
        raise NothingSelected(
            f'no stack in this project is selected by --tag {tags!r}. To show '
            'the tags of a stack: openstack stack show -c tags STACK')
    return stacks


def _tagged(heat_client, tags):
    own = _project(heat_client)
    # For an administrator, Heat lists the stacks of all projects
    # (heat.db.api._query_stack_get_all). A tag selects only the stacks of the
    # own project.
    listed = [stack.to_dict() for stack in heat_client.stacks.list(
        tags=tags, show_hidden=True)]
    return [SelectedStack(each['stack_name'],
                          f'{each["stack_name"]}/{each["id"]}')
            for each in listed if each.get('project', own) == own]


def _project(heat_client):
    """Return the project of the requests."""
    # heatclient has two HTTP clients: an adapter of keystoneauth, and its own.
    connection = heat_client.http_client
    endpoint = getattr(connection, 'endpoint', None)
    path = parse.urlsplit(endpoint or connection.get_endpoint()).path
    return parse.unquote(path.rstrip('/').rpartition('/')[2])


def run_each(stack_actions, arguments, stderr):
    """Run actions one after the other, and yield each that failed or ended.

    Find all stacks first: if a stack cannot be found, send no request. If a
    stack is named twice, for example by its name and its ID, send one request.
    After Ctrl-C, send no further request.

    :param stack_actions: a list of :class:`StackAction`. Those of a stack that
        is already in the list are removed
    :param arguments: the arguments of the command line
    :param stderr: the file for the events of actions to wait for
    """
    # Which resources stay protected is not known before the end of an unlock.
    is_awaited = arguments.wait or getattr(arguments, 'ignore_failures', False)
    is_stopped = False
    for each in stack_actions:
        if not is_stopped:
            each.find_stack()
            is_stopped = each.is_interrupted
    named = [each.identity or each for each in stack_actions]
    stack_actions[:] = [each for place, each in enumerate(stack_actions)
                        if named.index(named[place]) == place]
    failed = [each for each in stack_actions if each.failure]
    yield from failed
    for each in stack_actions:
        if failed or is_stopped:
            return
        each.run(arguments, stderr if is_awaited else None)
        is_stopped = each.is_interrupted
        yield each


def dry_run(heat_client, chosen, arguments):
    """List the resources that the lock of a stack would protect.

    :param chosen: a :class:`SelectedStack`
    :param arguments: the arguments of the command line, with ``dry_run``
    """
    answer = actions.LOCK.send(managers.LockManager(heat_client),
                               chosen.identity or chosen.name, arguments)
    return answer['lock']['resources']


def not_sent(stack_actions):
    """Name the stacks to which no request was sent.

    :param stack_actions: a list of :class:`StackAction`
    :returns: one line, or None
    """
    left = [each.stack for each in stack_actions
            if not (each.is_sent or each.failure)]
    return ('No request was sent for these stacks: ' + ', '.join(left)
            if left else None)


def summary(done):
    """Name the stacks that are locked, and how to list the locks.

    A lock in progress has an advice of its own.

    :param done: each :class:`StackAction` of a command
    :returns: one line, or None if no stack was locked
    """
    locked = [each for each in done if each.action == 'LOCK'
              and each.known and not each.is_running
              and (each.is_kept or not each.failure)]
    if not locked:
        return None
    count = len(locked)
    names = ', '.join(each.stack for each in locked)
    covered = [each for each in locked if (
        each.shown.get('stack_status') or '').startswith('LOCK_')]
    status = ('' if covered
              else ' The stack status does not show the lock.')
    return (f'Locked: {names} (with all nested stacks).{status} To list the '
            f'{"lock" if count == 1 else "locks"}: {locked[0].hints.locks}')


class StackAction:
    """Run an action on a stack, and record the result.

    ``failure`` is an error message or None. ``shown`` is the stack after the
    action, also after a failure, because a user then needs to know the current
    lock. ``lock_id`` is the ID of the lock that this action created, which
    might no longer be the current lock. ``is_sent`` is whether the request was
    sent, ``is_interrupted`` whether the user pressed Ctrl-C, and ``is_kept``
    whether the action has failed and the stack stays locked.
    """

    def __init__(self, heat_client, chosen, action, hints=OPENSTACK):
        """Create the action of one stack.

        :param chosen: a :class:`SelectedStack`
        :param action: an :class:`actions.Action`
        :param hints: the :class:`Hints` of the client
        """
        self.hints = hints
        self.heat_client = heat_client
        self.manager = managers.LockManager(heat_client)
        self.stack, self.identity = chosen
        self.act = action
        self.action = action.name
        self.failure = None
        self.known = None
        self.lock_id = self.previous_id = None
        self.is_sent = self.is_interrupted = self.is_kept = False
        self.warning = None
        self.shown = {'stack_name': self.stack}

    def find_stack(self):
        """Find the identity of the stack."""
        try:
            self.identity = self._find_identity()
        except error_message.FAILURES as error:
            self._fail(None, error)
        except KeyboardInterrupt:
            self.is_interrupted = True

    def _find_identity(self):
        identity = self.manager.resolve(self.identity or self.stack)
        if identity == self.stack:
            # For a name and ID with a slash between, resolve() sends no
            # request.
            self.heat_client.stacks.get(identity, resolve_outputs=False)
        return identity

    def run(self, arguments, progress_to=None):
        """Send the request, and record errors in ``failure``.

        A second Ctrl-C ends the program.

        :param arguments: the arguments of the command line
        :param progress_to: the file for the events of an action to wait for
        """
        self.is_sent = True
        for step in (functools.partial(self._send, arguments, progress_to),
                     self._read_stack,
                     functools.partial(self._find_warning, arguments)):
            try:
                step()
            except KeyboardInterrupt:
                if self.is_interrupted:
                    raise
                self.is_interrupted = True

    @property
    def is_running(self):
        """Return whether the action is in progress."""
        return (self.shown.get(managers.STATUS)
                == f'{self.action}_IN_PROGRESS')

    @property
    def advice(self):
        """Return how to follow an action in progress, or None."""
        if self.failure:
            return None
        if self._is_not_known:
            known = self.known or (
                f'Heat might have accepted the {self.act.verb}')
            return (f'stack {self.stack}: interrupted. {known}: check with '
                    f'"{self._format_hint(self.hints.show)}"')
        if not self.is_running:
            return None
        return (f'stack {self.stack}: {self.action.lower()} is in progress. '
                f'To follow it: {self._format_hint(self.hints.follow)}'
                f'{"" if self.is_interrupted else _WAIT}')

    def remarks(self):
        """List warnings and hints, one line each."""
        return [line for line in (self.warning, self.advice) if line]

    @property
    def result(self):
        """Return the result in a few words; :attr:`failure` has details."""
        if self.failure:
            return (FAILED if self.known is None or self.is_kept
                    else f'{self.known}, then {FAILED}')
        if self._is_not_known:
            return 'interrupted'
        if self.is_running:
            return 'in progress'
        return _CHANGED if self.previous_id else RESULTS[self.action]

    @property
    def _is_not_known(self):
        return self.is_interrupted and (
            self.known is None or 'stack_status' not in self.shown)

    def _find_warning(self, arguments):
        if self.failure or self.is_running:
            return
        find = None
        if self.action == 'LOCK' and self.shown.get('lock_level') == 'all':
            find = lock_warnings.unprotected_warning
        elif getattr(arguments, 'ignore_failures', False):
            find = lock_warnings.not_released_warning
        self.warning = find and find(
            self.heat_client, self.shown['stack_name'], self.identity)

    def _send(self, arguments, progress_to):
        try:
            self._act(arguments, progress_to)
        except error_message.FAILURES as error:
            self._fail('its progress could not be queried', error)

    def _act(self, arguments, progress_to):
        marker = None if progress_to is None else wait.last_event(
            self.heat_client, self.identity)
        answer = self.act.send(self.manager, self.identity, arguments)
        # Only the response to a lock has a body.
        lock = (answer or {}).get('lock', {})
        self.lock_id, self.previous_id = (
            lock.get('id'), lock.get('previous_id'))
        self.known = f'{self.act.verb} accepted'
        if progress_to is None:
            return
        end = wait.wait_for_end(self.heat_client, self.identity, self.action,
                                marker, progress_to)
        self.known = RESULTS[self.action]
        self._check_status(*end)

    def _fail(self, problem, error):
        """Record an error, with the result that is already known."""
        text = error_message.describe(error)
        self.failure = text if self.known is None else (
            f'{self.known}, but {problem}: {text.rstrip(".")}. Check with '
            f'"{self._format_hint(self.hints.show)}"')

    def _format_hint(self, text):
        return text.format(stack=self.stack, action=self.action)

    def _check_status(self, status, reason):
        if status == f'{self.action}_FAILED' and not self.failure:
            self.is_kept = True
            retry = ('' if self.action == 'UNLOCK'
                     else '. To retry, lock the stack again')
            self.failure = (f'{status}: {(reason or "").rstrip(".")}. The '
                            f'stack stays locked{retry}')

    def _read_stack(self):
        try:
            stack = self.heat_client.stacks.get(
                self.identity, resolve_outputs=False)
        except error_message.FAILURES as error:
            if not self.failure:
                self._fail('the stack could not be read afterwards', error)
            return
        body = stack.to_dict()
        self.shown = {**body, **options.pass_columns(body.get('lock_pass'))}
        if self.action == 'LOCK':
            # A script unlocks with this ID: it must not be of the lock of
            # another user.
            self.shown['lock_id'] = self.lock_id
        self._check_status(body.get(managers.STATUS),
                           body.get(managers.REASON))
        if managers.LOCK_LEVEL not in self.shown:
            self.known = None
            self.failure = self.failure or 'Heat does not report a lock'
            if error_message.MISSING_LOCKS not in self.failure:
                self.failure += f' ({error_message.MISSING_LOCKS})'
