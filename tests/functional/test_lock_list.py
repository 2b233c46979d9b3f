# SPDX-License-Identifier: Apache-2.0

"""Tests of the list of locks: GET /v1/{project}/locks."""

import uuid

from tests.functional import base
from tests.functional import templates

KEYS = {'id', 'stack_id', 'stack_name', 'project', 'level', 'status',
        'reason', 'locked_by', 'locked_at', 'expires_at', 'pass'}


class LockListTest(base.TestCase):

    def setUp(self):
        super().setUp()
        self.admin = self.sandbox.client('ops', 'admin', 'member')
        self.reader = self.sandbox.client('eve', 'reader')
        self.other = base.Client(
            self.sandbox.url.rpartition('/')[0] + '/other', 'bob')

    def add(self, client=None, **lock):
        """Create a stack and lock it.

        :returns: what is shown of it.
        """
        client = client or self.client
        path = client.create_stack('listed-' + uuid.uuid4().hex,
                                   templates.SMALL)
        self.addCleanup(client.delete, path)
        self.addCleanup(self.admin_of(client).post, path + '/actions',
                        {'unlock': None})
        answer = client.post(path + '/actions', {
            'lock': {'level': 'stacks', **lock}})
        self.assertEqual(200, answer.status_code, answer.text)
        return client.show_stack(path)

    def admin_of(self, client):
        return self.admin if client is self.client else client

    def list(self, query='', client=None, status=200):
        answer = (client or self.client).get('/locks' + query)
        self.assertEqual(status, answer.status_code, answer.text)
        return answer.json()

    def ids(self, *arguments, **keywords):
        return [lock['id'] for lock
                in self.list(*arguments, **keywords)['locks']]

    def test_list_shows_fields_of_locks(self):
        self.assertEqual({'locks': [], 'links': []}, self.list())
        stack = self.add(reason='db move')
        lock, = self.list(client=self.reader)['locks']
        self.assertEqual(KEYS, set(lock))
        self.assertEqual(
            (stack['lock_id'], stack['id'], stack['stack_name'], 'stacks',
             'LOCK_COMPLETE', 'db move', 'alice', stack['locked_at']),
            tuple(lock[name] for name in (
                'id', 'stack_id', 'stack_name', 'level', 'status', 'reason',
                'locked_by', 'locked_at')))
        self.assertEqual([], self.ids('?level=all'))
        self.assertEqual([lock['id']], self.ids('?level=stacks'))
        path = f'/stacks/{stack["stack_name"]}/{stack["id"]}'
        self.client.post(path + '/actions', {'unlock': None})
        self.assertEqual([], self.ids())

    def test_pages_are_linked(self):
        wanted = sorted(self.add()['lock_id'] for _ in range(3))
        self.assertEqual(wanted, self.ids())
        first = self.list('?limit=2&level=stacks')
        self.assertEqual(wanted[:2], [lock['id'] for lock in first['locks']])
        link, = first['links']
        self.assertEqual('next', link['rel'])
        path = link['href'].partition('/locks')[2]
        self.assertIn('level=stacks', path)
        last = self.list(path)
        self.assertEqual((wanted[2:], []), (
            [lock['id'] for lock in last['locks']], last['links']))
        self.assertEqual([], self.list('?limit=3')['links'])
        gone = wanted[0][:-1] + ('1' if wanted[0][-1] == '0' else '0')
        self.assertIn(self.ids('?marker=' + gone), (wanted, wanted[1:]))

    def test_only_administrators_list_other_projects(self):
        own_id = self.add()['lock_id']
        other_id = self.add(self.other)['lock_id']
        self.assertEqual([own_id], self.ids())
        self.assertEqual([other_id], self.ids(client=self.other))
        self.assertEqual([own_id], self.ids(client=self.admin))
        self.list('?all_projects=true', status=403)
        locks = {lock['id']: lock for lock in self.list(
            '?all_projects=true', client=self.admin)['locks']}
        self.assertEqual('alice', locks[own_id]['locked_by'])
        self.assertIsNone(locks[other_id]['locked_by'])
        self.assertNotEqual(locks[own_id]['project'],
                            locks[other_id]['project'])

    def test_invalid_queries_are_rejected(self):
        for query in ('?limit=0', '?limit=1001', '?marker=x', '?level=x',
                      '?all_projects=1', '?offset=1', '?expires_before=x'):
            answer = self.list(query, status=400)
            self.assertIn('Invalid ', answer['error']['message'])

    def test_other_methods_are_rejected(self):
        self.assertEqual(405, self.client.post('/locks', {}).status_code)
        self.assertEqual(405, self.client.delete('/locks').status_code)
