# SPDX-License-Identifier: Apache-2.0

"""What functional tests share: a running sandbox and its clients."""

import atexit
import collections
import os
import subprocess
import sys

import fixtures
import requests
import testtools
from testtools import content

from heat_extras.sandbox import clients
from heat_extras.sandbox import config
from heat_extras.sandbox import process
from tests.rigs import forkserver
from tests.rigs import waiting

# So many times shorter are the pauses of Heat's own: a stack of ten resources
# takes half a second in place of ten.
HURRY = 20
CLIENT_SECONDS = 300
STACK_SECONDS = 300
RESOURCE_SECONDS = 120


class Sandbox(fixtures.Fixture):
    """A sandbox that runs as long as the fixture is used.

    :param options: further arguments of ``heat-extras-sandbox serve``
    :param settings: text of an extra configuration file
    :ivar url: of the API, up to the project
    """

    def __init__(self, options=(), settings=None):
        super().__init__()
        self._options = ['--hurry', str(HURRY), *options]
        self._settings = settings
        self._process = None

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.state_dir = os.path.join(self.directory, 'state')
        self.log_path = os.path.join(self.state_dir, config.LOG_FILE)
        self.error_path = os.path.join(self.directory, 'errors')
        if self._settings is not None:
            path = os.path.join(self.directory, 'extra.conf')
            with open(path, 'w') as target:
                target.write(self._settings)
            self._options += ['--config-file', path]
        self.addDetail('sandbox errors', file_content(self.error_path))
        self.addDetail('heat.log', file_content(self.log_path))
        self.addCleanup(self.kill)
        self.start()

    @property
    def url(self):
        return self._process.url

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        """Start it; the port is another one every time."""
        with open(self.error_path, 'a') as errors:
            self._process = forkserver.Process(
                self.state_dir, self._options, errors)
            try:
                self._process.start()
            except process.NotReady as error:
                # Details of a fixture are lost in setUpClass.
                raise AssertionError('%s\n%s' % (
                    error, _last_lines(self.error_path))) from error

    def stop(self):
        """Ask it to stop and return its exit status."""
        return self._process.stop()

    def kill(self):
        """End it like a crash."""
        if self._process is not None:
            self._process.kill()

    def restart(self):
        """Stop it and start it again on the same stacks."""
        self.stop()
        self.start()

    def client(self, user='alice', *roles):
        """Make a client for a user; without roles a member."""
        return Client(self.url, user, *roles)


class Client:
    """HTTP with a token of the sandbox, and commands with the same."""

    def __init__(self, url, user='alice', *roles):
        self.url = url
        self.token = ':'.join([user, ','.join(roles or ('member',))])

    def request(self, method, path, **keywords):
        """Send a request.

        :param path: after the project, like ``/stacks``, or a whole URL
        :returns: the response of requests, whatever its status
        """
        url = path if path.startswith('http') else self.url + path
        return requests.request(
            method, url, headers={'X-Auth-Token': self.token}, timeout=120,
            **keywords)

    def get(self, path, **keywords):
        return self.request('GET', path, **keywords)

    def post(self, path, body=None, **keywords):
        return self.request('POST', path, json=body, **keywords)

    def put(self, path, body=None, **keywords):
        return self.request('PUT', path, json=body, **keywords)

    def patch(self, path, body=None, **keywords):
        return self.request('PATCH', path, json=body, **keywords)

    def delete(self, path, **keywords):
        return self.request('DELETE', path, **keywords)

    def create_stack(self, name, template, wait=True, **body):
        """Create a stack.

        :param template: as a dict
        :param wait: until it is CREATE_COMPLETE, else an error
        :param body: more of the request, like ``files`` or ``parameters``
        :returns: path of the stack, ``/stacks/NAME/ID``
        """
        answer = self.post('/stacks', dict(
            body, stack_name=name, template=template))
        if answer.status_code != 201:
            raise AssertionError('Creating stack %s gave %d: %s' % (
                name, answer.status_code, answer.text))
        if wait:
            self.wait_for_stack(name, ['CREATE_COMPLETE'])
        return '/stacks/%s/%s' % (name, answer.json()['stack']['id'])

    def show_stack(self, name):
        """Return the body of a stack, by its name or path."""
        path = name if name.startswith('/') else '/stacks/' + name
        answer = self.get(path)
        if answer.status_code != 200:
            raise AssertionError('Showing stack %s gave %d: %s' % (
                name, answer.status_code, answer.text))
        return answer.json()['stack']

    def wait_for_stack(self, name, statuses, seconds=STACK_SECONDS,
                       failed=None):
        """Wait until the stack shows one of some statuses.

        :param name: name or path; a path also finds a deleted stack
        :param failed: a status from before, which shows until the stack's
            thread begins
        :returns: the body of the stack
        :raises AssertionError: if it fails, or does not get there in time
        """
        def is_over(status):
            return status in statuses or (
                status.endswith('_FAILED') and status != failed)

        stack = self._until(name, is_over, statuses, seconds)
        if stack['stack_status'] not in statuses:
            raise AssertionError(
                f'Stack {name} is {_told(stack)}, wanted one of '
                f'{", ".join(statuses)}')
        return stack

    def wait_for_status(self, name, *statuses):
        """Wait for a status, whatever the stack shows until then."""
        return self._until(name, lambda status: status in statuses, statuses)

    def wait_for_end(self, name):
        """Wait until nothing is in progress; return the stack's body."""
        return self._until(name, lambda status: not status.endswith(
            '_IN_PROGRESS'), ['at rest'])

    def wait_for_resource(self, path, name, status):
        """Wait until a resource of a stack shows a status.

        :param path: of the stack; it need not have the resource yet.
        """
        def shown():
            answer = self.get(f'{path}/resources/{name}')
            return answer.json().get('resource', {}).get('resource_status')

        waiting.until_equal(f'resource {name} of {path}', status, shown,
                            RESOURCE_SECONDS)

    def _until(self, name, is_right, wanted, seconds=STACK_SECONDS):
        return waiting.until(
            f'stack {name} to be {" or ".join(wanted)}',
            lambda: self.show_stack(name),
            lambda stack: is_right(stack['stack_status']), seconds, _told)

    def openstack(self, *arguments, token=None):
        """Run the real openstack client.

        :param token: another than this client's
        :returns: the completed process, whatever its status
        """
        return _run(
            [clients.find('openstack', 'python-openstackclient'),
             *arguments],
            clients.openstack_environment(self.url, token or self.token))

    def heat(self, *arguments, token=None, command='heat'):
        """Run the real heat shell, or ``heat-extras`` in its place."""
        return _run(
            [clients.find(command, 'python-heatclient'),
             *clients.heat_arguments(self.url, token or self.token),
             *arguments], dict(os.environ))


class InProject:
    """A sandbox as seen from one of its projects.

    :ivar url: of the API, up to the project
    """

    def __init__(self, sandbox, project):
        self._sandbox = sandbox
        self._project = project

    def __getattr__(self, name):
        return getattr(self._sandbox, name)

    @property
    def url(self):
        return self._sandbox.url.rpartition('/')[0] + '/' + self._project

    def client(self, user='alice', *roles):
        """Make a client for a user; without roles a member."""
        return Client(self.url, user, *roles)


class TestCase(testtools.TestCase):
    """Test case with a sandbox for the tests of a class.

    Starting one takes seconds, so the next classes that want the same get
    it, too, each in a project of its own.

    :cvar options: and ``settings``: those of :class:`Sandbox`
    :cvar is_shared: False for classes that leave other traces in a sandbox
        than stacks, or start it in another way
    """

    options = ()
    settings = None
    is_shared = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.is_shared:
            cls.sandbox = InProject(_shared(tuple(cls.options), cls.settings),
                                    cls.__name__.lower())
            return
        cls.sandbox = Sandbox(cls.options, cls.settings)
        cls.sandbox.setUp()
        cls.addClassCleanup(cls.sandbox.cleanUp)

    def setUp(self):
        super().setUp()
        self.addDetail('heat.log', file_content(self.sandbox.log_path))
        self.client = self.sandbox.client()


# The sandboxes that run for this process, the one used last at the end.
_running = collections.OrderedDict()
_MOST = 2


def _shared(*arguments):
    # What a class has put into the environment is for its sandbox alone.
    wanted = (arguments, tuple(sorted(
        (name, value) for name, value in os.environ.items()
        if name == 'PYTHONPATH' or name.startswith('HEAT_EXTRAS_'))))
    if wanted not in _running:
        while len(_running) >= _MOST:
            _, oldest = _running.popitem(last=False)
            oldest.cleanUp()
        sandbox = Sandbox(*arguments)
        sandbox.setUp()
        _running[wanted] = sandbox
    _running.move_to_end(wanted)
    return _running[wanted]


@atexit.register
def _end_shared():
    while _running:
        _running.popitem()[1].cleanUp()


def file_content(path):
    """Offer a file as a detail of a test, read only if the test fails.

    It begins where the file ends now.
    """
    start = os.path.getsize(path) if os.path.exists(path) else 0

    def read():
        if not os.path.exists(path):
            return [b'(there is no such file)']
        with open(path, 'rb') as source:
            source.seek(start)
            return [source.read()]
    return content.Content(content.text_content('').content_type, read)


def _told(stack):
    return f'{stack["stack_status"]} ({stack["stack_status_reason"]})'


def _last_lines(path, count=20):
    with open(path) as source:
        return ''.join(source.readlines()[-count:])


def _run(command, environment):
    """Run a command with what it writes to stdout and stderr kept apart."""
    return subprocess.run(
        command, env=environment, text=True, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=CLIENT_SECONDS,
        cwd=os.path.dirname(sys.executable))
