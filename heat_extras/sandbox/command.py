# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-sandbox serve``: start and stop a sandbox."""

import gc
import os
import shlex
import signal
import sqlite3
import sys
import time
import traceback

from oslo_log import log as logging
from sqlalchemy import exc

from heat_extras import operator_errors
from heat_extras.sandbox import clients
from heat_extras.sandbox import heat_process
from heat_extras.sandbox import short_sleeps
from heat_extras.sandbox import state_directory
from heat_extras.sandbox import tokens

LOG = logging.getLogger(__name__)

_NOTICE = """\
heat-extras-sandbox: listens only on {host} and DOES NOT AUTHENTICATE: a \
token like alice:member is accepted.
heat-extras-sandbox: state and log are in {state_dir}
"""
_USAGE = """\
heat-extras-sandbox: to use this Heat, run in another terminal:

  {set_path}
  export OS_AUTH_TYPE=none
  export OS_ENDPOINT={url}

  openstack stack create --wait -t {template} web
  openstack stack lock --wait --reason "db move" web
  openstack stack delete --yes web    # is rejected
  openstack stack unlock web

"""
_TEMPLATE = os.path.join(os.path.dirname(__file__), 'templates', 'web.yaml')


class Failed(Exception):
    """The sandbox cannot run, for the reason in the message."""


class _StopRequest:
    """Record that SIGTERM, SIGINT or SIGHUP was received.

    The handler only sets an attribute. With eventlet it runs in the current
    green thread, where an exception or a lock could disturb other code.
    """

    def __init__(self):
        self.is_received = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._record)
        # The terminal was closed. Keep the setting of nohup, which ignores
        # the signal.
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self._record)

    def _record(self, number, frame):
        self.is_received = True


def serve(port, state_dir, config_files, features, hurry):
    """Run a sandbox until it receives a signal, and end the process.

    The exit status is 0 after a stop without errors.

    :param config_files: paths of extra configuration files
    :param hurry: the number by which Heat's pauses are divided
    """
    status = 1
    # If a signal is received during the start, stop after the start.
    stop = _StopRequest()
    try:
        with state_directory.hold_directory(state_dir) as directory:
            _serve(stop, port, directory, config_files, features.strip(),
                   hurry)
        status = 0
    # If a guard cannot be applied, heat-engine raises SystemExit.
    except (Failed, state_directory.NotUsable, OSError, SystemExit) as error:
        for line in _error_lines(error):
            print('heat-extras-sandbox: %s' % line, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    _exit(status)


def _error_lines(error):
    # One line for each problem of the configuration.
    cause = error.__cause__
    if not isinstance(cause, operator_errors.ActivationError):
        return [str(error)]
    head = str(error).removesuffix(' '.join(str(cause).split()))
    return [f'{head}{" ".join(str(text).split())}' for text in cause.args]


def _serve(stop, port, directory, config_files, features, hurry):
    web_server = _bind(port)
    port = web_server.server_port
    sys.stderr.write(
        _NOTICE.format(host=heat_process.HOST, state_dir=directory))
    heat_process.configure([
        state_directory.write_files(directory, port, features),
        *config_files])
    _prepare_database(directory, features)
    short_sleeps.wait_for_messages()
    engine = heat_process.start_engine()
    try:
        short_sleeps.divide_sleeps(hurry)
        heat_process.start_api(web_server)
        gc.freeze()
        gc.enable()
        _print_ready(port)
        while not stop.is_received:
            time.sleep(0.1)
        LOG.info('A signal was received, stopping')
    finally:
        # The API runs until the end of the process, because it is the
        # engine's Keystone.
        heat_process.stop_engine(engine)


def _bind(port):
    try:
        return heat_process.Server(port)
    except OSError as error:
        raise Failed('Port %d on %s is in use or cannot be used (%s). Stop '
                     'the process that listens on this port, or give another '
                     '--port (0 for any free port)'
                     % (port, heat_process.HOST, error.strerror)) from error


def _prepare_database(directory, features):
    try:
        heat_process.prepare_database(features)
    except (exc.DBAPIError, sqlite3.Error) as error:
        raise Failed('The database in %s cannot be used: %s' % (
            directory, getattr(error, 'orig', error))) from error


def _print_ready(port):
    url = 'http://%s:%d/v1/%s' % (
        heat_process.HOST, port, tokens.DEFAULT_PROJECT)
    sys.stderr.write(_USAGE.format(
        set_path=clients.SET_PATH, url=url, template=shlex.quote(_TEMPLATE)))
    sys.stderr.flush()
    # Programs wait for this line on standard output. Heat is now ready.
    print('ready: ' + url, flush=True)


def _exit(status):
    """End the process immediately, without a wait for its threads.

    Python would wait for the threads of the executors of oslo.messaging and of
    Heat. The threads of Heat 24 would never end.
    """
    logging.logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
