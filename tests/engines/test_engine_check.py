# SPDX-License-Identifier: Apache-2.0

"""Locks are rejected while an engine runs without heat-extras."""

from tests.engines import base
from tests.stress import templates


class _UnguardedTestCase(base.CloudTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack(
            f'web-{self.id().rpartition(".")[2][5:60]}', templates.TREE,
            files=templates.FILES)

    def _lock(self):
        return self.act(self.path, 'lock', {'level': 'stacks'})

    def wait_until_locked(self):
        self.wait_for('the lock', self._lock,
                      lambda answer: answer.status_code == 200)

    def _is_locked(self):
        return self.client.show_stack(self.path)['lock_level'] is not None


class UnguardedTest(_UnguardedTestCase):
    def test_lock_is_rejected_while_unguarded_engine_lives(self):
        engine = self.cloud.start_engine('engine-bare', features='')
        answer = self.assert_status(409, self._lock())
        self.assertIn('engine-bare', answer.text)
        self.assertNotIn('engine-1', answer.text)
        self.assertEqual(0, engine.stop())
        self.wait_until_locked()

    def test_lock_works_after_unguarded_engine_died(self):
        engine = self.cloud.start_engine('engine-bare', features='')
        self.assert_status(409, self._lock())
        engine.kill()
        self.wait_until_locked()


class MariaDBTest(UnguardedTest):
    kind = base.MARIADB


class PostgreSQLTest(UnguardedTest):
    kind = base.POSTGRESQL


class OverrideTest(_UnguardedTestCase):
    kind = base.POSTGRESQL
    more = '[heat_extras]\nallow_unguarded_engines = true'

    def test_allow_unguarded_engines_permits_lock(self):
        self.cloud.start_engine('engine-bare', features='')
        statuses = set()
        self.wait_for('the lock', self._lock, lambda answer: statuses.add(
            answer.status_code) or answer.status_code == 200)
        # An engine without heat-extras has no such method.
        self.assertLessEqual(statuses, {200, 409})
