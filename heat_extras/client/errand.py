# SPDX-License-Identifier: Apache-2.0

"""One lock or unlock of one stack, from the request to its result."""

from heatclient import exc
from keystoneauth1 import exceptions as keystone_exceptions

from heat_extras.client import locks
from heat_extras.client import messages
from heat_extras.client import progress

# What ends the work on one stack but not on those after it.
FAILURES = (exc.BaseException, keystone_exceptions.ClientException)

RESULTS = {'LOCK': 'locked', 'UNLOCK': 'unlocked'}


class Errand:
    """Do something with a stack and remember what became of it.

    ``failure`` is None or what went wrong, ``shown`` the stack as it is
    afterwards, also after a failure: who holds the lock is what one wants to
    know then.
    """

    def __init__(self, heat_client, stack, action):
        """Prepare.

        :param stack: name or ID
        :param action: 'LOCK' or 'UNLOCK'
        """
        self.heat_client = heat_client
        self.manager = locks.LockManager(heat_client)
        self.stack = stack
        self.action = action
        self.identity = None
        self.failure = None
        self.shown = {'stack_name': stack}

    def run(self, act, progress_to=None):
        """Do it; errors of client and server end up in ``failure``.

        :param act: takes the lock manager and the stack's identity
        :param progress_to: file for the events if the end is to be awaited
        """
        try:
            self.identity = self.manager.resolve(self.stack)
            self._act(act, progress_to)
        except FAILURES as error:
            self.failure = messages.describe(error)
        self._look()

    @property
    def is_running(self):
        """Return whether the server is still at it."""
        return self.shown.get('stack_status') == f'{self.action}_IN_PROGRESS'

    @property
    def result(self):
        """Say in one line what became of it."""
        if self.failure:
            return self.failure
        return 'in progress' if self.is_running else RESULTS[self.action]

    def _act(self, act, progress_to):
        if progress_to is None:
            act(self.manager, self.identity)
            return
        marker = progress.last_event(self.heat_client, self.identity)
        act(self.manager, self.identity)
        self._judge(*progress.Wait(self.heat_client, self.identity,
                                   self.action, marker, progress_to).run())

    def _judge(self, status, reason):
        if status == f'{self.action}_FAILED' and not self.failure:
            self.failure = f'{status}: {reason}'

    def _look(self):
        if self.identity is None:
            return
        try:
            stack = self.heat_client.stacks.get(
                self.identity, resolve_outputs=False)
        except FAILURES as error:
            # Done is done, even if a policy hides the stack from those who
            # may lock it.
            if not self.failure:
                self.shown['stack_status'] = messages.describe(error)
            return
        self.shown = stack.to_dict()
        self._judge(stack.stack_status,
                    self.shown.get('stack_status_reason'))
