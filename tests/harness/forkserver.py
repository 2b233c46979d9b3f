# SPDX-License-Identifier: Apache-2.0

"""Sandboxes and commands that start with imported libraries.

Imports take two thirds of the start of a sandbox, and nearly all of the time
of a command. Most of these imports are libraries of Heat and its clients. The
tests start about a hundred sandboxes and a hundred commands. Therefore, each
test process has a fork server for sandboxes and another one for commands,
which have imported the libraries. The fork server has also imported the
modules of Heat that a sandbox imports before it reads its configuration. The
rest of Heat and heat-extras is imported after the fork, in the order in which
an engine or a command imports it, because this order is tested.
:class:`Programs` provides the same commands to shells and scripts.
"""

import atexit
import contextlib
import gc
import importlib
from importlib import metadata
import json
import os
import pathlib
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time

import fixtures

from heat_extras.sandbox import process

SANDBOXES, COMMANDS = 'sandboxes', 'commands'

# The slowest imports. Modules that a release of Heat lacks are skipped.
LIBRARIES = (
    'alembic', 'barbicanclient', 'cinderclient.client', 'croniter',
    'glanceclient', 'ironicclient.client', 'keystoneauth1.identity',
    'keystoneclient.v3', 'lxml.etree', 'magnumclient.v1.client',
    'manilaclient', 'mistralclient.api.client', 'neutron_lib.api.validators',
    'neutron_lib.api.definitions', 'neutronclient.v2_0.client',
    'novaclient.client', 'octaviaclient.api', 'openstack.connection',
    'oslo_cache', 'oslo_db.sqlalchemy.enginefacade', 'oslo_messaging',
    'oslo_middleware', 'oslo_policy.policy', 'oslo_service.service',
    'oslo_versionedobjects.base', 'osprofiler.opts', 'paste.deploy',
    'routes', 'sqlalchemy.dialects.sqlite', 'swiftclient', 'tenacity',
    'troveclient.client', 'yaql', 'zaqarclient.queues.v2.client',
    'zunclient.client',
    # The first module that a sandbox itself imports.
    'heat_extras.sandbox.command')

# What commands spend their time on, and the entry points by which the
# openstack client finds its plugins. Not oslo.service, which takes the way of
# running threads for chosen when it is imported, nor who imports that.
OF_COMMANDS = ('alembic', 'cliff.app', 'heatclient.shell',
               'heatclient.v1.client', 'openstackclient.shell',
               'oslo_db.sqlalchemy.enginefacade',
               'oslo_upgradecheck.upgradecheck', 'sqlalchemy.dialects.sqlite')
PLUGINS = ('openstack.cli.base', 'openstack.cli.extension')
# Commands that behave the same when they are forked.
PROGRAMS = ('heat', 'heat-extras', 'heat-extras-manage', 'heat-extras-status',
            'heat-manage', 'openstack')
# Environment variables that Python reads before it runs anything.
_OF_PYTHON = ('LANG', 'LC_ALL', 'PYTHONIOENCODING', 'PYTHONPATH',
              'PYTHONUTF8')

_ROOT = pathlib.Path(__file__).parents[2]
_MOST_BYTES = 1 << 17
_OBJECTS_BEFORE_GC = 20000
# Heat 24 replaces these with green versions, which run a hub before the fork.
_fork, _read, _waitpid, _write = os.fork, os.read, os.waitpid, os.write


class Process(process.SandboxProcess):
    """A sandbox that the fork server of this process has forked.

    Where Python itself is to be changed at its start it is a process like
    any other.
    """

    def _spawn(self, command):
        if _has_site_customization():
            return super()._spawn(command)
        return _Forked(command, self._errors)


def _has_site_customization():
    return any(os.path.exists(os.path.join(path, 'sitecustomize.py'))
               for path in _python_path())


def _python_path():
    return list(filter(None, os.environ.get('PYTHONPATH', '').split(
        os.pathsep)))


def run(words, environment, directory, seconds):
    """Run a command like ``subprocess.run``.

    :param environment: all of it; None for that of this process
    :returns: a ``subprocess.CompletedProcess`` with texts, or None where only
        a process of its own is the same
    :raises subprocess.TimeoutExpired: with what it wrote, after its end
    """
    environment = dict(os.environ if environment is None else environment)
    if not _can_fork(words, environment):
        return None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = _Child(_server(COMMANDS), words, out.fileno(),
                       errors.fileno(), {
                           'argv': words, 'path': [],
                           'cwd': directory or os.getcwd(),
                           'environment': environment})
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired as error:
            child.kill()
            child.wait(seconds)
            error.stdout, error.stderr = _content(out), _content(errors)
            raise
        return subprocess.CompletedProcess(
            words, child.returncode, _content(out).decode(),
            _content(errors).decode())


def _can_fork(words, environment):
    place, name = os.path.split(words[0])
    return (name in PROGRAMS and place == os.path.dirname(sys.executable)
            and not _has_site_customization()
            and all(environment.get(name) == os.environ.get(name)
                    for name in _OF_PYTHON))


def _content(target):
    target.seek(0)
    return target.read()


class _Child:
    """The same as ``subprocess.Popen``, for a grandchild process.

    :param stdout: a descriptor, as is *stderr*
    :ivar returncode: as there; None while it runs
    """

    def __init__(self, server, args, stdout, stderr, request):
        self.args = args
        self.returncode = None
        self._status, status = os.pipe()
        try:
            server.request(request, [stdout, stderr, status])
        finally:
            os.close(status)
        self.pid = int(self._status_line(None))

    def poll(self):
        """Return the exit status, None while it runs."""
        return self._look(0)

    def wait(self, timeout=None):
        """Return the exit status.

        :raises subprocess.TimeoutExpired: if it still runs
        """
        if self._look(timeout) is None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.returncode

    def send_signal(self, number):
        """Send a signal, but not to another process with the same ID."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self):
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout):
        if self.returncode is None:
            line = self._status_line(timeout)
            if line is not None:
                self.returncode = int(line)
                os.close(self._status)
        return self.returncode

    def _status_line(self, timeout):
        if not select.select([self._status], [], [], timeout)[0]:
            return None
        line = b''
        while not line.endswith(b'\n'):
            byte = os.read(self._status, 1)
            if not byte:
                raise AssertionError('The fork server ended')
            line += byte
        return line


class _Forked(_Child):
    """A sandbox."""

    def __init__(self, command, errors):
        out, stdout = os.pipe()
        try:
            super().__init__(
                _server(SANDBOXES), command, stdout,
                errors.fileno() if errors else 2, {
                    'argv': command[command.index('-m') + 2:],
                    'cwd': os.getcwd(), 'path': _python_path(),
                    'environment': dict(os.environ)})
        finally:
            os.close(stdout)
        self.stdout = os.fdopen(out, 'rb', 0)


class _Server:
    """The process that forks.

    :param kind: ``SANDBOXES`` or ``COMMANDS``
    """

    def __init__(self, kind):
        self._socket, child_socket = socket.socketpair(
            socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Do not use the modules of the first test for all processes.
        environment = {name: value for name, value in os.environ.items()
                       if name != 'PYTHONPATH'}
        with child_socket:
            self._process = subprocess.Popen(
                [sys.executable, '-m', __name__, str(child_socket.fileno()),
                 kind],
                stdin=subprocess.DEVNULL, pass_fds=[child_socket.fileno()],
                env=environment)

    def request(self, request, descriptors):
        """Request a fork.

        :param request: argv, cwd, environment, and what is to be put before
            sys.path
        :param descriptors: for stdout, for stderr, and for the status
        """
        socket.send_fds(self._socket, [json.dumps(request).encode()],
                        descriptors)

    def end(self):
        """End the fork server; forked processes continue."""
        self._socket.close()
        self._process.wait()


class Programs(fixtures.Fixture):
    """A directory of commands that are forked, for the front of a PATH.

    For a shell, or for who runs them by their name; they read nothing.

    :param environment: that of all that are run, what Python looks at of it
    """

    _CALLER = textwrap.dedent("""\
        #!{python} -IS
        import json, os, socket, sys
        own, status = os.pipe()
        server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        server.connect({place!r})
        socket.send_fds(server, [json.dumps({{
            'argv': [{program!r}, *sys.argv[1:]], 'cwd': os.getcwd(),
            'path': [], 'environment': dict(os.environ)}}).encode()],
            [1, 2, status])
        os.close(status)
        with open(own) as told:
            sys.exit(int(told.read().split()[1]) & 0xff)
        """)

    def __init__(self, environment):
        super().__init__()
        self._environment = environment

    def _setUp(self):
        self.path = self.useFixture(fixtures.TempDir()).path
        place = os.path.join(self.path, 'requests')
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
            server.bind(place)
            server.listen()
            self._serve(server)
        for name in PROGRAMS:
            self._make(place, name)

    def _serve(self, server):
        started = subprocess.Popen(
            [sys.executable, '-m', __name__, str(server.fileno()), COMMANDS],
            stdin=subprocess.DEVNULL, pass_fds=[server.fileno()],
            env=self._environment, cwd=_ROOT)
        self.addCleanup(started.wait)
        self.addCleanup(started.terminate)

    def _make(self, place, name):
        caller = pathlib.Path(self.path, name)
        caller.write_text(self._CALLER.format(
            python=sys.executable, place=place,
            program=os.path.join(os.path.dirname(sys.executable), name)))
        caller.chmod(0o755)


_made: dict[str, _Server] = {}


def _server(kind):
    if kind not in _made:
        _made[kind] = _Server(kind)
        atexit.register(_made[kind].end)
    return _made[kind]


def main(number, kind):
    """Fork for each request that comes in by a socket, until it is closed.

    :param number: of the descriptor of one that is connected, or listens
    """
    connection = socket.socket(fileno=number)
    if kind == SANDBOXES:
        from heat_extras.sandbox import interpreter
        interpreter.prepare()
    for name in LIBRARIES if kind == SANDBOXES else _of_commands():
        # Plugins of Heat may fail.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    _collect_less()
    for message, descriptors in _requests(connection):
        if not _fork():
            connection.close()
            _keep(_RUN[kind], json.loads(message), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


def _requests(connection):
    if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        while True:
            with connection.accept()[0] as caller:
                yield _request(caller)
    while (request := _request(connection))[0]:
        yield request


def _request(connection):
    return socket.recv_fds(connection, _MOST_BYTES, 3)[:2]


def _collect_less():
    # What is imported stays, and a tenth of what a sandbox works would be
    # to look through it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_GC)


def _of_commands():
    # cliff.app.App reads its name when it is imported.
    sys.argv[:] = ['openstack']
    plugins = {entry.module for group in PLUGINS
               for entry in metadata.entry_points(group=group)
               if not entry.module.startswith('heat_extras')}
    return (*OF_COMMANDS, *sorted(plugins))


def _reap():
    with contextlib.suppress(ChildProcessError):
        while _waitpid(-1, os.WNOHANG)[0]:
            pass


def _keep(run, request, stdout, stderr, status):
    """Fork a process; write its process ID, and finally its exit status."""
    pid = _fork()
    if not pid:
        os.close(status)
        _become(run, request, stdout, stderr)
    for descriptor in (stdout, stderr):
        os.close(descriptor)
    _write(status, b'%d\n' % pid)
    code = os.waitstatus_to_exitcode(_waitpid(pid, 0)[1])
    with contextlib.suppress(BrokenPipeError):
        _write(status, b'%d\n' % code)
    os._exit(0)


def _become(run, request, stdout, stderr):
    for descriptor, number in ((stdout, 1), (stderr, 2)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request['environment'])
    os.chdir(request['cwd'])
    sys.path[:0] = request['path']
    try:
        status = run(request['argv'])
    except SystemExit as end:
        status = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    if not isinstance(status, (int, type(None))):
        print(status, file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit((status or 0) & 0xff)


def _run_sandbox(argv):
    from heat_extras.cmd import sandbox
    from heat_extras.sandbox import interpreter
    # It has been prepared, which oslo.service takes only once.
    interpreter.prepare = time.time
    sys.argv[1:] = argv
    return sandbox.main(argv)


def _run_command(argv):
    sys.argv[:] = argv
    runpy.run_path(argv[0], run_name='__main__')


_RUN = {SANDBOXES: _run_sandbox, COMMANDS: _run_command}


if __name__ == '__main__':
    main(int(sys.argv[1]), sys.argv[2])
