# SPDX-License-Identifier: Apache-2.0

"""A sandbox with lifecycle plugins that record their calls."""

import json
import pathlib

import fixtures
from heat import version as heat_version
from packaging import version

from tests.functional import base
from tests.harness import environment
from tests.harness import waiting

PLUGINS = pathlib.Path(__file__).parent / 'plugins'
SECONDS = 60


def has_green_threads():
    """Return whether Heat runs on eventlet."""
    return version.Version(
        heat_version.version_info.version_string()).major == 24


class Plugins(fixtures.Fixture):
    """Install the distribution in ``plugins`` for processes started now.

    :ivar directory: where its journal and its orders are.
    """

    def _setUp(self):
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.useFixture(environment.Environment(
            PLUGINS, HEAT_EXTRAS_TEST_PLUGINS=self.directory))

    def order(self, kind, plugin, action, text='because'):
        """Tell a plugin to do something at its next calls.

        :returns: the path of the order, to be removed.
        """
        path = self.directory / f'{kind}-{plugin}-{action}'
        path.write_text(str(text))
        return path

    def forget(self):
        """Start a new journal."""
        for name in ('journal', 'dry_runs'):
            (self.directory / name).unlink(missing_ok=True)

    def journal(self, stack=None):
        """Return the calls so far, oldest first.

        :param stack: only those for stacks of this name.
        """
        return [call for call in self._read('journal')
                if stack in (None, call['stack'])]

    def dry_runs(self):
        """Return the dry runs so far, oldest first."""
        return self._read('dry_runs')

    def _read(self, name):
        path = self.directory / name
        lines = path.read_text().splitlines() if path.exists() else []
        return [*map(json.loads, lines)]

    def wait_for(self, stack, *calls, seconds=SECONDS):
        """Wait for calls of a stack's actions.

        :param calls: like ``post UPDATE``, of the plugin that is last.
        :returns: the journal of that stack.
        """
        def names(journal):
            return [f'{call["call"]} {call["action"]}' for call in journal]

        return waiting.until(
            f'{", ".join(calls)} of {stack}', lambda: self.journal(stack),
            lambda journal: set(calls) <= set(names(journal)), seconds,
            tell=lambda journal: f'{names(journal)}')


class TestCase(base.TestCase):
    """Test case with a sandbox and its plugins for each class."""

    @classmethod
    def setUpClass(cls):
        cls.plugins = cls.use_in_class(Plugins())
        super().setUpClass()

    def order(self, *args, **kwargs):
        path = self.plugins.order(*args, **kwargs)
        self.addCleanup(path.unlink)
        return path

    def calls(self, stack):
        """Return the calls of a stack in a short form.

        :returns: like ``pre CREATE test_first``; a post call of a failed
            action ends in ``failed``.
        """
        return [' '.join(filter(None, (
            call['call'], call['action'], call['plugin'],
            'failed' if call.get('failure') else '')))
            for call in self.plugins.journal(stack)]

    def wait_for_call(self, stack, call):
        """Wait for a call in the short form."""
        waiting.until(f'{call} of {stack}', lambda: self.calls(stack),
                      lambda calls: call in calls)

    def wait(self, path, status):
        """Wait for a status, even if the current status is a failure."""
        return self.client.wait_for_status(path, status)
