# SPDX-License-Identifier: Apache-2.0

"""Stacks with doors: lockable resources of a third party's plugin."""

import contextlib
import json
import os
import pathlib

import fixtures
from testtools import content

from tests.functional import test_stack_lock_all
from tests.harness import waiting

PLUGINS = os.path.join(os.path.dirname(__file__), 'lock_plugin')
SETTINGS = f'[DEFAULT]\nplugin_dirs = {PLUGINS}\n'
_ORDERS = ('lock gate', 'unlock gate', 'lock waits', 'unlock waits',
           'reply lost', 'exits')


class TestCase(test_stack_lock_all.LevelAllTestCase):
    """Test case with a stack of doors.

    :cvar doors: from name to the last word of the resource type
    :ivar place: the directory that is the service of the doors
    :ivar ids: from name to physical id, of those that the stack began with
    """

    settings = SETTINGS
    doors = {'door': 'Door', 'gate': 'Gate'}

    def setUp(self):
        directory = fixtures.TempDir()
        directory.setUp()
        # Ends last: the stack's deletion still asks for its doors.
        self.addCleanup(directory.cleanUp)
        self.place = pathlib.Path(directory.path)
        self.template = self.make_template()
        super().setUp()
        self.addCleanup(self._let_everything_go)
        self.ids = {name: self._resource(name)['physical_resource_id']
                    for name in self.doors}

    def _delete(self):
        # The directory goes next, so nothing may be under way any more.
        self._at_rest()
        self.unlock(self.admin)
        self._at_rest()
        self.admin.delete(self.path)
        waiting.until_equal('the doors', {}, self.states)

    def _at_rest(self):
        self.client.wait_for_end(self.path)

    def _let_everything_go(self):
        for path in list(self.place.iterdir()):
            if path.name in _ORDERS or path.name.startswith('jammed'):
                path.unlink()

    def make_template(self):
        return {
            'heat_template_version': '2018-08-31',
            'parameters': {'value': {'type': 'string', 'default': 'one'}},
            'resources': {name: self.door(kind) for name, kind
                          in self.doors.items()}}

    def door(self, kind='Door', **properties):
        """Return the definition of a door, for a template."""
        return {'type': f'Test::{kind}',
                'properties': {'directory': str(self.place), **properties}}

    def state(self, name='door'):
        return (self.place / self.ids[name]).read_text()

    def states(self):
        """Return the states of all doors, also without a template."""
        states = {}
        for path in self.place.iterdir():
            # A door may go while they are looked at.
            with contextlib.suppress(FileNotFoundError):
                if path.name.startswith(self.name):
                    states[path.name] = path.read_text()
        return states

    def order(self, name):
        """Change the behavior of the service, for example ``jammed``."""
        (self.place / name).touch()

    def hold_up(self, verb):
        """Delay the calls that the service gets from now on.

        :param verb: ``lock`` or ``unlock``.
        :returns: a function that lets it go on with those it has got.
        """
        gate = self.place / f'{verb} gate'
        gate.touch()
        (self.place / f'{verb} waits').write_text(gate.name)
        return gate.unlink

    def hurry(self, verb):
        """Let the service process new calls without a delay."""
        (self.place / f'{verb} waits').unlink()

    def calls(self):
        """List the calls of the service, oldest first."""
        journal = self.place / 'journal'
        return journal.read_text().splitlines() if journal.exists() else []

    def wait_for_calls(self, count=1):
        return waiting.until(f'{count} calls', self.calls,
                             lambda calls: len(calls) >= count)

    def manage(self, *arguments):
        """Run heat-extras-manage on the sandbox's database."""
        done = self.sandbox.run('heat-extras-manage', *arguments,
                                with_settings=True)
        self.addDetail(arguments[0], content.text_content(
            done.stdout + done.stderr))
        return done

    def verified(self):
        """Verify the locks, and return exit status and report."""
        done = self.manage('list-locks', '--verify', '--format', 'json')
        return done.returncode, json.loads(done.stdout)
