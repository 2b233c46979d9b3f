# SPDX-License-Identifier: Apache-2.0

"""Stop an engine in the middle of a transaction, by a lock of a row."""

import contextlib
import os

import sqlalchemy

from tests.harness import waiting

_WAITING = {
    'postgresql': (
        'SELECT client_port FROM pg_stat_activity WHERE '
        "datname = current_database() AND wait_event_type = 'Lock'"),
    'mysql': (
        'SELECT p.HOST FROM information_schema.INNODB_TRX t '
        'JOIN information_schema.PROCESSLIST p '
        "ON p.ID = t.trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT'"),
}


@contextlib.contextmanager
def held(cloud, statement, **values):
    """Hold what a statement locks, until the end of the block."""
    with cloud.connect() as connection:
        with contextlib.closing(connection.begin()) as transaction:
            connection.execute(sqlalchemy.text(statement), values)
            yield
            transaction.rollback()


def wait_for_victim(cloud):
    """Wait until an engine waits for a row.

    :returns: the :class:`tests.harness.engines.engine.Engine`
    """
    return waiting.until('an engine to wait for a row', lambda: next(
        (engine for port in _waiting_ports(cloud)
         for engine in cloud.engines.values()
         if engine.pid in _groups_with_port(port)), None))


def wait_until_nobody_waits(cloud):
    """Wait until the database has noticed that its client is dead."""
    waiting.until_equal('the ports of who waits for a row', [],
                        lambda: _waiting_ports(cloud))


def _waiting_ports(cloud):
    with cloud.connect() as connection:
        ports = connection.scalars(sqlalchemy.text(
            _WAITING[connection.dialect.name])).all()
    # MariaDB says HOST:PORT.
    return [int(str(host).rpartition(':')[2]) for host in ports]


def _groups_with_port(port):
    """Find the process groups that have a local TCP port."""
    with open('/proc/net/tcp') as source:
        rows = [line.split() for line in source.readlines()[1:]]
    sockets = {f'socket:[{row[9]}]' for row in rows
               if int(row[1].rpartition(':')[2], 16) == port}
    groups = set()
    for process in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError):
            place = f'/proc/{process}/fd'
            if any(os.readlink(f'{place}/{number}') in sockets
                   for number in os.listdir(place)):
                groups.add(os.getpgid(int(process)))
    return groups
