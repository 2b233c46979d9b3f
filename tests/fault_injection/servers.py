# SPDX-License-Identifier: Apache-2.0

"""Users who lock servers at level ``all`` while Nova and engines fail.

After LOCK_COMPLETE, each server is locked in Nova's database until an unlock
is sent. After UNLOCK_COMPLETE, no server is locked. Exceptions are requests of
an earlier lock that timed out in Nova: their late effects are reverted. The
effects of server errors and lost responses are checked at the end.
"""

import collections
import json
import time

import requests

from tests.harness import waiting

_SETTLED_SECONDS = 60
_PAUSE = 0.5
_LOOKS = 4
# Also after the database was unavailable.
_LATE_SECONDS = 45
_TRIES = 20


class User:
    """A user with one stack.

    :param client: a :class:`tests.harness.cloud.client.Client`.
    :param path: the path of the stack.
    :param nova: returns the IDs of the locked servers among some IDs.
    :ivar violations: sentences.
    :ivar figures: a counter.
    """

    def __init__(self, client, path, nova):
        self._client = client
        self.path = path
        self._nova = nova
        self.violations = []
        self.figures = collections.Counter()
        self.ids = {each['physical_resource_id']
                    for each in self.servers()}

    def run(self, is_over):
        """Lock and unlock until a function returns True."""
        while not is_over():
            self.lock()
            self.unlock()

    def lock(self):
        """Lock the stack; returns the final lock status."""
        return self._settle('lock', {'level': 'all'})

    def unlock(self):
        """Unlock the stack, and retry after failures."""
        for _ in range(_TRIES):
            if self._settle('unlock', None) == 'UNLOCK_COMPLETE':
                return True
        return False

    def _settle(self, name, fields):
        """Lock or unlock, and check the final status; returns the status."""
        self.figures[name] += 1
        status, text = self._ask('POST', self.path + '/actions',
                                 {name: fields})
        # Also without a response, because the operation may be in progress.
        state = waiting.last(
            self._state, lambda value: value is not None
            and not value.endswith('_IN_PROGRESS'), _SETTLED_SECONDS)
        if status != 200:
            self.figures[f'{name} was answered {status}: {text[:300]}'] += 1
            return state
        self.figures[state] += 1
        if state == 'LOCK_COMPLETE' and name == 'lock':
            self._look(self.ids)
        elif state == 'UNLOCK_COMPLETE' and name == 'unlock':
            waiting.last(lambda: self._nova(self.ids),
                         lambda value: not value, _LATE_SECONDS)
            self._look(set())
        return state

    def _look(self, wanted):
        for _ in range(_LOOKS):
            servers = self._nova(self.ids)
            if servers != wanted:
                self.violations.append(
                    f'{self.path}: Nova has locked {servers}, of {self.ids}, '
                    f'and {wanted} were to be')
                return
            time.sleep(_PAUSE)

    def differing(self):
        """Return the servers whose lock_protection and lock in Nova differ."""
        locked = self._nova(self.ids)
        shown = {each['physical_resource_id']: each['lock_protection']
                 for each in self.servers()}
        sure = {id_ for id_, kind in shown.items() if kind == 'protected'}
        # A server that Nova locked late may be recorded as failed.
        maybe = {id_ for id_, kind in shown.items()
                 if kind in ('protected', 'failed')}
        return (sure - locked) | (locked - maybe)

    def servers(self):
        """Return the bodies of the resources that are servers."""
        listed = self._client.get(
            self.path + '/resources?nested_depth=2').json()['resources']
        return [each for each in listed
                if each['resource_type'] == 'OS::Nova::Server']

    def _state(self):
        status, text = self._ask('GET', self.path + '?resolve_outputs=false')
        return json.loads(text)['stack']['lock_status'] or (
            'UNLOCK_COMPLETE') if status == 200 else None

    def _ask(self, method, path, body=None):
        try:
            answer = self._client.request(method, path, json=body)
        except requests.RequestException as error:
            self.figures['no answer'] += 1
            return 0, str(error)
        return answer.status_code, answer.text
