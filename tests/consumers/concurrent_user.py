# SPDX-License-Identifier: Apache-2.0

"""Another user, who locks and unlocks the stacks of a project at random."""

import collections
import concurrent.futures
import random
import threading

import requests

from tests.harness import waiting

# Seconds without and with a lock: most operations encounter both.
_FREE, _HELD = (0.2, 1.5), (0.2, 1.0)
# Older stacks are mostly not in use any more.
_NEWEST = '/stacks?sort_keys=created_at&sort_dir=desc&limit=3'
_LOCK = {'level': 'stacks', 'reason': 'db move'}
_GONE_SECONDS = 120
# Errors of Heat about stacks that are busy or do not exist.
_REFUSED = (404, 409)


class ConcurrentUser:
    """Lock one stack after another for a short time, while in the context.

    :param client: the client of a user who may lock
    :param seed: of the order
    :ivar answers: how often which action was answered with which status
    :ivar violations: sentences about answers that nobody should get
    """

    def __init__(self, client, seed):
        self._client = client
        self._random = random.Random(seed)
        self._over = threading.Event()
        self._pool = concurrent.futures.ThreadPoolExecutor(1)
        self.answers = collections.Counter()
        self.violations = []

    def __enter__(self):
        self._running = self._pool.submit(self._go_on)
        return self

    def __exit__(self, *error):
        self._over.set()
        self._pool.shutdown()
        self._running.result()

    def clear(self):
        """Unlock and delete the existing stacks.

        One after the other: Heat may answer 500 to a second deletion of a
        stack that is about to be gone, as that by a remote stack's resource.

        :returns: sentences about stacks that would not go.
        """
        for path in self._paths('/stacks'):
            self._act(path, 'unlock')
            self._answer('delete', lambda path=path: self._client.delete(path))
            waiting.last(lambda: self._paths('/stacks'),
                         lambda paths, path=path: path not in paths,
                         _GONE_SECONDS)
        return [f'{stack["stack_name"]} stays: {stack["stack_status"]} '
                f'({stack["stack_status_reason"]})'
                for stack in self._client.get('/stacks').json()['stacks']]

    def _go_on(self):
        while not self._over.wait(self._random.uniform(*_FREE)):
            paths = self._paths(_NEWEST)
            if paths:
                self._disturb(self._random.choice(paths))

    def _disturb(self, path):
        if self._act(path, 'lock', _LOCK) != 200:
            return
        self._over.wait(self._random.uniform(*_HELD))
        status = self._act(path, 'unlock')
        if status != 200:
            self.violations.append(f'unlock of {path} was answered {status}')

    def _act(self, path, name, fields=None):
        return self._answer(name, lambda: self._client.post(
            f'{path}/actions', {name: fields}))

    def _answer(self, name, send):
        try:
            answer = send()
        except requests.RequestException as error:
            self.violations.append(f'{name} was not answered: {error}')
            return None
        self.answers[f'{name} {answer.status_code}'] += 1
        if answer.status_code >= 400 and answer.status_code not in _REFUSED:
            self.violations.append(
                f'{name} was answered {answer.status_code}: {answer.text}')
        return answer.status_code

    def _paths(self, url):
        return [f'/stacks/{stack["stack_name"]}/{stack["id"]}' for stack in
                self._client.get(url).json()['stacks']]
