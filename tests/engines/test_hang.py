# SPDX-License-Identifier: Apache-2.0

"""An engine that hangs over a lock for longer than its heartbeat."""

import pathlib
import time

import fixtures

from tests.engines import base
from tests.functional import doors

_LATE_SECONDS = 5


class HangTest(base.CloudTestCase):
    more = (f'plugin_dirs = {doors.PLUGINS}\n'
            '[heat_extras]\nlock_concurrency = 1\n')

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

    def calls(self):
        path = self.place / 'journal'
        return path.read_text().splitlines() if path.exists() else []

    def doors(self):
        return {path.read_text() for path in self.place.glob('web-*')}

    def worker(self):
        """Return the engine that works on the lock."""
        engine_id, = self.query(
            'SELECT lock_engine_id FROM stack WHERE id = :id',
            id=self.stack_id)[0]
        engine, = [engine for name, engine in self.cloud.engines.items()
                   if self.cloud.engine_id(name) == engine_id]
        return engine

    def lock_status(self):
        return self.query('SELECT lock_action, lock_status, lock_level FROM '
                          'stack WHERE id = :id', id=self.stack_id)[0]

    def unlocked(self):
        # Who hangs still gets a share of the requests, and answers none.
        self.act(self.path, 'unlock')
        return tuple(self.lock_status()) == ('UNLOCK', 'COMPLETE', None)

    def test_it_stops_when_it_comes_back(self):
        gate = self.place / 'gate'
        gate.touch()
        (self.place / 'lock waits').write_text(gate.name)
        self.assert_status(200, self.act(self.path, 'lock',
                                         {'level': 'all'}))
        self.wait_for('the first call', self.calls)
        worker = self.worker()
        worker.pause()
        self.addCleanup(worker.go_on)
        self.wait_for('another engine to notice', self.lock_status,
                      lambda row: tuple(row) == ('LOCK', 'FAILED', 'all'))
        self.wait_for('the unlock', self.unlocked)
        (self.place / 'lock waits').unlink()
        gate.unlink()
        worker.go_on()
        self.wait_for('the call to be taken back', self.calls,
                      lambda calls: len(calls) > 1)
        self.wait_for('all doors to be open', self.doors,
                      lambda doors: doors == {'open'})
        time.sleep(_LATE_SECONDS)
        self.assertEqual({'open'}, self.doors())
        first = self.calls()[0].removeprefix('lock ')
        self.assertEqual([f'lock {first}', f'unlock {first}'], self.calls())
        self.assertEqual([], self.query(
            'SELECT * FROM heat_extras_protection'))
        self.assertTrue(self.unlocked())


class MariaDBTest(HangTest):
    kind = base.MARIADB
