# SPDX-License-Identifier: Apache-2.0

"""Commands with a time limit."""

import os
import subprocess
import sys

from tests.harness import forkserver

SECONDS = 300
# The directory of the programs of the test environment.
BIN = os.path.dirname(sys.executable)


class Failed(AssertionError):
    """A command failed; the message contains its output."""


def program(name):
    """Return the path of a program of the tests' environment."""
    return os.path.join(BIN, name)


def run(words, environment=None, seconds=SECONDS, directory=None):
    """Run a command, with what it writes to stdout and stderr kept apart.

    One of ours or of the clients is forked from a process that has imported
    its libraries.

    :param environment: all of it; None for that of this process
    :returns: the completed process, whatever its status
    :raises Failed: when it is not over in time
    """
    words = [str(word) for word in words]
    try:
        return forkserver.run(
            words, environment, directory, seconds) or subprocess.run(
            words, env=environment, text=True, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=seconds, cwd=directory)
    except subprocess.TimeoutExpired as error:
        raise Failed(
            f'{" ".join(words)} was not over within {seconds} seconds. It '
            f'said: {_text(error.stdout)}{_text(error.stderr)}') from None


def check(words, **options):
    """Run a command like :func:`run`, and return its output.

    :raises Failed: when its status is not 0
    """
    done = run(words, **options)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()[-40:]
        raise Failed('\n'.join([
            f'{" ".join(map(str, words))} ended with {done.returncode}:',
            *lines]))
    return done.stdout


def _text(output):
    # The output is bytes, even if text was requested.
    return (output or b'').decode(errors='replace')
