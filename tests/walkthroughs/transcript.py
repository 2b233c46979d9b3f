# SPDX-License-Identifier: Apache-2.0

"""Transcripts of a terminal: commands and their expected output.

::

  # What a person thinks.
  $ openstack stack delete --yes web
  ... is locked (level stacks) ...
  [1]

A line with ``$`` is typed into one bash, which keeps its variables and jobs
until the end; ``>`` continues it. What follows is what it writes, on both
streams, up to an exit status other than 0 in brackets. ``...`` stands for any
text, and blanks for any others, as :mod:`doctest` has it. IDs and times stand
for any others, so that pages can show realistic ones.
"""

import contextlib
import dataclasses
import doctest
import os
import re
import select
import signal
import subprocess
import textwrap
import time

SECONDS = 240
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_END = 'end-of-this-command'
_STATUS = re.compile(r'\[(\d+)\]')
_DIFFERS = (
    (re.compile(r'\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b'), 'ID'),
    (re.compile(r'\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?=Z)'), 'TIME'))


class Wrong(AssertionError):
    """The output differs from the transcript."""


@dataclasses.dataclass
class Step:
    """One command.

    :param wanted: the expected lines of output.
    """

    line: int
    command: str
    wanted: list
    status: int = 0


def read(text):
    """Read a transcript.

    :returns: a list of :class:`Step`.
    """
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith('$ '):
            steps.append(Step(number, line[2:], []))
        elif line.startswith('> '):
            steps[-1].command += '\n' + line[2:]
        elif _STATUS.fullmatch(line):
            steps[-1].status = int(line[1:-1])
        elif line.strip() and not line.startswith('# '):
            steps[-1].wanted.append(line)
    return steps


def of_page(text):
    """Return the transcript of a page of the documentation.

    :param text: of a page in reStructuredText, with blocks of ``console``.
    """
    blocks = re.findall(
        r'^( *)\.\. code-block:: console\n((?:\1   .*\n|\n)+)', text,
        re.MULTILINE)
    return '\n'.join(textwrap.dedent(block) for _, block in blocks)


class Terminal:
    """A bash that runs the commands of a transcript.

    :param directory: the initial working directory
    :param environment: all of it
    """

    def __init__(self, directory, environment):
        self._bash = subprocess.Popen(
            ['bash', '--norc'], cwd=directory, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)

    def follow(self, text, tell=lambda step, output: None):
        """Type each command, and compare.

        :param tell: called with each step and what was seen.
        :raises Wrong: at the first that is not as it should be.
        """
        for step in read(text):
            status, output = self._type(step)
            tell(step, output)
            _compare(step, status, output)

    def _type(self, step):
        # Without standard input, because no person can answer.
        self._bash.stdin.write(
            f'{{ {step.command}\n}} </dev/null; status=$?; echo; '
            f'echo {_END} $status\n'.encode())
        self._bash.stdin.flush()
        raw = self._read(step)
        output, _, status = raw.rpartition(_END)
        return int(status), output

    def _read(self, step):
        raw, end = b'', time.monotonic() + SECONDS
        while not re.search(rf'\n{_END} \d+\n\Z'.encode(), raw):
            if not select.select([self._bash.stdout], [], [],
                                 max(0, end - time.monotonic()))[0]:
                raise Wrong(f'{step.command} was not over within {SECONDS} '
                            f'seconds; it wrote {raw.decode()}')
            read = os.read(self._bash.stdout.fileno(), 65536)
            if not read:
                raise Wrong(f'bash ended with {step.command}; it wrote '
                            f'{raw.decode()}')
            raw += read
        return raw.decode()

    def close(self):
        """End the shell and its remaining background jobs."""
        self._bash.stdin.close()
        self._bash.wait(SECONDS)
        self._bash.stdout.close()
        # Without job control, all jobs are in its process group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGTERM)


def _compare(step, status, output):
    if status == step.status and _is_as_wanted(step, output):
        return
    wanted = '\n'.join(step.wanted) or '(nothing)'
    raise Wrong(
        f'line {step.line}: $ {step.command}\nended with {status}, wanted '
        f'{step.status}. It wrote:\n{output.strip() or "(nothing)"}\n'
        f'Wanted:\n{wanted}')


def _is_as_wanted(step, output):
    return doctest.OutputChecker().check_output(
        _without_differences('\n'.join(step.wanted)),
        _without_differences(output), _FLAGS)


def _without_differences(text):
    for pattern, name in _DIFFERS:
        text = pattern.sub(name, text)
    return text.strip() + '\n'
