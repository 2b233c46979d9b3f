# SPDX-License-Identifier: Apache-2.0

"""Sandboxes that begin with the libraries of a Heat already imported.

Two thirds of the start of a sandbox are imports, most of them of libraries
that Heat and its clients use, and the tests start about a hundred. So each
process that runs tests has one that has imported those and forks for each
sandbox. Heat and heat-extras themselves are imported by the sandbox, in the
order in which an engine imports them, for that is what is tested.
"""

import atexit
import contextlib
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time

from heat_extras.sandbox import process

# Those that take longest; what a release of Heat does not use is skipped.
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
    'zunclient.client')

_MOST_BYTES = 1 << 17
# Heat 24 replaces these by green ones, which would run a hub before the fork.
_fork, _read, _waitpid, _write = os.fork, os.read, os.waitpid, os.write


class Process(process.SandboxProcess):
    """A sandbox out of the fork server of this process.

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


class _Forked:
    """What ``subprocess.Popen`` is of a child, for a grandchild.

    :ivar returncode: as there; None while it runs
    """

    def __init__(self, command, errors):
        self.args = command
        self.returncode = None
        out, stdout = os.pipe()
        self._status, status = os.pipe()
        with contextlib.ExitStack() as ours:
            for end in (stdout, status):
                ours.callback(os.close, end)
            _server().request(command, [
                stdout, errors.fileno() if errors else 2, status])
        self.stdout = os.fdopen(out, 'rb', 0)
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
        """Send a signal, but to nobody else who has its number by now."""
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
            found = os.read(self._status, 1)
            if not found:
                raise AssertionError('The fork server of sandboxes ended')
            line += found
        return line


class _Server:
    """The process that forks."""

    def __init__(self):
        self._socket, theirs = socket.socketpair(
            socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # The first test's own modules are not everybody's.
        environment = {name: value for name, value in os.environ.items()
                       if name != 'PYTHONPATH'}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, '-m', __name__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
                env=environment)

    def request(self, command, descriptors):
        message = json.dumps({
            'argv': command[command.index('-m') + 2:], 'cwd': os.getcwd(),
            'environment': dict(os.environ), 'path': _python_path()})
        socket.send_fds(self._socket, [message.encode()], descriptors)

    def end(self):
        """Let it end; the sandboxes that it has made stay."""
        self._socket.close()
        self._process.wait()


_made = []


def _server():
    if not _made:
        _made.append(_Server())
        atexit.register(_made[0].end)
    return _made[0]


def main(number):
    """Fork for each request that comes in by a socket, until it is closed."""
    from heat_extras.sandbox import concurrency
    connection = socket.socket(fileno=number)
    concurrency.prepare()
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    while True:
        message, descriptors, _, _ = socket.recv_fds(
            connection, _MOST_BYTES, 3)
        if not message:
            return
        if not _fork():
            connection.close()
            _keep(json.loads(message), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


def _reap():
    with contextlib.suppress(ChildProcessError):
        while _waitpid(-1, os.WNOHANG)[0]:
            pass


def _keep(request, stdout, stderr, status):
    """Fork the sandbox; write its number, and at its end its exit status."""
    pid = _fork()
    if not pid:
        os.close(status)
        _become(request, stdout, stderr)
    for descriptor in (stdout, stderr):
        os.close(descriptor)
    _write(status, b'%d\n' % pid)
    code = os.waitstatus_to_exitcode(_waitpid(pid, 0)[1])
    with contextlib.suppress(BrokenPipeError):
        _write(status, b'%d\n' % code)
    os._exit(0)


def _become(request, stdout, stderr):
    for descriptor, number in ((stdout, 1), (stderr, 2)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request['environment'])
    os.chdir(request['cwd'])
    sys.path[:0] = request['path']
    sys.argv[1:] = request['argv']
    try:
        status = _run(request['argv'])
    except SystemExit as end:
        status = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


def _run(argv):
    from heat_extras.cmd import sandbox
    from heat_extras.sandbox import concurrency
    # It has been prepared, which oslo.service takes only once.
    concurrency.prepare = time.time
    return sandbox.main(argv)


if __name__ == '__main__':
    main(int(sys.argv[1]))
