# SPDX-License-Identifier: Apache-2.0

"""What happens to a cloud while people use it."""

import random
import time

import pymysql

from tests.rigs import waiting

# Longer than engines wait before they take another one for dead.
_HANG_SECONDS = 8
_REST_SECONDS = 6
_AWAY_SECONDS = 2


class Faults:
    """Do one thing after the other to a cloud, and mend it each time.

    :param cloud: a :class:`tests.rigs.engines.cloud.Cloud` on MariaDB.
    :param server: its :class:`tests.rigs.services.mariadb.MariaDB`.
    :param seed: of the order.
    :ivar done: the names of those that were done.
    :ivar spans: when each of them began, and when it was mended.
    """

    def __init__(self, cloud, server, seed):
        self._cloud = cloud
        self._server = server
        self._random = random.Random(seed)
        self.done = []
        self.spans = []

    def run(self, seconds):
        """Go on for some time; in the end all is mended."""
        until = time.monotonic() + seconds
        waiting_for = []
        while time.monotonic() < until:
            # Each of them comes before any comes again.
            waiting_for = waiting_for or self._random.sample(
                list(self.KINDS), len(self.KINDS))
            name = waiting_for.pop()
            began = time.monotonic()
            self.KINDS[name](self)
            self.done.append(name)
            self.spans.append((began, time.monotonic()))
            time.sleep(self._random.uniform(0, _REST_SECONDS))

    def _any(self):
        return self._cloud.engines[self._random.choice(
            sorted(self._cloud.engines))]

    def _kill(self):
        name = self._any().name
        self._cloud.engines[name].kill()
        time.sleep(self._random.uniform(0, _AWAY_SECONDS))
        self._cloud.start_engine(name)

    def _hang(self):
        engine = self._any()
        engine.pause()
        time.sleep(_HANG_SECONDS)
        engine.go_on()

    def _restart_broker(self):
        self._cloud.broker.stop()
        time.sleep(self._random.uniform(0, _AWAY_SECONDS))
        self._cloud.broker.start()

    def _cut_connections(self):
        for number, *_ in self._server.execute(
                "SELECT id FROM information_schema.processlist WHERE db LIKE "
                "'test\\_%'"):
            try:
                self._server.execute(f'KILL CONNECTION {number}')
            except pymysql.err.MySQLError:
                # It was over, or it is the one that asks.
                continue

    def _restart_database(self):
        self._server.stop()
        time.sleep(self._random.uniform(0, _AWAY_SECONDS))
        self._server.start()

    KINDS = {
        'engine killed': _kill, 'engine hung': _hang,
        'broker restarted': _restart_broker,
        'connections cut': _cut_connections,
        'database restarted': _restart_database}


def mended(client):
    """Wait until requests are answered again."""
    waiting.until('a list of stacks', lambda: client.get('/stacks'),
                  lambda answer: answer.status_code == 200, 180,
                  tell=lambda answer: answer.text)
