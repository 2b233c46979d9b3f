# SPDX-License-Identifier: Apache-2.0

"""Who locks servers at level ``all`` while Nova and engines fail.

What a lock says that is complete is so in Nova's own database: every server is
locked, from then on until an unlock is sent; and when an unlock says so none
is, but for calls of the lock before that Nova held for so long that they were
given up: what they do late is brought back. What an answer of 500 or none at
all left behind is seen in the end.
"""

import collections
import json
import time

import requests

from tests.harness import waiting

_SETTLED_SECONDS = 60
_PAUSE = 0.5
_LOOKS = 4
# Also after the database was away.
_LATE_SECONDS = 45
_TRIES = 20


class User:
    """One of them, with one stack.

    :param client: a :class:`tests.harness.cloud.client.Client`.
    :param path: of the stack.
    :param nova: returns the ids of those of some servers that are locked.
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
        """Lock and unlock until a function says that it is over."""
        while not is_over():
            self.lock()
            self.unlock()

    def lock(self):
        """Lock the stack; returns what that comes to."""
        return self._settle('lock', {'level': 'all'})

    def unlock(self):
        """Unlock it, however often that takes."""
        for _ in range(_TRIES):
            if self._settle('unlock', None) == 'UNLOCK_COMPLETE':
                return True
        return False

    def _settle(self, name, fields):
        """Send one of them, and judge what it comes to; returns that."""
        self.figures[name] += 1
        status, text = self._ask('POST', self.path + '/actions',
                                 {name: fields})
        # After no answer, too, for it may be at work.
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
        """Return what the ledger says and Nova does not, and the reverse."""
        locked = self._nova(self.ids)
        shown = {each['physical_resource_id']: each['lock_protection']
                 for each in self.servers()}
        sure = {id_ for id_, kind in shown.items() if kind == 'protected'}
        # What came into force late is known all the same.
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
