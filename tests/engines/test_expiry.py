# SPDX-License-Identifier: Apache-2.0

"""Lock expiration on engines with wrong clocks and on killed engines."""

import datetime
import time

from oslo_utils import timeutils

from tests.engines import base
from tests.engines import lockable_stack
from tests.harness import waiting

AHEAD_SECONDS, BEHIND_SECONDS = 420, -420
# A request takes one or two on a busy machine.
_SOON = 10
_TEMPLATE = {'heat_template_version': '2018-08-31', 'resources': {
    'text': {'type': 'OS::Heat::RandomString'}}}


def _statuses(client, path):
    """Return the statuses of a stack's lock events, oldest first."""
    body = client.get(path + '/events?sort_dir=asc').json()
    return [event['resource_status'] for event in body['events']
            if 'LOCK' in event['resource_status']
            and path.endswith(event['physical_resource_id'])]


class ClockTest(base.CloudTestCase):
    engines = 0
    quote = '"'

    def start(self, name, seconds):
        self.cloud.start_engine(name, clock_seconds=seconds)

    def create(self, count):
        # The name of the test is too long for one.
        return [self.client.create_stack(
            f'ends-{self.getUniqueInteger()}-{time.monotonic_ns()}',
            _TEMPLATE) for _ in range(count)]

    def lock_until(self, path, end):
        return self.act(path, 'lock', {'level': 'stacks',
                                       'expires_at': end.isoformat() + 'Z'})

    def end_in(self, seconds):
        return (timeutils.utcnow() + datetime.timedelta(
            seconds=seconds)).replace(microsecond=0)

    def assert_lifted_at_end(self, count=1):
        """Lock stacks for a few seconds and check when they are unlocked."""
        paths, end = self.create(count), self.end_in(_SOON + count)
        for path in paths:
            self.assert_status(200, self.lock_until(path, end))
        for path in paths:
            waiting.until('the end', lambda path=path: self._look(path),
                          lambda value: self._is_lifted(end, *value),
                          seconds=base.WAIT_SECONDS)
            # Not in order: each event has the time of its engine.
            self.assertEqual(
                ['LOCK_COMPLETE', 'LOCK_IN_PROGRESS', 'UNLOCK_COMPLETE',
                 'UNLOCK_IN_PROGRESS'], sorted(_statuses(self.client, path)))
            self.assert_status(204, self.client.delete(path))

    def _look(self, path):
        (level,), = self.query('SELECT lock_level FROM stack WHERE id = :id',
                               id=path.rpartition('/')[2])
        return level, timeutils.utcnow()

    def _is_lifted(self, end, level, now):
        if level is None:
            self.assertGreaterEqual(now, end)
        return level is None

    def test_lock_expires_with_engine_clock_minutes_ahead(self):
        self.start('ahead', AHEAD_SECONDS)
        self.assert_lifted_at_end()
        self.assert_bare_engine_is_seen()

    def assert_bare_engine_is_seen(self):
        """Expect a rejection while an engine without heat-extras is live."""
        path, = self.create(1)
        self.change(
            'INSERT INTO service (id, engine_id, host, hostname, "binary", '
            'topic, report_interval, created_at, updated_at) VALUES '
            "(:id, :id, 'bare', 'bare', 'heat-engine', 'engine', 60, :now, "
            ':now)'.replace('"', self.quote), id='bare',
            now=timeutils.utcnow())
        self.addCleanup(self.change,
                        "DELETE FROM service WHERE id = 'bare'")
        answer = self.assert_status(409, self.lock_until(
            path, self.end_in(_SOON)))
        self.assertIn('bare (bare)', answer.text)

    def test_lock_expires_with_engine_clock_minutes_behind(self):
        self.start('behind', BEHIND_SECONDS)
        path, = self.create(1)
        answer = self.assert_status(400, self.lock_until(
            path, self.end_in(-60)))
        self.assertIn('The time of the database is', answer.text)
        self.assert_lifted_at_end()

    def test_locks_expire_with_engine_clocks_far_apart(self):
        self.start('ahead', AHEAD_SECONDS)
        self.start('behind', BEHIND_SECONDS)
        self.assert_lifted_at_end(6)


class MariaDBClockTest(ClockTest):
    kind = base.MARIADB
    quote = '`'


class PostgreSQLClockTest(ClockTest):
    kind = base.POSTGRESQL


class DeletedStackTest(base.CloudTestCase):
    """Stacks with expiring locks, deleted without heat-extras."""

    engines = 1

    def create(self, name):
        path = self.client.create_stack(name, _TEMPLATE)
        self.assert_status(200, self.act(path, 'lock', {
            'level': 'stacks', 'expires_at': '2099-12-24T18:00:00Z'}))
        return path

    def delete(self, path):
        self.assert_status(204, self.client.delete(path))
        self.wait_for('it to be gone', lambda: self.query(
            'SELECT id FROM stack WHERE id = :id AND deleted_at IS NULL',
            id=path.rpartition('/')[2]), lambda rows: not rows)

    def delete_by_a_bare_engine(self, purged, deleted):
        self.assertEqual(0, self.cloud.engines['engine-1'].stop())
        bare = self.cloud.start_engine('engine-bare', features='')
        self.delete(purged)
        status, text = self.cloud.run('heat-manage', 'purge_deleted', '0')
        self.assertEqual((0, []), (status, self.query(
            'SELECT id FROM stack WHERE id = :id',
            id=purged.rpartition('/')[2])), text)
        self.delete(deleted)
        self.assertEqual(0, bare.stop())

    def entries(self):
        return self.query('SELECT stack_id FROM heat_extras_guard')

    def test_locks_of_deleted_stacks_are_removed_without_errors(self):
        kept, due, *others = (self.create(name) for name in (
            'kept', 'due', 'purged', 'deleted'))
        self.delete_by_a_bare_engine(*others)
        # Also locks that expire later can belong to deleted stacks.
        self.change("UPDATE heat_extras_guard SET expires_at = '2026-11-20', "
                    "unlock_at = '2026-11-20' WHERE stack_id <> :id",
                    id=kept.rpartition('/')[2])
        before = len(self.cloud.log_text('engine-1'))
        self.cloud.start_engine('engine-1')
        self.wait_for('the unlock', lambda: _statuses(self.client, due),
                      lambda value: 'UNLOCK_COMPLETE' in value)
        self.assertEqual([('stacks',)], self.query(
            'SELECT lock_level FROM stack WHERE id = :id',
            id=kept.rpartition('/')[2]))
        # Some more of its reports.
        time.sleep(5)
        status, text = self.cloud.run('heat-extras-manage', 'purge')
        self.assertEqual(0, status, text)
        self.assertEqual([(kept.rpartition('/')[2],)], self.entries())
        log = self.cloud.log_text('engine-1')[before:]
        self.assertEqual([], [line for line in log.splitlines()
                              if ' ERROR ' in line or 'Traceback' in line])


class MariaDBDeletedStackTest(DeletedStackTest):
    kind = base.MARIADB


class PostgreSQLDeletedStackTest(DeletedStackTest):
    kind = base.POSTGRESQL


class ReleaseTest(lockable_stack.LockableStackTestCase):
    """Level ``all`` with a slow service."""

    def unlocks(self):
        return [call for call in self.calls() if call.startswith('unlock')]

    def entry(self):
        return self.query('SELECT unlock_attempts, unlock_at FROM '
                          'heat_extras_guard WHERE stack_id = :id',
                          id=self.stack_id)

    def let_it_be_due(self):
        self.change("UPDATE heat_extras_guard SET unlock_at = '2026-11-20' "
                    'WHERE stack_id = :id', id=self.stack_id)

    def test_other_engine_unlocks_if_killed_during_release(self):
        self.assert_status(200, self.act(self.path, 'lock', {
            'level': 'all', 'expires_at': '2099-12-24T18:00:00Z'}))
        self.wait_for_lock('LOCK', 'COMPLETE', 'all')
        gate = self.place / 'gate'
        gate.touch()
        (self.place / 'unlock waits').write_text(gate.name)
        self.change("UPDATE heat_extras_guard SET expires_at = '2026-11-20', "
                    "unlock_at = '2026-11-20' WHERE stack_id = :id",
                    id=self.stack_id)
        self.wait_for('the release to begin', self.lock_state,
                      lambda value: value[0] == 'UNLOCK')
        self.wait_for('a door to be asked', self.unlocks)
        before = timeutils.utcnow()
        self.worker().kill()
        self.wait_for_lock('UNLOCK', 'FAILED', 'all')
        self.assert_status(409, self.client.patch(self.path, {}))
        self.assertEqual({'bolted by heat'}, self.doors())
        # The time of the next attempt is written before the unlock starts.
        (attempts, unlock_at), = self.entry()
        self.assertEqual(1, attempts)
        self.assertGreater(unlock_at, before)
        gate.unlink()
        (self.place / 'unlock waits').unlink()
        self.let_it_be_due()
        self.wait_for_lock(*self.UNLOCKED)
        self.assertEqual({'open'}, self.doors())
        self.assertEqual([], self.entry())
        self.assertEqual([], self.query(
            'SELECT * FROM heat_extras_protection'))
        self.assertEqual(
            ['LOCK_IN_PROGRESS', 'LOCK_COMPLETE', 'UNLOCK_IN_PROGRESS',
             'UNLOCK_FAILED', 'UNLOCK_IN_PROGRESS', 'UNLOCK_COMPLETE'],
            _statuses(self.client, self.path))
        self.assert_status(204, self.client.delete(self.path))


class MariaDBReleaseTest(ReleaseTest):
    kind = base.MARIADB
