# SPDX-License-Identifier: Apache-2.0

"""A private Galera cluster: MariaDB servers with write access.

They agree when they commit: of two transactions that changed the same row,
each on its server, one fails then with error 1213, as for a deadlock. A node
that does not see more than half of the others has no quorum, and answers
nearly everything with error 1047.
"""

import contextlib
import os
import re
import shutil

import fixtures
import pymysql

from tests.harness import ports
from tests.harness.services import mariadb
from tests.harness.services import requirement
from tests.harness import waiting

_PROVIDER, _PLACE = 'libgalera_smm.so', '/usr/lib/galera'
_PACKAGE = 'galera-4'
_POSITION = re.compile(r'Recovered position: ([0-9a-f-]+:\d+)')
# A node that hangs is removed after five seconds, the default.
_QUORUM_SECONDS = 60

NO_QUORUM = 1047


class Node(mariadb.MariaDB):
    """One server of the cluster.

    One that was stopped, or killed, fetches what it has missed when it is
    started again.

    :param nodes: those of the cluster that were made before it.
    :param data: a copy of the data of the first of them, made while that was
        stopped; None for the first one.
    :param sync_wait: for what a read waits for what was committed elsewhere,
        ``wsrep_sync_wait``.
    """

    def __init__(self, nodes, data=None, sync_wait=1):
        super().__init__()
        self._nodes = nodes
        self._copy = data
        self._sync_wait = sync_wait
        self._position = []

    def prepare(self):
        self.provider = requirement.find(_PROVIDER, _PACKAGE, _PLACE)
        self.group_port = ports.free_port()
        self._transfer_port = ports.free_port()
        self._snapshot_port = ports.free_port()
        if self._copy is None:
            super().prepare()
        else:
            self.program = self._nodes[0].program
            self.init_file = self._nodes[0].init_file
            self.data = os.path.join(self.directory, 'data')
            # With the state of the cluster, so that no transfer is needed.
            shutil.copytree(self._copy, self.data)
            self._give_all()

    def command(self):
        peers = ','.join(f'127.0.0.1:{node.group_port}' for node
                         in self._others() if node.process.is_running())
        new = [] if peers else ['--wsrep-new-cluster']
        return [*super().command(), '--wsrep-on=ON', *new, *self._position,
                f'--wsrep-provider={self.provider}',
                f'--wsrep-cluster-address=gcomm://{peers}',
                # Where a node that joins is copied to, even if there is
                # nothing to copy; else 4444, for every cluster here.
                f'--wsrep-sst-receive-address=127.0.0.1:{self._snapshot_port}',
                f'--wsrep-node-address=127.0.0.1:{self.group_port}',
                '--wsrep-provider-options='
                f'gmcast.listen_addr=tcp://127.0.0.1:{self.group_port};'
                f'ist.recv_addr=127.0.0.1:{self._transfer_port};'
                'gcache.size=32M',
                f'--wsrep-sync-wait={self._sync_wait}',
                '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2']

    def is_ready(self):
        try:
            if not super().is_ready() or self.state() != 'Synced':
                return False
            # The node may not have noticed yet that it is isolated.
            self.wait_for_others()
        except pymysql.err.OperationalError:
            # The node closes connections while it joins.
            return False
        return True

    def state(self):
        """Return the state of the node, ``Synced`` when it is ready."""
        return self._told('wsrep_local_state_comment')

    def has_quorum(self):
        """Return whether the node has a quorum."""
        return self._told('wsrep_cluster_status') == 'Primary'

    def kill(self):
        """Kill the node, like a power failure of a host."""
        self.process.kill()
        self._position = []

    def restart(self):
        """Start the node after a stop or kill, and wait until it is ready.

        It fetches what was written meanwhile from another node, or all of it
        where it does not know any more how far it had come.
        """
        self._position = self._recover()
        self.start()

    def cut_off(self):
        """Isolate the node from other nodes, but not from clients."""
        self._isolate(1)

    def reconnect(self):
        """Reconnect the node with the others."""
        self._isolate(0)

    def wait_for_others(self):
        """Wait until the node has applied earlier commits of other nodes."""
        with self._connect() as connection:
            with connection.cursor() as cursor:
                cursor.execute('SET SESSION wsrep_sync_wait = 1')
                cursor.execute('SELECT 1')

    @contextlib.contextmanager
    def behind(self):
        """Pause applying and committing on the node, but not reading."""
        with self._connect() as connection:
            with connection.cursor() as cursor:
                cursor.execute('BACKUP STAGE START')
                cursor.execute('BACKUP STAGE BLOCK_COMMIT')
                try:
                    yield
                finally:
                    cursor.execute('BACKUP STAGE END')

    def wait_for_quorum(self, wanted=True):
        """Wait until the node has a quorum, or has lost it."""
        waiting.until_equal(f'a quorum of the node on port {self.port}',
                            wanted, self.has_quorum, _QUORUM_SECONDS)

    def wait_until_synced(self):
        """Wait until the node is ready again."""
        self.process.wait_until_ready()

    def _isolate(self, value):
        self.execute('SET GLOBAL wsrep_provider_options = '
                     f"'gmcast.isolate={value}'")

    def _told(self, name):
        rows = self.execute(f"SHOW STATUS LIKE '{name}'")
        return rows[0][1] if rows else None

    def _recover(self):
        # After a kill, grastate.dat has no position.
        path = os.path.join(self.directory, 'recovered.err')
        self.run_once([*self.command(), '--wsrep-recover',
                       f'--log-error={path}'])
        with open(path, errors='replace') as source:
            matches = _POSITION.findall(source.read())
        return [f'--wsrep-start-position={matches[-1]}']

    def _others(self):
        return [node for node in self._nodes if node is not self]

    def _give_all(self):
        if os.geteuid() == 0:
            for directory, _, names in os.walk(self.data):
                for path in (directory, *(os.path.join(directory, name)
                                          for name in names)):
                    self._give(path)


class Galera(fixtures.Fixture):
    """Several nodes.

    :param count: how many. With two, neither has a quorum without the other.
    :param sync_wait: see :class:`Node`. As Heat's engines expect of each
        other, a read waits for what was committed elsewhere; 0 is the default
        of MariaDB.
    :ivar nodes: :class:`Node`, each a server of the same databases.
    """

    def __init__(self, count=2, sync_wait=1):
        super().__init__()
        self._count = count
        self._sync_wait = sync_wait

    def _setUp(self):
        self.nodes = []
        first = self._add()
        first.stop()
        copy = self.useFixture(fixtures.TempDir()).join('data')
        shutil.copytree(first.data, copy)
        first.start()
        for _ in range(1, self._count):
            self._add(copy)

    def _add(self, data=None):
        node = self.useFixture(Node(self.nodes, data, self._sync_wait))
        self.nodes.append(node)
        return node

    def create_database(self, name):
        """Create a database; returns its URL on the first node."""
        return self.nodes[0].create_database(name)

    def drop_database(self, name):
        """Drop a database."""
        self.nodes[0].drop_database(name)
