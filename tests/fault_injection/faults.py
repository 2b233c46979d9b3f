# SPDX-License-Identifier: Apache-2.0

"""What happens to a cloud while people use it, one or several at a time."""

from concurrent import futures
import random
import threading
import time

from tests.harness import waiting

# Longer than engines wait before they take another one for dead.
_HANG_SECONDS = 8
_REST_SECONDS = 6
AWAY_SECONDS = 2
_FULL_SECONDS = 6
# No database starts on a disk that is full, and no engine without a database:
# so these are mended sooner, or later, than others.
_MENDED = {'disk of the database full': 0, 'engine killed': 2,
           'engine hung': 2}
# How many at a time, each as often as it stands here.
_AT_A_TIME = (1, 1, 2, 3)


class Faults:
    """Do one thing after the other to a cloud, and mend it each time.

    :param cloud: a :class:`tests.harness.engines.cloud.Cloud`.
    :param server: that of its database.
    :param seed: of the order.
    :ivar kinds: the names of those that can be done to it.
    :ivar done: the names of those that were done.
    :ivar spans: when each of them began, and when it was mended.
    :ivar most: how many there were at a time.
    :ivar struck: the processes of engines that were killed, or hung.
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
        self.done = []
        self.spans = []
        self.most = 0
        self.struck = set()

    def run(self, seconds, is_whole):
        """Go on for some time; in the end all is mended.

        :param is_whole: whether to go on until each was there.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until or (
                is_whole and self.kinds - set(self.done)):
            self._do(self._random.choice(_AT_A_TIME))
            time.sleep(self._random.uniform(0, _REST_SECONDS))

    def _do(self, count):
        # Not the same one twice at a time.
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
        """Start a database anew that has ended by itself, as its host would.

        One did once among other faults; what it has acknowledged is there.
        """
        process = getattr(self._server, 'process', None)
        if process is not None and not process.is_running():
            self._server.start()
            self.done.append('database ended by itself')

    def _next(self):
        # Each of them comes before any comes again.
        self._coming = self._coming or self._random.sample(
            sorted(self.kinds), len(self.kinds))
        return self._coming.pop()

    # Each yields for how many seconds it is to last, and mends it then.

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

    def _take(self):
        """Return the name of an engine that is well, None without one."""
        if not self._free:
            return None
        name = self._random.choice(sorted(self._free))
        self._free.discard(name)
        self.struck.add(self._cloud.engines[name].pid)
        return name

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
    """Let people work as long as all fails."""
    over = threading.Event()
    with futures.ThreadPoolExecutor(len(users)) as pool:
        working = [pool.submit(each.run, over.is_set) for each in users]
        try:
            # In this thread, which stays: see process.Process.launch.
            injector.run(seconds, is_whole)
        finally:
            over.set()
        for each in working:
            each.result()


def mended(client):
    """Wait until requests are answered again."""
    waiting.until('a list of stacks', lambda: client.get('/stacks'),
                  lambda answer: answer.status_code == 200, 180,
                  tell=lambda answer: answer.text)
