# SPDX-License-Identifier: Apache-2.0

"""A private cluster of Galera: two MariaDB servers that both write.

They agree when they commit: of two transactions that changed the same row,
each on its server, one fails then with error 1213, as for a deadlock.
"""

import os
import shutil

import fixtures
import pymysql

from tests.rigs import ports
from tests.rigs.services import mariadb
from tests.rigs.services import requirement

_PROVIDER, _PLACE = 'libgalera_smm.so', '/usr/lib/galera'
_PACKAGE = 'galera-4'


class Node(mariadb.MariaDB):
    """One server of the cluster.

    :param first: the node to join; None for the first one.
    :param data: a copy of the data of a node, made while it was stopped.
    """

    def __init__(self, first=None, data=None):
        super().__init__()
        self._first = first
        self._copy = data

    def prepare(self):
        self.provider = requirement.find(_PROVIDER, _PACKAGE, _PLACE)
        self.group_port = ports.free_port()
        self._transfer_port = ports.free_port()
        self._snapshot_port = ports.free_port()
        if self._first is None:
            super().prepare()
        else:
            self.program = self._first.program
            self.init_file = self._first.init_file
            self.data = os.path.join(self.directory, 'data')
            # With the state of the cluster: there is nothing to transfer.
            shutil.copytree(self._copy, self.data)
            self._give_all()

    def command(self):
        new, peer = ['--wsrep-new-cluster'], ''
        if self._first is not None:
            new, peer = [], f'127.0.0.1:{self._first.group_port}'
        return [*super().command(), '--wsrep-on=ON', *new,
                f'--wsrep-provider={self.provider}',
                f'--wsrep-cluster-address=gcomm://{peer}',
                # Where a node that joins is copied to, even if there is
                # nothing to copy; else 4444, for every cluster here.
                f'--wsrep-sst-receive-address=127.0.0.1:{self._snapshot_port}',
                f'--wsrep-node-address=127.0.0.1:{self.group_port}',
                '--wsrep-provider-options='
                f'gmcast.listen_addr=tcp://127.0.0.1:{self.group_port};'
                f'ist.recv_addr=127.0.0.1:{self._transfer_port};'
                'gcache.size=32M',
                # A read waits for what was committed elsewhere, as Heat's
                # engines expect of each other.
                '--wsrep-sync-wait=1',
                '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2']

    def is_ready(self):
        try:
            return super().is_ready() and self.state() == 'Synced'
        except pymysql.err.OperationalError:
            # It drops its clients while it joins.
            return False

    def state(self):
        """Return what the node says of itself, ``Synced`` when it serves."""
        rows = self.execute("SHOW STATUS LIKE 'wsrep_local_state_comment'")
        return rows[0][1] if rows else None

    def _give_all(self):
        if os.geteuid() == 0:
            for directory, _, names in os.walk(self.data):
                for path in (directory, *(os.path.join(directory, name)
                                          for name in names)):
                    self._give(path)


class Galera(fixtures.Fixture):
    """Two nodes.

    :ivar nodes: :class:`Node`, each a server of the same databases.
    """

    def _setUp(self):
        first = self.useFixture(Node())
        first.stop()
        copy = self.useFixture(fixtures.TempDir()).join('data')
        shutil.copytree(first.data, copy)
        first.start()
        self.nodes = [first, self.useFixture(Node(first, copy))]

    def create_database(self, name):
        """Make a database; returns its URL on the first node."""
        return self.nodes[0].create_database(name)

    def drop_database(self, name):
        """Drop a database."""
        self.nodes[0].drop_database(name)
