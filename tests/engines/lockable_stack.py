# SPDX-License-Identifier: Apache-2.0

"""A stack with three resources of a fake service, on several engines."""

import pathlib

import fixtures

from tests.engines import base
from tests.functional import lockable_resources

MORE = f'plugin_dirs = {lockable_resources.PLUGINS}\n'


class LockableStackTestCase(base.CloudTestCase):
    more = MORE
    # By default, an unlocked stack has no row of its former lock.
    UNLOCKED = (None, None, None)

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.path = self.client.create_stack('web', {
            'heat_template_version': '2018-08-31',
            'resources': {name: {
                'type': 'Test::Door',
                'properties': {'directory': str(self.place)}}
                for name in ('one', 'two', 'three')}})
        self.stack_id = self.path.rpartition('/')[2]

    def doors(self):
        """Return in which states the doors are."""
        return {path.read_text() for path in self.place.glob('web-*')}

    def calls(self):
        """Return what the doors were asked for, in this order."""
        path = self.place / 'journal'
        return path.read_text().splitlines() if path.exists() else []

    def lock_state(self):
        """Return action, status and level of the lock."""
        row, = self.query(
            'SELECT g.action, g.status, s.lock_level FROM stack s LEFT JOIN '
            'heat_extras_guard g ON g.id = s.lock_id WHERE s.id = :id',
            id=self.stack_id)
        return tuple(row)

    def wait_for_lock(self, *wanted):
        self.wait_for(f'the lock to be {wanted}', self.lock_state,
                      lambda value: value == wanted)

    def worker(self):
        """Return the engine that works on the lock."""
        engine_id, = self.query(
            'SELECT g.engine_id FROM stack s JOIN heat_extras_guard g '
            'ON g.id = s.lock_id WHERE s.id = :id',
            id=self.stack_id)[0]
        engine, = [engine for name, engine in self.cloud.engines.items()
                   if self.cloud.engine_id(name) == engine_id]
        return engine
