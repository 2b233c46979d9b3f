# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-sandbox demo``: show the features with the real client."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

from heat_extras.sandbox import clients
from heat_extras.sandbox import demo_steps
from heat_extras.sandbox import process

TEMPLATES = os.path.join(os.path.dirname(__file__), 'templates')
# The timeout for a command of the client, and for a step that waits.
STEP_SECONDS = 900
# Shorten Heat's pauses, so that a user does not wait for them.
_HURRY = '10'
_SETTINGS_FILE = 'demo.conf'
# The exit status that shells use for a program that SIGINT ended.
_INTERRUPTED = 130

_SETTINGS = """\
[heat_extras]
limits_file = {templates}/limits.yaml
freezes_file = {templates}/freezes.yaml
"""

_INTRODUCTION = """\
A Heat with heat-extras runs at {url}
The commands below run in a shell with these settings:

  {set_path}
  cd {templates}
  export OS_AUTH_TYPE=admin_token OS_TOKEN=alice:member
  export OS_ENDPOINT={url} CLIFF_MAX_TERM_WIDTH={width}
"""

_READ_NEXT = """\
All {steps} steps had the expected result, in {seconds} seconds. The pages in
doc/source to read next:

"""

_CONTINUE = """
The demo has kept its stacks. To start their Heat again:

  {set_path}
  heat-extras-sandbox serve --state-dir {state_dir} \\
      --config-file {settings}

In another terminal, continue as alice:member, or set OS_TOKEN to another user
(ops:admin or eve:reader):

  {set_path}
  export OS_AUTH_TYPE=admin_token OS_TOKEN=alice:member
  export OS_ENDPOINT=http://127.0.0.1:8004/v1/demo
  openstack stack list

To remove the stacks: rm -r {state_dir}
"""


class Terminal:
    """A shell for the commands of the demo.

    :param client: path of the openstack client.
    :param sandbox: a :class:`heat_extras.sandbox.process.SandboxProcess`
        that is ready.
    :param directory: with a copy of the templates.
    """

    def __init__(self, client, sandbox, directory):
        self._client = client
        self._sandbox = sandbox
        self.url = sandbox.url
        self.directory = directory
        self._environment = {
            **clients.openstack_environment(self.url, 'alice:member'),
            'CLIFF_MAX_TERM_WIDTH': str(_width())}

    def run(self, step):
        """Run the command of a step once.

        :returns: its exit status, and its output.
        :raises process.NotReady: if Heat has ended, or the client is stuck
        """
        environment = dict(self._environment)
        if step.project:
            environment['OS_ENDPOINT'] = '/'.join(
                (self.url.rpartition('/')[0], step.project))
        if step.token:
            environment['OS_TOKEN'] = step.token
        program = (self._client if step.program == 'openstack'
                   else step.program)
        try:
            done = subprocess.run(
                [program, *step.command], cwd=self.directory, env=environment,
                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=STEP_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise self._sandbox.failure(str(error)) from error
        if self._sandbox.status is not None:
            raise self._sandbox.failure('The sandbox ended with status %d'
                                        % self._sandbox.status)
        return done.returncode, done.stdout


@contextlib.contextmanager
def start_terminal(errors, state_dir):
    """Start a sandbox for the demo.

    :param errors: an open file for its standard error.
    :param state_dir: the directory for its stacks and for the demo's settings.
    :returns: a context manager with a :class:`Terminal`.
    :raises clients.ClientMissing: if the openstack client is not installed.
    :raises process.NotReady: if the sandbox does not start.
    """
    client = clients.find_client('openstack', 'heat-extras[sandbox]')
    settings = os.path.join(state_dir, _SETTINGS_FILE)
    directory = shutil.copytree(TEMPLATES, os.path.join(state_dir,
                                                        'templates'))
    with open(settings, 'w') as target:
        target.write(_SETTINGS.format(templates=TEMPLATES))
    sandbox = process.SandboxProcess(
        state_dir, ['--hurry', _HURRY, '--config-file', settings], errors)
    print('Starting Heat ...', file=sys.stderr)
    sandbox.start()
    try:
        yield Terminal(client, sandbox, directory)
    finally:
        sandbox.stop()


def run_demo(only=demo_steps.NAMES, is_paused=False):
    """Start a sandbox and run the chapters.

    :param only: names of the chapters to run.
    :param is_paused: whether to wait for Enter between two steps.
    :returns: exit status, 0 if every step had the expected result
    """
    chapters = [chapter for chapter in demo_steps.CHAPTERS
                if chapter.name in only]
    _handle_like_ctrl_c()
    state_dir = tempfile.mkdtemp(prefix='heat-extras-demo-')
    status = 1
    try:
        status = _run(chapters, state_dir, is_paused)
    finally:
        if status:
            shutil.rmtree(state_dir, ignore_errors=True)
    return status


def _run(chapters, state_dir, is_paused):
    with tempfile.TemporaryFile('w+') as errors:
        try:
            with start_terminal(errors, state_dir) as terminal:
                status = _run_chapters(chapters, terminal, is_paused)
        except (clients.ClientMissing, process.NotReady) as error:
            print('heat-extras-sandbox: %s' % error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print('\nStopped.', file=sys.stderr)
            return _INTERRUPTED
    if not status:
        print(_CONTINUE.format(
            set_path=clients.SET_PATH, state_dir=shlex.quote(state_dir),
            settings=shlex.quote(os.path.join(state_dir, _SETTINGS_FILE))))
    return status


def _handle_like_ctrl_c():
    """Handle other signals like Ctrl-C, so that they also stop Heat."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def _run_chapters(chapters, terminal, is_paused):
    begin = time.monotonic()
    print(_INTRODUCTION.format(
        set_path=clients.SET_PATH, url=terminal.url,
        templates=shlex.quote(terminal.directory), width=_width()))
    number = 0
    for position, (chapter, steps) in enumerate(
            demo_steps.with_stacks(chapters), 1):
        title = '%d. %s' % (position, chapter.title)
        print('%s\n%s\n\n%s\n' % (title, '=' * len(title),
                                  _wrap('Heat alone: ' + chapter.alone)))
        for step in steps:
            number += 1
            print(_wrap(step.story))
            print('$ %s' % command_line(step), flush=True)
            fault, text = run_step(step, terminal)
            print(text, flush=True)
            if fault:
                print('\nStep %d did not have the expected result: %s'
                      % (number, fault), file=sys.stderr)
                return 1
            if is_paused:
                _wait_for_enter()
    print(_READ_NEXT.format(steps=number, seconds=round(
        time.monotonic() - begin)), end='')
    for chapter in chapters:
        print('  %s.rst: %s' % (chapter.page, chapter.title))
    return 0


def command_line(step):
    """Return the command line of a step, as a user types it in a shell."""
    words = f'{step.program} {shlex.join(step.command)}'
    if step.project:
        words = f'OS_ENDPOINT=${{OS_ENDPOINT%/*}}/{step.project} {words}'
    return f'OS_TOKEN={step.token} {words}' if step.token else words


def _wrap(text):
    return textwrap.fill(text, _width())


def _wait_for_enter():
    try:
        input('(Press Enter to continue) ')
    except EOFError:
        print()


def _width():
    return shutil.get_terminal_size().columns


def run_step(step, terminal):
    """Run a step. Repeat a step that waits until it succeeds.

    :param terminal: a :class:`Terminal`.
    :returns: the fault of the last answer or None, and the answer
    """
    end = time.monotonic() + STEP_SECONDS
    time.sleep(step.pause)
    while True:
        status, text = terminal.run(step)
        fault = step.fault(status, text)
        if not (fault and step.waits and time.monotonic() < end):
            return fault, text
        time.sleep(1)
