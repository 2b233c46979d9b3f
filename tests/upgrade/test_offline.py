# SPDX-License-Identifier: Apache-2.0

"""Heat is stopped, upgraded, and started again, with every guard in effect.

On the sandbox's SQLite. ``test_rolling`` does the same without a pause.
"""

import json

import testtools

from tests.functional import base
from tests.harness import heat_releases
from tests.harness import request_times
from tests.harness import waiting
from tests.upgrade import guards

_SETTINGS = f"""\
[DEFAULT]
periodic_interval = 2

[heat_extras]
delete_protection_tag = {guards.TAG}
"""
HEATS, OURS = 'heat-manage', 'heat-extras-manage'


class UpgradeTestCase(testtools.TestCase):
    """A sandbox of an older Heat.

    :cvar old: the older release
    """

    old = '24.1'
    engines = 1
    options = ('--features', 'all')

    def setUp(self):
        super().setUp()
        if self.old == heat_releases.own():
            self.skipTest('The tests run with the old release of Heat.')
        self.sandbox = self.useFixture(base.Sandbox(
            self.options, _SETTINGS, heat_releases.programs(self.old)))

    def connect(self, user, *roles):
        """Make a client of a user."""
        return self.sandbox.client(user, *roles)

    def wait_for(self, description, find, is_right):
        return waiting.until(description, find, is_right)

    def run_program(self, program, *words, status=0):
        """Run a program of the sandbox's Heat; return its output."""
        done = self.sandbox.run(program, *words, with_settings=True)
        self.assertEqual(status, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def synchronize(self, *order):
        """Migrate the database."""
        for program in order:
            self.run_program(program, 'db_sync')

    def upgrade(self, release, *order):
        """Stop Heat, and start another release."""
        self.sandbox.stop()
        self.sandbox.programs = heat_releases.programs(release)
        self.run_program('heat-extras-status', 'upgrade', 'check', '--no-db')
        self.synchronize(*(order or (HEATS, OURS)))
        self.sandbox.start()

    def begin(self):
        """Create a stack with each guard."""
        made = [kind(self) for kind in guards.ALL]
        for guard in made:
            guard.create()
            guard.protect()
        return made

    def check(self, made):
        for guard in made:
            guard.check()

    def end(self, made):
        for guard in made:
            guard.end()


class EachReleaseTest(UpgradeTestCase):
    """Upgrades to each release, one after another, and then the removal."""

    def test_all_guards_stay_in_effect(self):
        made = self.begin()
        self.ending = guards.Lock(self, '-ending')
        self.ending.create()
        self.ending.act('lock', {'level': 'stacks', 'expires_at':
                                 request_times.from_now(seconds=3)})
        for release in heat_releases.RELEASES[1:]:
            self.upgrade(release)
            self.check(made)
            # The lock has expired while Heat was stopped, or just before.
            self.ending.alice.wait_for_lock(self.ending.path,
                                            'UNLOCK_COMPLETE')
        *ended, parameter, policy = sorted(made, key=lambda guard: isinstance(
            guard, (guards.Parameter, guards.Policy)))
        self.end(ended)
        self.remove()
        for guard in parameter, policy:
            guard.update({**guards.LONE, 'resources': {}})

    def remove(self):
        """Remove heat-extras, also from rows of the oldest Heat."""
        self.sandbox.stop()
        self.run_program(OURS, 'rewrite-templates')
        self.run_program(OURS, 'db_downgrade')
        self.assertEqual([], self.sandbox.sql(
            "SELECT name FROM sqlite_master WHERE sql LIKE '%heat_extras%' "
            "OR sql LIKE '%lock_level%'"))
        self.sandbox.options[1] = ''
        self.sandbox.start()


class MigrationOrderTest(UpgradeTestCase):
    """Upgrades with heat-extras-manage db_sync before heat-manage db_sync."""

    def schema(self):
        """Return the sorted columns of each table."""
        tables = [name for name, in self.sandbox.sql(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(row[1:3] for row in self.sandbox.sql(
            f"PRAGMA table_info('{table}')")) for table in tables}

    def test_all_guards_stay_in_effect(self):
        made = self.begin()
        self.upgrade(heat_releases.own(), OURS, HEATS)
        self.check(made)
        self.end(made)

    def test_columns_are_added_to_tables_of_old_release(self):
        self.sandbox.stop()
        self.run_program(OURS, 'db_downgrade')
        self.upgrade(heat_releases.own(), OURS, HEATS)
        schema = self.schema()
        made = self.begin()
        self.check(made)
        other = base.Sandbox(self.options, _SETTINGS)
        self.sandbox = self.useFixture(other)
        self.assertEqual(self.schema(), schema)


class GateTest(UpgradeTestCase):
    """The upgrade from the oldest supported release to this release."""

    def test_all_guards_stay_in_effect(self):
        made = self.begin()
        self.check(made)
        self.sandbox.programs = heat_releases.programs(heat_releases.own())
        self.run_program('heat-extras-status', 'upgrade', 'check', '--no-db')
        # The old engine continues to work, as in a rolling upgrade.
        self.synchronize(HEATS, OURS)
        self.check(made)
        self.check_snapshot()
        self.sandbox.stop()
        self.sandbox.start()
        self.check(made)
        self.end(made)

    def check_snapshot(self):
        """The old engine sees a snapshot deletion of a new engine."""
        alice = self.connect(*guards.MEMBER)
        path = alice.create_stack('snapshot', guards.LONE)
        answer = alice.post(path + '/snapshots', {})
        self.assertEqual(200, answer.status_code, answer.text)
        alice.wait_for_stack(path, ['SNAPSHOT_COMPLETE'])
        snapshot = answer.json()['id']
        self.note_deletion(snapshot, 'IN_PROGRESS')
        lock = {'lock': {'level': 'stacks'}}
        answer = alice.post(path + '/actions', lock)
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn(f'snapshot {snapshot} of stack snapshot is '
                      'DELETE_IN_PROGRESS', json.dumps(answer.json()))
        self.note_deletion(snapshot, 'FAILED')
        answer = alice.post(path + '/actions', lock)
        self.assertEqual(200, answer.status_code, answer.text)

    def note_deletion(self, snapshot, status):
        """Write the same row as EngineService.delete_snapshot of Heat 27."""
        self.sandbox.sql("UPDATE snapshot SET action = 'DELETE', status = ? "
                         'WHERE id = ?', status, snapshot)
