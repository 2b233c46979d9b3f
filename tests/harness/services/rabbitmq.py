# SPDX-License-Identifier: Apache-2.0

"""A RabbitMQ server for tests."""

import os
import socket

from tests.harness import ports
from tests.harness.services import daemon
from tests.harness.services import requirement

_PACKAGE = 'rabbitmq-server'
_PLACES = ('/usr/lib/rabbitmq/bin', '/usr/lib/erlang/bin')
# The start of an AMQP 0-9-1 connection, and of its response.
_HELLO, _METHOD = b'AMQP\x00\x00\x09\x01', b'\x01'
_ANSWER_SECONDS = 10


class RabbitMQ(daemon.Daemon):
    """A private node with its own port mapper.

    :ivar url: for ``transport_url`` in heat.conf.
    """

    user = 'rabbitmq'

    @property
    def url(self):
        return f'rabbit://guest:guest@127.0.0.1:{self.port}/'

    def prepare(self):
        # Debian's wrapper in /usr/sbin requires its own user and files.
        self.program = requirement.find(
            'rabbitmq-server', _PACKAGE, _PLACES[0])
        if os.path.exists(os.path.join(_PLACES[0], 'rabbitmq-server')):
            self.program = os.path.join(_PLACES[0], 'rabbitmq-server')
        self.mapper_port = ports.free_port()
        self.distribution_port = ports.free_port()
        with open(os.path.join(self.directory, 'plugins'), 'w') as target:
            target.write('[].\n')
        self._start_mapper()

    def command(self):
        return [self.program]

    def environment(self):
        return {
            'HOME': self.directory,
            'ERL_EPMD_PORT': str(self.mapper_port),
            'ERL_EPMD_ADDRESS': '127.0.0.1',
            # Several nodes can run on one host at the same time.
            'RABBITMQ_NODENAME': f'heat{self.port}@localhost',
            'RABBITMQ_NODE_IP_ADDRESS': '127.0.0.1',
            'RABBITMQ_NODE_PORT': str(self.port),
            'RABBITMQ_DIST_PORT': str(self.distribution_port),
            'RABBITMQ_MNESIA_BASE': os.path.join(self.directory, 'mnesia'),
            'RABBITMQ_LOG_BASE': os.path.join(self.directory, 'logs'),
            'RABBITMQ_PID_FILE': os.path.join(self.directory, 'pid'),
            'RABBITMQ_CONFIG_FILE': os.path.join(self.directory, 'config'),
            'RABBITMQ_CONF_ENV_FILE': os.path.join(self.directory, 'env'),
            'RABBITMQ_ENABLED_PLUGINS_FILE':
                os.path.join(self.directory, 'plugins'),
            # Otherwise its scheduler threads busy-wait.
            'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS': '+sbwt none +S 2:2',
            'RABBITMQ_LOGS': '-',
        }

    def is_ready(self):
        # Not by rabbitmqctl, which takes a minute where much else runs. It
        # listens when all else has started.
        try:
            with socket.create_connection(('127.0.0.1', self.port),
                                          _ANSWER_SECONDS) as connection:
                connection.sendall(_HELLO)
                return connection.recv(1) == _METHOD
        except OSError:
            return False

    def _start_mapper(self):
        # The node would start a daemon, which would not be stopped.
        program = requirement.find('epmd', 'erlang-base', *_PLACES)
        self.start_helper('epmd', [program, '-port', str(self.mapper_port),
                                   '-address', '127.0.0.1'])
