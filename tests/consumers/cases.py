# SPDX-License-Identifier: Apache-2.0

"""One case: a consumer's operation in a situation."""

import dataclasses
import os
import re
import signal
import subprocess
import threading
import time

from tests.consumers import guard_situations
from tests.consumers import scenarios

# The outcome that a consumer reports, or that it reports none.
SUCCESS, FAILURE, SILENCE = 'success', 'failure', 'nothing'
# The verdict on this outcome, or that a guard did not work.
RIGHT, FALSE_FAILURE, FALSE_SUCCESS, EARLY, STUCK, UNEXPLAINED, BROKEN = (
    'right', 'false failure', 'false success', 'too early', 'stuck',
    'unexplained', 'broken')
# Texts of rejections; without one of them, the user lacks the reason.
_REASONS = re.compile('is locked|is frozen until|is protected from deletion')

# The time in which a consumer must notice the end of an operation.
PATIENCE = 60
# The time until a consumer starts to work on a busy machine.
_SECONDS = 240
_SAID = 400


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a case.

    :ivar happened: to the stack, by Heat's own events, in the end
    :ivar at_end: the same, when the consumer ended
    :ivar told: by the exit status of the consumer
    :ivar said: the last that its user read
    """

    situation: guard_situations.Situation
    operation: str
    happened: str
    told: str
    said: str
    at_end: str

    @property
    def verdict(self):
        """Return the verdict on the reported outcome."""
        if self.happened not in self.situation.ends(self.operation):
            return BROKEN
        if self.told == SILENCE:
            return STUCK
        if self.happened == scenarios.DONE:
            return self._of_a_success()
        if self.told == SUCCESS:
            return FALSE_SUCCESS
        if self.happened == scenarios.NOTHING and not _REASONS.search(
                self.said):
            return UNEXPLAINED
        return RIGHT

    def _of_a_success(self):
        if self.told == FAILURE:
            return FALSE_FAILURE
        return EARLY if self.at_end == scenarios.UNDER_WAY else RIGHT


def run(environment, consumer, situation, operation, project):
    """Run a case.

    :param project: of its own
    :returns: a :class:`Result`
    """
    scenario = consumer.scenario(environment, project, operation)
    scenario.create()
    situation.prepare(scenario)
    with running(consumer, scenario) as process:
        story = _Story(situation, scenario)
        story.start()
        outcome = process.wait(lambda: _is_at_rest(scenario, story))
        at_end = scenario.happened()
        story.finish()
    return Result(situation, operation, scenario.outcome(), outcome,
                  process.said(), at_end)


def running(consumer, scenario):
    """Return the consumer of a scenario as a context manager."""
    return Running(consumer.words(scenario), consumer.os_environ(scenario),
                   os.path.join(scenario.environment.directory,
                                f'{scenario.project}.log'))


class Running:
    """A running consumer, whose output is in a file."""

    def __init__(self, words, environment, log_path):
        self._words = words
        self._environment = environment
        self._log_path = log_path

    def __enter__(self):
        with open(self._log_path, 'w') as log:
            self._process = subprocess.Popen(
                self._words, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=self._environment, start_new_session=True,
                cwd=os.path.dirname(self._log_path))
        return self

    def __exit__(self, *error):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def wait(self, is_at_rest):
        """Wait for its end, not long after there is nothing to wait for."""
        last = time.monotonic() + _SECONDS
        rested = None
        while self._process.poll() is None:
            now = time.monotonic()
            if rested is None and is_at_rest():
                rested = now
            if now > last or (rested and now > rested + PATIENCE):
                return SILENCE
            time.sleep(0.2)
        return FAILURE if self._process.returncode else SUCCESS

    def said(self):
        """Return the last output without parts that differ between runs."""
        with open(self._log_path) as source:
            return shortened(source.read())


class _Story(threading.Thread):
    """Changes of the stack while the consumer is running."""

    def __init__(self, situation, scenario):
        super().__init__(daemon=True)
        self._situation = situation
        self._scene = scenario
        self._error = None

    def run(self):
        try:
            self._situation.meanwhile(self._scene)
        except Exception as error:
            self._error = error

    def finish(self):
        """Wait for the end; raise the exception of the thread, if any."""
        self.join(_SECONDS)
        if self._error:
            raise self._error


def _is_at_rest(scenario, story):
    return not story.is_alive() and scenario.is_over()


_DIFFERENT = (
    (re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'), 'ID'),
    (re.compile(r'\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?'), 'TIME'),
    (re.compile(r'http://[\d.]+:\d+'), 'URL'),
    # Magnum derives the name of the stack from the name of the cluster.
    (re.compile(r'\bcase-\d+(-[a-z0-9]{12})?\b'), 'PROJECT'))
# The line of Ansible that contains the message.
_ANSIBLE = re.compile(r'^(?:fatal:.*|\[ERROR\].*|ok:.*|changed:.*)$', re.M)


def shortened(text):
    """Return the informative part of the output of a program."""
    matches = _ANSIBLE.findall(text)
    lines = [line.strip() for line in matches or text.splitlines()
             if line.strip() and not line.startswith('+-')]
    text = ' '.join(lines[:1] if matches else lines[-1:])
    for pattern, word in _DIFFERENT:
        text = pattern.sub(word, text)
    return text[:_SAID]
