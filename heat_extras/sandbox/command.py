# SPDX-License-Identifier: Apache-2.0

"""What ``heat-extras-sandbox serve`` does, from start to stop."""

import contextlib
import gc
import http.client
import os
import shlex
import signal
import sqlite3
import sys
import time
import traceback

from oslo_log import log as logging
from sqlalchemy import exc

from heat_extras.cli import progress_line
from heat_extras.sandbox import clients
from heat_extras.sandbox import heat_process
from heat_extras.sandbox import liveness
from heat_extras.sandbox import short_sleeps
from heat_extras.sandbox import state_directory
from heat_extras.sandbox import tokens

LOG = logging.getLogger(__name__)

_NOTICE = """\
heat-extras-sandbox: listens on {host} only and AUTHENTICATES NOBODY: a \
token like alice:member is believed.
heat-extras-sandbox: state and log are in {state_dir}
"""
_USAGE = """\
heat-extras-sandbox: in another terminal:

  {set_path}
  export OS_AUTH_TYPE=none
  export OS_ENDPOINT={url}

  openstack stack create --wait -t {template} web
  openstack stack lock --wait --reason "db move" web
  openstack stack delete --yes web    # is refused
  openstack stack unlock web

"""
# The demo shows what follows the first colon.
_STARTING = 'heat-extras-sandbox: Starting Heat: %s'
_STOPPING = 'heat-extras-sandbox: Stopping Heat'
_TEMPLATE = os.path.join(os.path.dirname(__file__), 'templates', 'web.yaml')


class Failed(Exception):
    """The sandbox can't run; the message says why."""


class _Stopped(Exception):
    """A signal asked to stop before the sandbox was ready."""


class _StopRequest:
    """Remember that SIGTERM, SIGINT or SIGHUP came, or the parent ended.

    A plain attribute: under eventlet a signal handler runs inside whatever
    green thread is current, where raising or locking would hit a stranger.
    """

    def __init__(self, parent):
        self._parent = parent
        self._came = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)
        # The terminal was closed; nohup says that this is no reason.
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self._note)

    def _note(self, number, frame):
        self._came = True

    @property
    def came(self):
        return self._came or self._parent not in (None, os.getppid())

    def wait(self):
        while not self.came:
            time.sleep(0.1)

    def check(self):
        if self.came:
            raise _Stopped


def run(port, state_dir, config_files, features, hurry=1, parent=None):
    """Serve until a signal asks to stop.

    :param config_files: paths of extra configuration files
    :param hurry: how many times shorter than Heat's its pauses are
    :param parent: number of a process after which it stops, too
    :returns: does not return: ends the process, 0 after a clean stop
    """
    status = 1
    stop = _StopRequest(parent)
    try:
        with state_directory.hold(state_dir) as directory:
            _serve(stop, port, directory, config_files, features.strip(),
                   hurry)
        status = 0
    except _Stopped:
        status = 0
    # A guard that can't be applied ends heat-engine by SystemExit.
    except (Failed, state_directory.NotUsable, OSError, SystemExit) as error:
        print('heat-extras-sandbox: %s' % error, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    _exit(status)


def _serve(stop, port, directory, config_files, features, hurry):
    web_server = _bound(port)
    port = web_server.server_port
    sys.stderr.write(
        _NOTICE.format(host=heat_process.HOST, state_dir=directory))
    with contextlib.ExitStack() as started:
        with progress_line.ProgressLine(
                _STARTING % 'creating the database') as line:
            heat_process.configure([
                state_directory.write_files(directory, port, features),
                *config_files])
            started.enter_context(contextlib.closing(
                _prepared_database(directory, features)))
            stop.check()
            line.text = _STARTING % 'starting the engine'
            engine = heat_process.start_engine()
            # The API goes with the process, for it is the engine's Keystone.
            started.callback(heat_process.stop_engine, engine)
            short_sleeps.divide(hurry)
            stop.check()
            line.text = _STARTING % 'starting the API'
            heat_process.start_api(web_server)
            _wait_for_answer(port)
        stop.check()
        gc.freeze()
        gc.enable()
        _announce(port)
        stop.wait()
        LOG.info('Asked to stop')
        with progress_line.ProgressLine(_STOPPING, delay=1):
            started.close()


def _bound(port):
    try:
        return heat_process.Server(port)
    except OSError as error:
        raise Failed('Port %d on %s is not free (%s): stop what listens '
                     'there or give another --port, 0 for any'
                     % (port, heat_process.HOST, error.strerror)) from error


def _prepared_database(directory, features):
    try:
        return heat_process.prepare_database(directory, features)
    except (exc.DBAPIError, sqlite3.Error) as error:
        raise Failed('The database in %s can not be used: %s' % (
            directory, getattr(error, 'orig', error))) from error


def _announce(port):
    url = 'http://%s:%d/v1/%s' % (
        heat_process.HOST, port, tokens.DEFAULT_PROJECT)
    sys.stderr.write(_USAGE.format(
        set_path=clients.SET_PATH, url=url, template=shlex.quote(_TEMPLATE)))
    sys.stderr.flush()
    # Standard output is for programs, which may look at the rest by now.
    print('ready: ' + url, flush=True)


def _wait_for_answer(port):
    """List the stacks over HTTP: that takes API, engine and database."""
    connection = http.client.HTTPConnection(
        heat_process.HOST, port, timeout=liveness.LIMIT_SECONDS)
    try:
        connection.request('GET', '/v1/%s/stacks' % tokens.DEFAULT_PROJECT)
        answer = connection.getresponse()
        body = answer.read().decode('utf-8', 'replace')
    finally:
        connection.close()
    if answer.status != 200:
        raise Failed('Heat does not answer as it should: a list of stacks '
                     'gave status %d: %s' % (answer.status, body[:500]))


def _exit(status):
    """End the process at once, whatever threads are left.

    The executors of oslo.messaging and of Heat have threads that Python
    would wait for, and Heat 24's would not even wake up.
    """
    logging.logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
