# SPDX-License-Identifier: Apache-2.0

"""What ``heat-extras-sandbox demo`` does: a tour with the real client."""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import time

from heat_extras.sandbox import clients
from heat_extras.sandbox import process
from heat_extras.sandbox import tour

TEMPLATES = os.path.join(os.path.dirname(__file__), 'templates')
COMMAND_SECONDS = 300

_SETTINGS = """\
[heat_extras]
limits_file = {templates}/limits.yaml
"""

_INTRODUCTION = """\
A Heat with heat-extras runs at {url}
The commands below are those of a shell in {templates} with

  export OS_AUTH_TYPE=admin_token OS_TOKEN=alice:member
  export OS_ENDPOINT={url}
"""

_GOING_ON = """
To go on by hand, start a Heat of your own:

  heat-extras-sandbox serve

and in another terminal, as the user demo,

  openstack --os-auth-type none \\
      --os-endpoint http://127.0.0.1:8004/v1/demo \\
      stack create -t {templates}/web.yaml --wait web

as alice, who could also be ops:admin or eve:reader,

  openstack --os-auth-type admin_token --os-token alice:member \\
      --os-endpoint http://127.0.0.1:8004/v1/demo \\
      stack lock --level stacks --reason 'db move' web

or with the heat shell, which heat-extras brings with the lock actions:

  heat-extras --os-no-client-auth --os-auth-token alice:member \\
      --heat-url http://127.0.0.1:8004/v1/demo action-unlock web
"""


def run(only=tour.NAMES, is_paused=False):
    """Start a sandbox and play the tour.

    :param only: names of the chapters to play.
    :param is_paused: whether to wait for a person between two steps.
    :returns: exit status, 0 if every step did what it should
    """
    with tempfile.TemporaryFile('w+') as errors, _settings() as settings:
        sandbox = process.SandboxProcess(
            options=['--config-file', settings], errors=errors)
        try:
            client = clients.find('openstack', 'python-openstackclient')
            url = sandbox.start()
        except (clients.ClientMissing, process.NotReady) as error:
            errors.seek(0)
            print('%sheat-extras-sandbox: %s' % (errors.read(), error),
                  file=sys.stderr)
            return 1
        try:
            return _play([chapter for chapter in tour.CHAPTERS
                          if chapter.name in only], client, url, is_paused)
        finally:
            sandbox.stop()


@contextlib.contextmanager
def _settings():
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as target:
        target.write(_SETTINGS.format(templates=TEMPLATES))
        target.flush()
        yield target.name


def _play(chapters, client, url, is_paused):
    print(_INTRODUCTION.format(url=url, templates=TEMPLATES))
    environment = clients.openstack_environment(url, 'alice:member')
    number = 0
    for chapter in chapters:
        print('%s\n%s\n' % (chapter.title, '=' * len(chapter.title)))
        for step in chapter.steps:
            number += 1
            print('%d. %s' % (number, step.story))
            print('$ openstack %s' % shlex.join(step.command), flush=True)
            fault = _take(step, [client, *step.command], environment)
            if fault:
                print('\nStep %d did not do what it should: %s'
                      % (number, fault), file=sys.stderr)
                return 1
            if is_paused:
                _wait_for_a_person()
    print('All %d steps did what they should.\n\nRead next, in the '
          'documentation:' % number)
    for chapter in chapters:
        print('  doc/source/%s.rst: %s' % (chapter.page, chapter.title))
    print(_GOING_ON.format(templates=TEMPLATES))
    return 0


def _wait_for_a_person():
    try:
        input('(Enter goes on) ')
    except EOFError:
        # Nobody is there.
        print()


def _take(step, command, environment):
    """Run a step as often as it asks for, and show its last answer.

    :returns: what is wrong with the answer, None if nothing is
    """
    status, text = _answer(command, environment)
    fault = step.fault(status, text)
    for _again in range(step.retries or step.settles):
        # Waiting for something ends when it is there, watching that
        # nothing happens ends when something does.
        if (fault if step.settles else not fault):
            break
        time.sleep(1)
        status, text = _answer(command, environment)
        fault = step.fault(status, text)
    print(text, flush=True)
    return fault


def _answer(command, environment):
    """Run a command.

    :returns: its exit status and all that it wrote
    """
    done = subprocess.run(
        command, cwd=TEMPLATES, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS)
    lines = [line for line in done.stdout.splitlines(keepends=True)
             if not line.startswith(_OTHERS_COMPLAINT)]
    return done.returncode, ''.join(lines)


# cliff complains about commands of other plugins that do not load.
_OTHERS_COMPLAINT = 'Could not load '
