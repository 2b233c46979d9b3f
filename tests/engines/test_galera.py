# SPDX-License-Identifier: Apache-2.0

"""An engine whose Galera node has no quorum (error 1047)."""

from tests.engines import base
from tests.harness.services import shared
from tests.stress import templates

_INSIDE = ('SELECT', 'pymysql', 'Traceback', '1047')
_OURS = {'lock': {'level': 'stacks'}, 'unlock': None, 'protect': {},
         'unprotect': None}


class NoQuorumTest(base.CloudTestCase):

    kind = base.GALERA_OF_THREE
    # That of the first node.
    engines = 1

    def setUp(self):
        super().setUp()
        self.node = shared.server(*self.kind).nodes[0]
        self.path = self.client.create_stack(
            self.id().rpartition('.')[2], templates.TREE,
            files=templates.FILES)

    def cut_off(self):
        self.node.cut_off()
        self.addCleanup(self.reconnect)
        self.node.wait_for_quorum(False)

    def reconnect(self):
        self.node.reconnect()
        self.node.wait_until_synced()

    def test_requests_get_503_without_quorum_and_work_afterwards(self):
        self.cut_off()
        for name, fields in _OURS.items():
            answer = self.assert_status(
                503, self.act(self.path, name, fields))
            self.assertEqual('DatabaseAway', answer.json()['error']['type'])
            message = answer.json()['error']['message']
            self.assertTrue(message.startswith(
                f'{name}: the Heat database is unavailable'), message)
            for words in _INSIDE:
                self.assertNotIn(words, message)
        self.reconnect()
        for name, fields in _OURS.items():
            self.assert_status(200, self.act(self.path, name, fields))

    def test_lock_survives_loss_of_quorum(self):
        self.assert_status(200, self.act(self.path, 'lock'))
        self.cut_off()
        self.assertGreaterEqual(
            self.client.delete(self.path).status_code, 500)
        self.reconnect()
        answer = self.assert_status(409, self.client.delete(self.path))
        self.assertIn('StackLocked', answer.text)
        self.assert_status(200, self.act(self.path, 'unlock'))
        self.assert_status(204, self.client.delete(self.path))
