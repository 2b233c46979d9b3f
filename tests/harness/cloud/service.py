# SPDX-License-Identifier: Apache-2.0

"""Base of the services of a cloud."""

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
        """Write the files, create the databases and the processes."""
        for name in self.databases:
            self.host.database.create_database(name)
        self.configure()
        self.make_processes()

    def configure(self):
        """Write the configuration files."""
        raise NotImplementedError

    def synchronize(self):
        """Initialize the databases, at the same time as other services."""
        raise NotImplementedError

    def make_processes(self):
        """Create the processes without starting them."""
        raise NotImplementedError

    def processes(self):
        """List the processes in the order of their start."""
        return [self.api]

    def settle(self):
        """Create the objects that the service needs when it is running."""

    def path(self, *names):
        return self.host.path(self.name, *names)

    def database_section(self, name=None):
        return {'connection': self.host.database.database_url(
            name or self.name)}

    def answers(self):
        """Return whether the API responds with a status below 500."""
        return http_client.answers(self.url)

    def copy(self, *names):
        """Copy a file of the environment to the configuration directory."""
        with open(self.host.installed(*names)) as source:
            text = source.read()
        path = self.path(names[-1])
        with open(path, 'w') as target:
            target.write(text)
        return path
