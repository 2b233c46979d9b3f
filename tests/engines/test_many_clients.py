# SPDX-License-Identifier: Apache-2.0

"""One of many clients that send the same lock request is successful."""

import collections
from concurrent import futures
import threading

from tests.engines import base
from tests.stress import templates

_CLIENTS = 200


class ManyClientsTest(base.CloudTestCase):
    # On a busy machine the last of them waits for all others.
    more = 'rpc_response_timeout = 300'

    def _lock(self, path, together):
        client = self.cloud.client()
        together.wait(60)
        return client.post(path + '/actions', {
            'lock': {'level': 'stacks', 'id': None}})

    def test_one_of_two_hundred_clients_gets_the_lock(self):
        path = self.client.create_stack('wanted', templates.TREE,
                                        files=templates.FILES)
        together = threading.Barrier(_CLIENTS)
        with futures.ThreadPoolExecutor(_CLIENTS) as pool:
            answers = list(pool.map(lambda _: self._lock(path, together),
                                    range(_CLIENTS)))
        self.assertEqual(
            {200: 1, 409: _CLIENTS - 1},
            collections.Counter(each.status_code for each in answers),
            [each.text for each in answers if each.status_code >= 500][:3])
        winner, = (each.json()['lock']['id'] for each in answers
                   if each.status_code == 200)
        self.assertEqual(winner, self.client.show_stack(path)['lock_id'])
        self.assertEqual([(1,)], self.query(
            'SELECT count(*) FROM heat_extras_guard'))
        self.assert_status(200, self.act(path, 'unlock'))
        self.assert_status(204, self.client.delete(path))
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])


class MariaDBTest(ManyClientsTest):
    kind = base.MARIADB


class PostgreSQLTest(ManyClientsTest):
    kind = base.POSTGRESQL
