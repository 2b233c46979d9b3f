# SPDX-License-Identifier: Apache-2.0

"""What the services of a cloud have in common."""

from tests.harness import http_client
from tests.harness import ports

HOST = ports.HOST


class Service:
    """A service: its files, its databases, its processes.

    A subclass names its databases and catalog entries, and says how to
    write its files, fill its databases and make its processes.

    :ivar url: of its API
    :ivar api: the process of the API, which a test may stop and start
    """

    name = None
    databases = ()
    # (type, path) of what stands in the catalog; the path may have a
    # '%(project_id)s'.
    catalog = ()

    def __init__(self, host, identity=None):
        self.host = host
        self.identity = identity
        self.port = ports.free_port()
        self.url = f'http://{HOST}:{self.port}'
        self.api = None

    def prepare(self):
        """Write the files, make the databases, and the processes."""
        for name in self.databases:
            self.host.database.create_database(name)
        self.configure()
        self.make_processes()

    def configure(self):
        """Write the configuration files."""
        raise NotImplementedError

    def synchronize(self):
        """Fill the databases; other services do so at the same time."""
        raise NotImplementedError

    def make_processes(self):
        """Make the processes, and do not start them."""
        raise NotImplementedError

    def processes(self):
        """List the processes in the order to start them."""
        return [self.api]

    def settle(self):
        """Make what the service needs once it runs."""

    def path(self, *names):
        return self.host.path(self.name, *names)

    def database_section(self, name=None):
        return {'connection': self.host.database.database_url(
            name or self.name)}

    def answers(self):
        """Ask the API whether it serves: below 500 is an answer."""
        return http_client.answers(self.url)

    def copy(self, *names):
        """Copy a file of the environment beside the configuration."""
        with open(self.host.installed(*names)) as source:
            text = source.read()
        path = self.path(names[-1])
        with open(path, 'w') as target:
            target.write(text)
        return path
