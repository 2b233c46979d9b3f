# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` while an engine, Nova or the database fails."""

import time

from tests.cloud import protection
from tests.cloud import templates

_COUNT = 6


class FailureTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.create_stack(templates.servers(_COUNT))
        self.stack_id = self.path.rpartition('/')[2]
        self.nova = self.cloud.nova.api
        self.ids = {each['physical_resource_id']
                    for each in self._servers()}

    def test_engine_killed_during_lock(self):
        self._kill_in_the_middle('lock', {'level': 'all'}, _COUNT - 1)
        self.assert_ledger_and_nova_agree('LOCK_FAILED')
        self.assert_refused(self.alice.put(self.path, {
            'template': templates.stack()}))
        self.lock(self.path)
        self.assertEqual(self.ids, self.locked_servers())
        self.unlock(self.path)
        self.assertEqual(set(), self.locked_servers())

    def test_engine_killed_during_unlock(self):
        self.lock(self.path)
        self._kill_in_the_middle('unlock', None, 1)
        self.assert_ledger_and_nova_agree('UNLOCK_FAILED')
        self.unlock(self.path, self.client('bob'))
        self.assertEqual(set(), self.locked_servers())

    def test_delete_after_failed_lock_deletes_all_servers(self):
        self._kill_in_the_middle('lock', {'level': 'all'}, _COUNT - 1)
        self.settled(self.path, 'LOCK_FAILED')
        self.assert_status(204, self.alice.delete(self.path))
        self.alice.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assertEqual([], self.alice.call(
            'compute', 'GET', '/servers').json()['servers'])

    def test_lock_and_unlock_fail_while_nova_is_stopped(self):
        self.nova.stop()
        self.addCleanup(self._start_nova)
        stack = self.lock(self.path, status='LOCK_FAILED')
        self.assertIn(f'{_COUNT} of {_COUNT} resources could not be '
                      'protected', stack['lock_status_reason'])
        self.assertEqual('all', stack['lock_level'])
        self._start_nova()
        self.assertEqual(set(), self.locked_servers())
        self.lock(self.path)
        self.assertEqual(self.ids, self.locked_servers())
        self.nova.stop()
        self.unlock(self.path, status='UNLOCK_FAILED')
        self._start_nova()
        self.assertEqual(self.ids, self.locked_servers())
        self.unlock(self.path)
        self.assertEqual(set(), self.locked_servers())

    def test_database_unavailable_during_lock(self):
        self._pause_nova_in_the_middle('lock', {'level': 'all'}, _COUNT - 1)
        self.cloud.host.database.stop()
        try:
            self.nova.go_on()
            time.sleep(5)
        finally:
            self.cloud.host.database.start()
        self.wait_for('the end of the lock', self.status, lambda status:
                      not status.endswith('_IN_PROGRESS'))
        self.assertIn(self.status(), ('LOCK_COMPLETE', 'LOCK_FAILED'))
        self.unlock(self.path)
        self.assertEqual(set(), self.locked_servers())

    def status(self):
        answer = self.alice.get(self.path)
        if answer.status_code != 200:
            return '_IN_PROGRESS'
        return answer.json()['stack']['lock_status']

    def assert_ledger_and_nova_agree(self, status):
        """Wait until the other engine has checked the servers twice."""
        self.settled(self.path, status)
        self.wait_for('ledger and Nova to agree', self._agree)

    def _agree(self):
        locked = self.locked_servers()
        # A server that Nova locked late may be recorded as failed.
        return (self._shown('protected') <= locked
                <= self._shown('protected', 'failed'))

    def _shown(self, *protections):
        return {each['physical_resource_id'] for each in self._servers()
                if each['lock_protection'] in protections}

    def _servers(self):
        return [each for each in self.resources(self.path).values()
                if each['resource_type'] == 'OS::Nova::Server']

    def _kill_in_the_middle(self, action, fields, locked):
        self._pause_nova_in_the_middle(action, fields, locked)
        engine = self.cloud.heat.engine_at_work(self.stack_id)
        engine.kill()
        self.addCleanup(engine.start)
        # Nova now processes the earlier requests.
        self.nova.go_on()

    def _pause_nova_in_the_middle(self, action, fields, locked):
        """Pause Nova when only one server remains to be processed.

        :param locked: the number of locked servers at that time.
        """
        # Nova cannot write the row of this server.
        with self.cloud.host.database.holding(
                'SELECT uuid FROM nova.instances '
                f"WHERE uuid = '{min(self.ids)}' FOR UPDATE"):
            self.assert_status(200, self.act(self.path, action, fields))
            self.wait_for('Nova to have done all but one',
                          self._count_locked, lambda count: count == locked)
            self.nova.pause()

    def _count_locked(self):
        # Nova's API can be paused here.
        ids = ', '.join(f"'{id_}'" for id_ in self.ids)
        (count,), = self.cloud.host.database.execute(
            'SELECT COUNT(*) FROM nova.instances '
            f'WHERE locked = 1 AND uuid IN ({ids})')
        return count

    def _start_nova(self):
        if not self.nova.is_running():
            self.nova.start()
