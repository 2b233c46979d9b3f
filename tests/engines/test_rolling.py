# SPDX-License-Identifier: Apache-2.0

"""Heat goes from one release to the next while a stack is locked.

HEAT_EXTRAS_OLD_HEAT names the directory of programs (``bin``) of a Python
environment with an older Heat, and with heat-extras.
"""

import os

import testtools

from tests.engines import base
from tests.rigs.engines import cloud
from tests.rigs import waiting
from tests.storm import templates

OLD = os.environ.get('HEAT_EXTRAS_OLD_HEAT')
# More requests than engines: each engine gets some.
REQUESTS = 6


@testtools.skipUnless(OLD, 'HEAT_EXTRAS_OLD_HEAT names no environment')
class RollingTest(base.CloudTestCase):
    kind = base.MARIADB

    @classmethod
    def setUpClass(cls):
        testtools.TestCase.setUpClass()
        cls.cloud = cls.use_in_class(
            cloud.Cloud(cls.kind, 2, programs=OLD))

    def releases(self):
        return {row.host: row.heat_version.partition('.')[0]
                for row in self.query(
                    'SELECT host, heat_version FROM heat_extras_engine')}

    def check_locked(self):
        for _ in range(REQUESTS):
            self.assert_status(409, self.client.delete(self.path))
            self.assert_status(409, self.act(self.path, 'suspend'))
        self.assertEqual('LOCK_COMPLETE', self.client.lock_status(self.path))

    def replace(self, name):
        """Stop an engine of the old release, and start one of the new."""
        self.assertEqual(0, self.cloud.engines[name].stop())
        self.check_locked()
        self.cloud.start_engine(name)
        self.check_locked()

    def test_stack_stays_locked_throughout(self):
        self.path = self.client.create_stack(
            'web', templates.TREE, files=templates.FILES)
        self.assert_status(200, self.act(
            self.path, 'lock', {'level': 'stacks', 'reason': 'upgrade'}))
        old = self.releases()
        self.check_locked()

        self.cloud.programs = cloud.OWN
        status, text = self.cloud.run('heat-extras-status', 'upgrade',
                                      'check', '--no-db')
        self.assertEqual(0, status, text)
        self.cloud.synchronize()
        self.check_locked()

        self.replace('engine-1')
        new = self.releases()
        self.assertGreater(int(new['engine-1']), int(new['engine-2']))
        status, text = self.cloud.run('heat-extras-status', 'upgrade',
                                      'check')
        self.assertEqual(1, status, text)
        self.assertIn('Engines that differ', text)
        self.replace('engine-2')
        self.cloud.restart_api()
        self.check_locked()

        self.assertNotEqual(old, self.releases())
        self.assertEqual(1, len(set(self.releases().values())))
        # Engines of a release without ids may have locked it.
        lock_id = waiting.until(
            'the lock to have an id',
            lambda: self.client.show_stack(self.path)['lock_id'], bool)
        self.assertEqual([lock_id], [
            lock['id'] for lock in self.client.get('/locks').json()['locks']])
        self.assert_status(409, self.act(self.path, 'lock', {'id': None}))
        self.assert_status(200, self.act(self.path, 'unlock',
                                         {'id': lock_id}))
        self.assert_status(202, self.client.put(self.path, {
            'template': templates.TREE, 'files': templates.FILES,
            'parameters': {'value': 'two'}}))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
