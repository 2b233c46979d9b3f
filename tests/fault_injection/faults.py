# SPDX-License-Identifier: Apache-2.0

"""Faults that are injected into a cloud, one or several at a time."""

from concurrent import futures
import contextlib
import random
import threading
import time

from tests.fault_injection import hold_period
from tests.harness import waiting

# Longer than engines wait before another engine is considered down.
_HANG_SECONDS = 8
_REST_SECONDS = 6
AWAY_SECONDS = 2
_FULL_SECONDS = 6
# The order of repairs: no database starts on a full disk, and no engine starts
# without a database.
_MENDED = {'disk of the database full': 0, 'engine killed': 2,
           'engine hung': 2}
# Numbers of simultaneous faults, each as likely as it is listed here.
_AT_A_TIME = (1, 1, 2, 3)


class Faults:
    """Inject one fault after another into a cloud, and repair each.

    :param cloud: a :class:`tests.harness.engines.cloud.Cloud`.
    :param server: the server of its database.
    :param seed: the seed of the order.
    :ivar kinds: the names of possible faults.
    :ivar done: the names of injected faults.
    :ivar spans: the start of each fault, and the time of its repair.
    :ivar most: the highest number of simultaneous faults.
    :ivar struck: the processes of engines that were killed or hung.
    """

    def __init__(self, cloud, server, seed):
        self._cloud = cloud
        self._server = server
        self._random = random.Random(seed)
        self.kinds = {
            name for name, kind in self.KINDS.items()
            if kind is not Faults._fill_disk or hasattr(server, 'fill')}
        self._coming = []
        self._free = set(cloud.engines)
        self._taking = threading.Lock()
        self.done = []
        self.spans = []
        self.most = 0
        self.struck = set()

    def run(self, seconds, is_whole):
        """Inject faults for some time, and finally repair all of them.

        :param is_whole: whether to continue until each fault was injected.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until or (
                is_whole and self.kinds - set(self.done)):
            self._do(self._random.choice(_AT_A_TIME))
            time.sleep(self._random.uniform(0, _REST_SECONDS))

    def _do(self, count):
        # Do not inject the same fault twice at the same time.
        names = list(dict.fromkeys(self._next() for _ in range(count)))
        began = time.monotonic()
        under_way = [self.KINDS[name](self) for name in names]
        ends = sorted((_MENDED.get(name, 1), began + next(fault), number)
                      for number, (name, fault)
                      in enumerate(zip(names, under_way, strict=True)))
        for _, end, number in ends:
            time.sleep(max(0, end - time.monotonic()))
            if 'database restarted' not in names:
                self._revive_database()
            next(under_way[number], None)
        self._revive_database()
        self.most = max(self.most, len(names))
        self.done += names
        self.spans.append((began, time.monotonic()))

    def _revive_database(self):
        """Restart a database that has stopped by itself, as its host would.

        This happened once with other faults; no committed data was lost.
        """
        process = getattr(self._server, 'process', None)
        if process is not None and not process.is_running():
            self._server.start()
            self.done.append('database ended by itself')

    def _next(self):
        # Each fault is injected before any fault is repeated.
        self._coming = self._coming or self._random.sample(
            sorted(self.kinds), len(self.kinds))
        return self._coming.pop()

    # Each method yields the duration of the fault in seconds, then repairs it.

    def _kill(self):
        name = self._take()
        if name is None:
            yield 0
            return
        self._cloud.engines[name].kill()
        yield self._random.uniform(0, AWAY_SECONDS)
        self._cloud.restart_engine(name)
        self._free.add(name)

    def _hang(self):
        name = self._take()
        if name is None:
            yield 0
            return
        self._cloud.engines[name].pause()
        yield _HANG_SECONDS
        self._cloud.engines[name].go_on()
        self._free.add(name)

    def _take(self, names=None):
        """Return the name of an engine without a fault, or None.

        :param names: the names of allowed engines, or None for all.
        """
        with self._taking:
            free = self._free.intersection(
                self._free if names is None else names)
            if not free:
                return None
            name = self._random.choice(sorted(free))
            self._free.discard(name)
        self.struck.add(self._cloud.engines[name].pid)
        return name

    @contextlib.contextmanager
    def stopped_engine(self, engine_id):
        """Let an engine hang until the end of the block.

        :returns: whether it hangs, so False if it has another fault.
        """
        name = self._take(hold_period.unless_away(
            lambda: [name for name in self._cloud.engines
                     if self._cloud.engine_id(name) == engine_id]) or ())
        if name is None:
            yield False
            return
        self._cloud.engines[name].pause()
        try:
            yield True
        finally:
            self._cloud.engines[name].go_on()
            self._free.add(name)

    def _restart_broker(self):
        self._cloud.broker.stop()
        yield self._random.uniform(0, AWAY_SECONDS)
        self._cloud.broker.start()

    def _cut_connections(self):
        if self._server.is_ready():
            self._server.cut_connections()
        yield 0

    def _restart_database(self):
        self._server.stop()
        yield self._random.uniform(0, AWAY_SECONDS)
        self._server.start()

    def _fill_disk(self):
        self._server.fill()
        yield _FULL_SECONDS
        self._server.free()

    KINDS = {
        'engine killed': _kill, 'engine hung': _hang,
        'broker restarted': _restart_broker,
        'connections cut': _cut_connections,
        'database restarted': _restart_database,
        'disk of the database full': _fill_disk}


def inject(injector, seconds, users, is_whole=True):
    """Let users work while faults are injected."""
    over = threading.Event()
    with futures.ThreadPoolExecutor(len(users)) as pool:
        working = [pool.submit(each.run, over.is_set) for each in users]
        try:
            # In this thread, which does not end: see process.Process.launch.
            injector.run(seconds, is_whole)
        finally:
            over.set()
        for each in working:
            each.result()


def mended(client):
    """Wait until requests succeed again."""
    waiting.until('a list of stacks', lambda: client.get('/stacks'),
                  lambda answer: answer.status_code == 200, 180,
                  tell=lambda answer: answer.text)
