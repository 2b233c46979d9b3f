# SPDX-License-Identifier: Apache-2.0

"""Ports of the loopback interface."""

import socket

HOST = '127.0.0.1'
_given = set()


def free_port():
    """Find a port that nothing listens on; each is given once."""
    while True:
        with socket.socket() as listener:
            listener.bind((HOST, 0))
            port = listener.getsockname()[1]
        if port not in _given:
            _given.add(port)
            return port


def is_listening(port):
    """Return whether something takes connections to a port."""
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0
