# SPDX-License-Identifier: Apache-2.0

"""Ports of the loopback interface."""

import fcntl
import os
import socket
import tempfile

HOST = '127.0.0.1'
_FIRST = 12000
_AT_LEAST = 10000
# Linux assigns the ports of this range to clients.
_RANGE_OF_CLIENTS = '/proc/sys/net/ipv4/ip_local_port_range'
# Defined at import, because tests may set a temporary directory.
_NEXT = os.path.join(tempfile.gettempdir(),
                     f'heat-extras-next-port-{os.getuid()}')


def free_port():
    """Find a port on which no process listens.

    A service may start minutes after this call. Until then no client gets
    the port, and no other test process of this user.
    """
    for _ in range(_end() - _FIRST):
        port = _next_port()
        with socket.socket() as listener:
            try:
                listener.bind((HOST, port))
            except OSError:
                continue
        return port
    raise OSError(f'Every port from {_FIRST} to {_end() - 1} is in use.')


def is_listening(port):
    """Return whether a process accepts connections to a port."""
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0


def _next_port():
    """Take the next number from a file that all test processes share."""
    with open(_NEXT, 'a+') as shared:
        fcntl.flock(shared, fcntl.LOCK_EX)
        shared.seek(0)
        port = int(shared.read() or _FIRST)
        if port >= _end():
            port = _FIRST
        shared.truncate(0)
        shared.write(str(port + 1))
    return port


def _end():
    with open(_RANGE_OF_CLIENTS) as source:
        return max(int(source.read().split()[0]), _FIRST + _AT_LEAST)
