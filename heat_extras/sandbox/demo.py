# SPDX-License-Identifier: Apache-2.0

"""What ``heat-extras-sandbox demo`` does: a tour with the real client."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

from heat_extras.cli import progress_line
from heat_extras.sandbox import clients
from heat_extras.sandbox import demo_steps
from heat_extras.sandbox import liveness
from heat_extras.sandbox import process

TEMPLATES = os.path.join(os.path.dirname(__file__), 'templates')
# For a step that waits, whatever else is active.
STEP_SECONDS = 900
# Nobody learns anything from the seconds that Heat pauses.
_HURRY = '10'
_SETTINGS_FILE = 'demo.conf'
# Seconds without output before a step shows that it waits.
_DELAY = 2
_LOOK_SECONDS = 0.2
_STARTING = re.compile(r'^heat-extras-sandbox: (Starting Heat: [^.,\n]*\w)',
                       re.MULTILINE)
# As shells have it for a program that SIGINT ended.
_INTERRUPTED = 130

_SETTINGS = """\
[heat_extras]
limits_file = {templates}/limits.yaml
freezes_file = {templates}/freezes.yaml
"""

_INTRODUCTION = """\
A Heat with heat-extras runs at {url}
The commands below are those of a shell with

  {set_path}
  cd {templates}
  export OS_AUTH_TYPE=admin_token OS_TOKEN=alice:member
  export OS_ENDPOINT={url} CLIFF_MAX_TERM_WIDTH={width}
"""

_READ_NEXT = """\
All {steps} steps did what they should, in {seconds} seconds. The pages in
doc/source to read next:

"""

_GOING_ON = """
The stacks are still there. Start their Heat again:

  {set_path}
  heat-extras-sandbox serve --state-dir {state_dir} \\
      --config-file {settings}

In another terminal, continue as alice (or as ops:admin or eve:reader):

  {set_path}
  export OS_AUTH_TYPE=admin_token OS_TOKEN=alice:member
  export OS_ENDPOINT=http://127.0.0.1:8004/v1/demo
  openstack stack list

To remove the stacks: rm -r {state_dir}
"""


class Terminal:
    """Where the commands of the tour are typed.

    :param client: path of the openstack client.
    :param sandbox: a :class:`heat_extras.sandbox.process.SandboxProcess`
        that is ready.
    """

    def __init__(self, client, sandbox):
        self._client = client
        self._sandbox = sandbox
        self.url = sandbox.url
        self._environment = {
            **clients.openstack_environment(self.url, 'alice:member'),
            'CLIFF_MAX_TERM_WIDTH': str(_width())}

    def type(self, words, project=''):
        """Run a command of the openstack client.

        :param project: another one than that of the URL
        :returns: its exit status and all that it wrote
        :raises process.NotReady: if Heat has ended, or the client is stuck
        """
        environment = dict(self._environment)
        if project:
            environment['OS_ENDPOINT'] = '/'.join(
                (self.url.rpartition('/')[0], project))
        try:
            answer = _answer([self._client, *words], environment)
        except liveness.Stuck as error:
            raise self._sandbox.failure('openstack %s did not end: %s' % (
                shlex.join(words), error)) from error
        if self._sandbox.status is not None:
            raise self._sandbox.failure('The sandbox ended with status %d'
                                        % self._sandbox.status)
        return answer


@contextlib.contextmanager
def terminal(errors, state_dir):
    """Start a sandbox for the tour, and show how far it is.

    :param errors: an open file for what it writes to its standard error.
    :param state_dir: where it keeps its stacks, and the demo its settings.
    :returns: a context manager, with a :class:`Terminal`.
    :raises clients.ClientMissing: where there is no openstack client.
    :raises process.NotReady: if it does not start.
    """
    client = clients.find('openstack', 'heat-extras[sandbox]')
    settings = os.path.join(state_dir, _SETTINGS_FILE)
    with open(settings, 'w') as target:
        target.write(_SETTINGS.format(templates=TEMPLATES))
    sandbox = process.SandboxProcess(
        state_dir, ['--hurry', _HURRY, '--config-file', settings,
                    '--parent', str(os.getpid())], errors)
    with progress_line.ProgressLine('Starting Heat') as line:
        sandbox.start(lambda: _show_start(line, errors))
    try:
        yield Terminal(client, sandbox)
    finally:
        with progress_line.ProgressLine('Stopping Heat', _DELAY):
            sandbox.stop()


def _show_start(line, errors):
    """Show the last step that a sandbox has reported."""
    # Not by seek and read: the sandbox writes at the same position.
    text = os.pread(errors.fileno(), 1 << 20, 0).decode(errors='replace')
    for found in _STARTING.finditer(text):
        line.text = found[1]


def run(only=demo_steps.NAMES, is_paused=False):
    """Start a sandbox and play the demo_steps.

    :param only: names of the chapters to play.
    :param is_paused: whether to wait for a person between two steps.
    :returns: exit status, 0 if every step did what it should
    """
    chapters = [chapter for chapter in demo_steps.CHAPTERS
                if chapter.name in only]
    _end_like_ctrl_c()
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
            with terminal(errors, state_dir) as where:
                status = _play(chapters, where, is_paused)
        except (clients.ClientMissing, process.NotReady) as error:
            print('heat-extras-sandbox: %s' % error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print('\nStopped.', file=sys.stderr)
            return _INTERRUPTED
    if not status:
        print(_GOING_ON.format(
            set_path=clients.SET_PATH, state_dir=shlex.quote(state_dir),
            settings=shlex.quote(os.path.join(state_dir, _SETTINGS_FILE))))
    return status


def _end_like_ctrl_c():
    """Let other ends than Ctrl-C stop the Heat, too.

    It is another process, which would stay.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def _play(chapters, where, is_paused):
    begin = time.monotonic()
    print(_INTRODUCTION.format(
        set_path=clients.SET_PATH, url=where.url,
        templates=shlex.quote(TEMPLATES), width=_width()))
    number = 0
    for scene, (chapter, steps) in enumerate(demo_steps.steps_of(chapters), 1):
        title = '%d. %s' % (scene, chapter.title)
        print('%s\n%s\n\n%s\n' % (title, '=' * len(title),
                                  _filled('Heat alone: ' + chapter.alone)))
        for step in steps:
            number += 1
            fault = _show(step, where)
            if fault:
                print('\nStep %d did not do what it should: %s'
                      % (number, fault), file=sys.stderr)
                return 1
            if is_paused:
                _wait_for_a_person()
    print(_READ_NEXT.format(steps=number, seconds=round(
        time.monotonic() - begin)), end='')
    for chapter in chapters:
        print('  %s.rst: %s' % (chapter.page, chapter.title))
    return 0


def _show(step, where):
    print(_filled(step.story))
    print('$ %s' % typed(step), flush=True)
    fault, text = take(step, where)
    print(text, flush=True)
    return fault


def typed(step):
    """Return what a person would type for a step."""
    words = 'openstack ' + shlex.join(step.command)
    return (f'OS_ENDPOINT=${{OS_ENDPOINT%/*}}/{step.project} {words}'
            if step.project else words)


def _filled(text):
    return textwrap.fill(text, _width())


def _wait_for_a_person():
    try:
        input('(Enter goes on) ')
    except EOFError:
        # Nobody is there.
        print()


def _width():
    return shutil.get_terminal_size().columns


def take(step, where):
    """Run a step as often as it asks for.

    :param where: a :class:`Terminal`.
    :returns: what is wrong with its last answer, None if nothing is; and
        the answer
    """
    with progress_line.ProgressLine('  Waiting for Heat', _DELAY):
        fault, text = _judged(step, where)
        for _again in _repetitions(step):
            # Waiting for something ends when it is there, watching that
            # nothing happens ends when something does.
            if (fault if step.settles else not fault):
                break
            time.sleep(1)
            fault, text = _judged(step, where)
    return fault, text


def _repetitions(step):
    yield from range(step.settles)
    end = time.monotonic() + STEP_SECONDS
    while step.waits and time.monotonic() < end:
        yield


def _judged(step, where):
    status, text = where.type(step.command, step.project)
    return step.fault(status, text), text


def _answer(command, environment):
    """Run a command, as long as it is active.

    :returns: its exit status and all that it wrote
    :raises liveness.Stuck: if it is stuck; it is killed
    """
    started = subprocess.Popen(
        command, cwd=TEMPLATES, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    with started:
        try:
            text = _output(started)
        except BaseException:
            started.kill()
            started.wait()
            raise
    lines = [line for line in text.splitlines(keepends=True)
             if not line.startswith(_OTHERS_COMPLAINT)]
    return started.returncode, ''.join(lines)


def _output(started):
    watched = liveness.Liveness(started.pid)
    while True:
        try:
            return started.communicate(timeout=_LOOK_SECONDS)[0]
        except subprocess.TimeoutExpired:
            watched.check()


# cliff complains about commands of other plugins that do not load.
_OTHERS_COMPLAINT = 'Could not load '
