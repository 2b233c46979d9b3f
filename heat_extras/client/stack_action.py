# SPDX-License-Identifier: Apache-2.0

"""The stacks that a command is about, and what is done with each of them.

Stacks are named, or found by their tags.
"""

import typing
from urllib import parse

from heatclient import exc
from keystoneauth1 import exceptions as keystone_exceptions

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client import options
from heat_extras.client import unprotected_warning
from heat_extras.client import wait

# What ends the work on one stack but not on those after it.
FAILURES = (exc.BaseException, keystone_exceptions.ClientException)

# The error itself is told apart from the rows, once.
FAILED = 'failed'
_CHANGED = 'lock changed'
RESULTS = {'LOCK': 'locked', 'UNLOCK': 'unlocked',
           'EXTEND_LOCK': 'expiration changed',
           'LOCK_PASS': 'pass granted', 'REVOKE_LOCK_PASS': 'pass revoked',
           'PROTECT': 'protected', 'UNPROTECT': 'unprotected'}


class NoChoice(exc.BaseException):
    """There is no stack to do anything with."""


class Choice(typing.NamedTuple):
    """A stack that was named, or found.

    :ivar name: as it was typed, or as the server shows it.
    :ivar identity: name and ID with a slash between; None if it is still to
        be looked up.
    """

    name: str
    identity: str | None = None


class Hints(typing.NamedTuple):
    """What to type next, in the words of a client.

    :param follow: to follow a lock or unlock that is in progress.
    :param show: to see the stack.
    :param locks: to see the locks.
    :param wait: how to wait the next time.
    """

    follow: str
    show: str
    locks: str
    wait: str = ''


OPENSTACK = Hints(
    'openstack stack event list --follow {stack}',
    'openstack stack show {stack}', 'openstack stack lock list',
    '; the next time, --wait waits for its end')


def select(heat_client, arguments):
    """List the stacks that the command line selects.

    :param arguments: those of the command line, with ``stack`` and ``tag``,
        and with ``usage_error``, which ends the program
    :returns: a list of :class:`Choice`
    :raises NoChoice: when there is none
    """
    if not (arguments.stack or arguments.tag):
        arguments.usage_error('no stack was named: give the name or ID of '
                              'each <stack>, or --tag <tag>')
    if isinstance(getattr(arguments, 'lock_id', None), str) and (
            arguments.tag or len(arguments.stack) > 1):
        raise NoChoice('--lock-id is not valid with several stacks or a tag: '
                       'a lock belongs to one stack')
    if not arguments.tag:
        return [Choice(name) for name in arguments.stack]
    tags = ','.join(arguments.tag)
    if not all(each.strip() for each in tags.split(',')):
        # Without one, Heat would list all stacks that there are.
        raise NoChoice(f'--tag {tags!r} is not valid: a tag must not be empty')
    found = _tagged(heat_client, tags)
    if not found:
        raise NoChoice(
            f'no stack in this project has the tag {tags}. To list stacks by '
            f'tag: openstack stack list --hidden --tags {tags}')
    return found


def _tagged(heat_client, tags):
    own = _project(heat_client)
    # Who names a tag means each stack that has it. An administrator is shown
    # those of all projects (heat.db.api._query_stack_get_all), and meant none
    # of the others.
    listed = [stack.to_dict() for stack in heat_client.stacks.list(
        tags=tags, show_hidden=True)]
    return [Choice(each['stack_name'], f'{each["stack_name"]}/{each["id"]}')
            for each in listed if each.get('project', own) == own]


def _project(heat_client):
    """Return the project that the requests are about."""
    # heatclient has two: an adapter of keystoneauth, and one of its own.
    connection = heat_client.http_client
    endpoint = getattr(connection, 'endpoint', None)
    path = parse.urlsplit(endpoint or connection.get_endpoint()).path
    return parse.unquote(path.rstrip('/').rpartition('/')[2])


def summary(done):
    """Say what is locked now, and how to see it.

    :param done: each :class:`StackAction` of a command
    :returns: one line, or None when no stack has been locked
    """
    locked = [each for each in done if each.action == 'LOCK'
              and not each.failure]
    if not locked:
        return None
    count = len(locked)
    names = ', '.join(each.stack for each in locked)
    covered = [each for each in locked if (
        each.shown.get('stack_status') or '').startswith('LOCK_')]
    status = ('' if covered else ' The stack status stays as it is.')
    return (f'Locked with all nested stacks: {names}.{status} To see the '
            f'{"lock" if count == 1 else "locks"}: {locked[0].hints.locks}')


class StackAction:
    """Do something with a stack and remember what became of it.

    ``failure`` is None or what went wrong, ``shown`` the stack as it is
    afterwards, also after a failure: who holds the lock is what one wants to
    know then. ``lock_id`` is the ID of the lock that was made here, which
    need not be the current one. ``is_interrupted`` is whether the user has
    stopped the wait with Ctrl-C.
    """

    def __init__(self, heat_client, chosen, action, hints=OPENSTACK):
        """Prepare.

        :param chosen: a :class:`Choice`
        :param action: an :class:`actions.Action`
        :param hints: those of the client that is at work
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
        self.is_interrupted = False
        self.shown = {'stack_name': self.stack}

    def run(self, arguments, progress_to=None):
        """Do it; errors of client and server end up in ``failure``.

        :param arguments: those of the command line
        :param progress_to: file for the events if the end is to be awaited
        """
        try:
            self.identity = self.manager.resolve(self.identity or self.stack)
            self._act(arguments, progress_to)
        except FAILURES as error:
            self._fail('its end could not be awaited', error)
        self._look()
        if self.action == 'LOCK':
            # A script unlocks with this ID: it must not be of the lock of
            # another user.
            self.shown['lock_id'] = self.lock_id

    @property
    def is_running(self):
        """Return whether the server is still at it."""
        return (self.shown.get(managers.STATUS)
                == f'{self.action}_IN_PROGRESS')

    @property
    def advice(self):
        """Say how to follow what is in progress, or None."""
        if self.failure or not self.is_running:
            return None
        return (f'stack {self.stack}: {self.action.lower()} is in progress. '
                f'To follow it: {self._hint(self.hints.follow)}'
                f'{"" if self.is_interrupted else self.hints.wait}')

    def remarks(self):
        """List what else is to be said of it, a line each."""
        return [line for line in (self._warning(), self.advice) if line]

    @property
    def result(self):
        """Return the result in a few words; :attr:`failure` has details."""
        if self.failure:
            return (FAILED if self.known is None
                    else f'{self.known}, then {FAILED}')
        if self.is_running:
            return 'in progress'
        return _CHANGED if self.previous_id else RESULTS[self.action]

    def _warning(self):
        if (self.failure or self.is_running or self.action != 'LOCK'
                or self.shown.get('lock_level') != 'all'):
            return None
        return unprotected_warning.warning(
            self.heat_client, self.shown['stack_name'], self.identity)

    def _act(self, arguments, progress_to):
        marker = None if progress_to is None else wait.last_event(
            self.heat_client, self.identity)
        answer = self.act.send(self.manager, self.identity, arguments)
        # Only a lock has an answer.
        made = (answer or {}).get('lock', {})
        self.lock_id, self.previous_id = (
            made.get('id'), made.get('previous_id'))
        self.known = f'{self.act.verb} accepted'
        if progress_to is None:
            return
        try:
            end = wait.until_ended(self.heat_client, self.identity,
                                   self.action, marker, progress_to)
        except KeyboardInterrupt:
            self.is_interrupted = True
            return
        self.known = RESULTS[self.action]
        self._judge(*end)

    def _fail(self, what, error):
        """Remember an error, and what is known in spite of it."""
        said = error_message.describe(error)
        self.failure = said if self.known is None else (
            f'{self.known}, but {what}: {said.rstrip(".")}. Look with '
            f'"{self._hint(self.hints.show)}"')

    def _hint(self, text):
        return text.format(stack=self.stack, action=self.action)

    def _judge(self, status, reason):
        if status == f'{self.action}_FAILED' and not self.failure:
            self.failure, self.known = f'{status}: {reason}', None

    def _look(self):
        if self.identity is None:
            return
        try:
            stack = self.heat_client.stacks.get(
                self.identity, resolve_outputs=False)
        except FAILURES as error:
            if not self.failure:
                self._fail('the stack could not be read afterwards', error)
            return
        told = stack.to_dict()
        self.shown = {**told, **options.pass_columns(told.get('lock_pass'))}
        self._judge(told.get(managers.STATUS), told.get(managers.REASON))
        if managers.WITNESS not in self.shown:
            self.known = None
            self.failure = self.failure or 'the stack shows no lock'
            if error_message.MISSING_LOCKS not in self.failure:
                self.failure += f' ({error_message.MISSING_LOCKS})'
