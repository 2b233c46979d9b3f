# SPDX-License-Identifier: Apache-2.0

"""Heat is upgraded engine by engine, with every guard in effect.

Meanwhile, engines of two releases use one MariaDB and one RabbitMQ.
"""

import pathlib

import fixtures
import testtools

from tests.engines import base
from tests.functional import lifecycle_base
from tests.functional import lockable_resources
from tests.harness.engines import cloud
from tests.harness import environment
from tests.harness import heat_releases
from tests.harness import waiting
from tests.upgrade import guards

_PLUGINS = pathlib.Path(__file__).parent / 'slow_snapshot'
# Tries until an engine of each release was killed, which is random.
MOST_TRIES = 5
_SLOW = {
    'heat_template_version': '2018-08-31',
    'resources': {'disk': {'type': 'Test::Slow'}},
}


class DoorLock(guards.Lock):
    """A lock of level ``all`` with a resource of a plugin that waits.

    :ivar directory: the directory that the plugin uses as its service
    """

    files = None
    level = 'all'

    @property
    def template(self):
        return {**guards.LONE, 'resources': {
            **guards.LONE['resources'],
            'door': {'type': 'Test::Door', 'properties': {
                'directory': str(self.directory)}}}}

    def create(self):
        self.directory = self.test.directory / self.name
        self.directory.mkdir()
        super().create()

    def hold(self, verb):
        """Make the next lock or unlock wait until ``free`` is called."""
        (self.directory / f'{verb} waits').write_text('held')
        (self.directory / 'held').touch()

    def free(self, verb):
        """Let the waiting operation and the next operation continue."""
        (self.directory / f'{verb} waits').unlink()
        (self.directory / 'held').unlink()


class RollingTestCase(base.CloudTestCase):
    """Two engines of an older release.

    :cvar old: the older release
    """

    old = None
    more = f'plugin_dirs = {_PLUGINS},{lockable_resources.PLUGINS}\n'
    own = f'delete_protection_tag = {guards.TAG}\n'

    @classmethod
    def setUpClass(cls):
        testtools.TestCase.setUpClass()
        if cls.old == heat_releases.own():
            raise cls.skipException('The tests run with this release.')
        cls.directory = pathlib.Path(
            cls.use_in_class(fixtures.TempDir()).path)
        cls.slow = cls.directory / 'slow'
        cls.plugins = cls.use_in_class(lifecycle_base.Plugins())
        cls.use_in_class(environment.Environment(
            HEAT_EXTRAS_SLOW_SNAPSHOT=cls.slow))
        cls.cloud = cls.use_in_class(cloud.Cloud(
            cls.kind, cls.engines, cls.more, own=cls.own,
            programs=heat_releases.programs(cls.old)))

    def connect(self, user, *roles):
        """Make a client of a user."""
        return self.cloud.client(user, *roles)

    def run_program(self, program, *words, status=0, **options):
        """Run a program of the newer Heat; return its output."""
        actual, text = self.cloud.run(program, *words, **options)
        self.assertEqual(status, actual, text)
        return text

    def releases(self):
        """Return the releases of the running engines by name."""
        return {row.host: row.heat_version.partition('.')[0]
                for row in self.query(
                    'SELECT e.host, e.heat_version FROM heat_extras_engine e '
                    'JOIN service s ON s.engine_id = e.engine_id '
                    'WHERE s.deleted_at IS NULL')}

    def check(self, made):
        for guard in made:
            guard.check()

    def replace(self, name):
        """Replace an engine of the old release by the new release."""
        self.assertEqual(0, self.cloud.engines[name].stop())
        self.cloud.start_engine(name)

    def start_old(self, name):
        """Start an engine of the old release."""
        programs = self.cloud.programs
        self.cloud.programs = heat_releases.programs(self.old)
        self.cloud.start_engine(name)
        self.cloud.programs = programs

    def create(self, suffix=''):
        """Create a stack for each guard."""
        made = [kind(self, suffix) for kind in guards.ALL]
        for guard in made:
            guard.create()
        return made

    def protect(self, made):
        for guard in made:
            guard.protect()


class RollingTest(RollingTestCase):
    """The upgrade from the oldest supported release to this release."""

    kind = base.MARIADB
    old = '24.1'

    def test_all_guards_stay_in_effect(self):
        old, late = self.create(), self.create('-late')
        self.protect(old)
        self.check(old)
        self.snapshot = self.make_snapshot()
        self.killed = set()
        self.door = DoorLock(self, '-door')
        self.door.create()

        self.cloud.programs = cloud.OWN
        self.run_program('heat-extras-status', 'upgrade', 'check', '--no-db')
        self.cloud.synchronize()
        self.check(old)
        self.cloud.engines['engine-2'].stop()
        self.replace('engine-1')
        self.check(old)
        self.begin_deletion()
        self.start_old('engine-2')
        self.check_mixed(old, late)
        self.replace('engine-2')
        self.cloud.restart_api()
        self.assertEqual(1, len(set(self.releases().values())))
        self.check(old + late)
        self.check_manage(old + late)
        *ended, self.parameter, self.policy = sorted(
            old + late, key=lambda guard: guard.name in (
                'parameter-late', 'policy-late'))
        for guard in ended:
            guard.end()
        self.remove()

    def check_mixed(self, old, late):
        """Engines of both releases serve requests."""
        releases = self.releases()
        self.assertGreater(int(releases['engine-1']),
                           int(releases['engine-2']))
        self.assertIn('Engines with different releases', self.run_program(
            'heat-extras-status', 'upgrade', 'check', status=1))
        self.check_deletion()
        self.check(old)
        self.protect(late)
        self.check(old + late)
        for _ in range(MOST_TRIES):
            self.check_killed(self.door)
            if len(self.killed) == 2:
                break
        self.assertEqual({'engine-1', 'engine-2'}, self.killed)

    # A snapshot deletion of the new engine

    def make_snapshot(self):
        """Create a snapshot; return the path of its stack, and its ID."""
        path = self.client.create_stack('slow', _SLOW)
        snapshot_id = self.assert_status(200, self.client.post(
            path + '/snapshots', {})).json()['id']
        self.client.wait_for_stack(path, ['SNAPSHOT_COMPLETE'])
        return path, snapshot_id

    def begin_deletion(self):
        """Let the new engine delete the snapshot, which takes a while."""
        path, snapshot_id = self.snapshot
        self.slow.touch()
        self.assert_status(204, self.client.delete(
            f'{path}/snapshots/{snapshot_id}'))
        self.wait_for('the deletion to begin', lambda: self.query(
            'SELECT action, status FROM snapshot WHERE id = :id',
            id=snapshot_id), lambda rows: rows == [('DELETE', 'IN_PROGRESS')])

    def check_deletion(self):
        """Each engine rejects a lock until the snapshot is deleted."""
        path, snapshot_id = self.snapshot
        for _ in range(self.engines):
            self.assertIn('DELETE_IN_PROGRESS', self.assert_status(
                409, self.act(path, 'lock')).text)
        self.slow.unlink()
        self.wait_for('the deletion to end', lambda: self.query(
            'SELECT id FROM snapshot WHERE id = :id', id=snapshot_id),
            lambda rows: not rows)
        self.assert_status(200, self.act(path, 'lock'))
        self.assert_status(200, self.act(path, 'unlock'))

    # Engines that are killed in the middle of a lock

    def check_killed(self, guard):
        """Kill an engine: the other release must end its operation."""
        self.check_killed_in('lock', guard, guard.fields())
        guard.act('unlock')
        guard.alice.wait_for_lock(guard.path, 'UNLOCK_COMPLETE')
        guard.protect()
        self.check_killed_in('unlock', guard)
        guard.act('unlock')
        guard.alice.wait_for_lock(guard.path, 'UNLOCK_COMPLETE')

    def check_killed_in(self, action, guard, fields=None):
        guard.hold(action)
        guard.act(action, fields)
        self.assertEqual(f'{action.upper()}_IN_PROGRESS',
                         guard.shown()['lock_status'])
        guard.expect_update_rejected()
        guard.expect_each(409, lambda: self.act(guard.path, 'lock'))
        self.kill(self.worker(guard))
        guard.free(action)
        guard.alice.wait_for_lock(guard.path, f'{action.upper()}_FAILED')
        guard.expect_update_rejected()
        self.ensure_both()
        guard.expect_update_rejected()

    def worker(self, guard):
        """Return the name of the engine that locks or unlocks."""
        (host,), = self.query(
            'SELECT s.host FROM heat_extras_guard g JOIN service s '
            'ON s.engine_id = g.engine_id WHERE g.stack_id = :id',
            id=guard.path.rpartition('/')[2])
        return host

    def kill(self, name):
        self.killed.add(name)
        self.cloud.engines[name].kill()

    def ensure_both(self):
        """Restart the killed engine with the same release."""
        if not self.cloud.engines['engine-1'].is_running():
            self.cloud.start_engine('engine-1')
        if not self.cloud.engines['engine-2'].is_running():
            self.start_old('engine-2')

    # What operators do beside locks

    def check_manage(self, made):
        lock = made[0]
        stack_id = lock.path.rpartition('/')[2]
        self.run_program('heat-manage', 'purge_deleted', '0')
        self.run_program('heat-manage', 'service', 'clean')
        self.assertIn('is locked (level stacks)', self.run_program(
            'heat-manage', 'migrate_convergence_1', stack_id, status=1))
        self.run_program('heat-manage', 'reset_stack_status', stack_id,
                         answer='y')
        self.check(made)
        waiting.until('engines to report', self.releases,
                      lambda value: len(value) == 2)

    # Removal

    def remove(self):
        """Remove heat-extras, also from rows that old engines have stored."""
        for name in list(self.cloud.engines):
            self.assertEqual(0, self.cloud.engines[name].stop())
            self.cloud.start_engine(name, features='')
        self.run_program('heat-extras-manage', 'rewrite-templates')
        self.run_program('heat-extras-manage', 'db_downgrade')
        self.assertEqual([], self.query(
            'SELECT table_name, column_name FROM information_schema.columns '
            'WHERE table_schema = DATABASE() AND (table_name LIKE '
            "'%heat_extras%' OR column_name LIKE 'lock_%' "
            "AND table_name = 'stack')"))
        self.parameter.expect(400, self.parameter.patch(
            parameters={'value': 'two'}))
        for guard in self.parameter, self.policy:
            guard.update({**guards.LONE, 'resources': {}})


class RollingFrom25Test(RollingTest):
    old = '25.0'


class RollingFrom26Test(RollingTest):
    old = '26.0'


class RecoveryTest(RollingTestCase):
    """Recovery of operations of a killed engine by another release."""

    kind = base.MARIADB
    old = '24.1'

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cloud.programs = cloud.OWN
        cls.cloud.synchronize()

    def run_alone(self, release):
        """Run only one engine, of a release; return its name."""
        for engine in self.cloud.engines.values():
            engine.kill()
        if release == self.old:
            self.start_old('engine-2')
            return 'engine-2'
        self.cloud.start_engine('engine-1')
        return 'engine-1'

    def created(self, template, **body):
        """Create a stack while one engine is running."""
        return self.client.create_stack(
            self.id().rpartition('.')[2].replace('_', '-')[5:60], template,
            **body)

    def dies(self, name, then, path, action):
        """Kill an engine that works on a stack, and run another engine."""
        stack_id = path.rpartition('/')[2]
        self.wait_for('a resource in progress', lambda: self.query(
            "SELECT id FROM resource WHERE status = 'IN_PROGRESS' "
            'AND action = :action AND stack_id = :id', action=action,
            id=stack_id))
        self.cloud.engines[name].kill()
        self.run_alone(then)
        stack = self.client.wait_for_status(path, f'{action}_FAILED')
        self.assertEqual(f'Engine went down during stack {action}',
                         stack['stack_status_reason'])
        self.assertEqual({True}, self.wait_for('the post calls', lambda: {
            call['failure'] for call in self.plugins.journal(
                stack['stack_name'])
            if (call['call'], call['action']) == ('post', action)}))
        self.assert_status(200, self.act(path, 'lock'))
        self.assert_status(200, self.act(path, 'unlock'))

    def check_update(self, by, then):
        name = self.run_alone(by)
        path = self.created({**guards.LONE, 'resources': {'test': {
            'type': 'OS::Heat::TestResource', 'properties': {
                'value': {'get_param': 'value'},
                'action_wait_secs': {'update': 600}}}}})
        self.assert_status(202, self.client.patch(
            path, {'parameters': {'value': 'two'}}))
        self.dies(name, then, path, 'UPDATE')
        self.assert_status(202, self.client.put(
            path, {'template': guards.LONE}))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'],
                                   failed='UPDATE_FAILED')

    def check_snapshot(self, by, then):
        name = self.run_alone(by)
        path = self.created(_SLOW)
        self.slow.touch()
        made = self.assert_status(200, self.client.post(
            path + '/snapshots', {})).json()['id']
        self.dies(name, then, path, 'SNAPSHOT')
        self.slow.unlink()
        snapshot = f'{path}/snapshots/{made}'
        self.wait_for(
            'the snapshot to fail', lambda: self.client.get(snapshot).json()[
                'snapshot']['status'], lambda status: status == 'FAILED')
        return path, snapshot

    def delete_snapshot(self, path, snapshot):
        self.assert_status(204, self.client.delete(snapshot))
        self.wait_for('the snapshot to go', lambda: self.client.get(
            snapshot).status_code, lambda status: status == 404)

    def test_update_of_old_release_is_recovered(self):
        self.check_update(self.old, heat_releases.own())

    def test_update_of_new_release_is_recovered(self):
        self.check_update(heat_releases.own(), self.old)

    def test_snapshot_of_old_release_is_recovered(self):
        # Heat 27 cannot delete snapshots without data, or stacks with them.
        self.check_snapshot(self.old, heat_releases.own())

    def test_suspend_of_new_release_is_recovered(self):
        self.check_suspend(heat_releases.own(), self.old)

    def test_suspend_of_old_release_is_recovered(self):
        self.check_suspend(self.old, heat_releases.own())

    def check_suspend(self, by, then):
        """Check a suspend that did not start: the stack can be updated."""
        name = self.run_alone(by)
        path = self.created(guards.LONE)
        slow = self.plugins.order('slow', 'test_a', 'SUSPEND', 600)
        self.addCleanup(slow.unlink)
        self.act(path, 'suspend')
        self.plugins.wait_for(path.split('/')[2], 'pre SUSPEND')
        self.cloud.engines[name].kill()
        self.run_alone(then)
        self.client.wait_for_status(path, 'SUSPEND_FAILED')
        self.assert_status(202, self.client.put(
            path, {'template': guards.LONE}))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'],
                                   failed='SUSPEND_FAILED')

    def test_snapshot_of_new_release_is_recovered(self):
        self.delete_snapshot(*self.check_snapshot(heat_releases.own(),
                                                  self.old))
