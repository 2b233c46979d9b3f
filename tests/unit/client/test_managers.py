# SPDX-License-Identifier: Apache-2.0

import fixtures
from heatclient import exc
import testtools

from heat_extras.client import managers
from tests.unit.client import answers
from tests.unit.client import base


class SessionClientTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(base.HeatServer())
        self.web = self.heat.add('web')
        self.path = f'/v1/demo/stacks/web/{self.web.id}/actions'
        self.locks = managers.LockManager(self.client())

    def client(self):
        return self.heat.session_client()

    def test_lock_by_name_posts_to_the_full_identity(self):
        self.assertEqual({'lock': {'id': 'lock-of-web'}},
                         self.locks.lock('web'))
        self.assertEqual([(self.path, {'lock': {}})],
                         self.heat.posts())

    def test_lock_by_full_identity_needs_no_lookup(self):
        self.locks.lock('web/' + self.web.id)
        self.assertEqual(['POST'], [each[0] for each in self.heat.requests])

    def test_reason_is_sent_unchanged(self):
        reason = 'Grüße: "no\' more", 数据库\n'
        self.locks.lock('web', level='stacks', reason=reason)
        self.assertEqual(
            [(self.path, {'lock': {'level': 'stacks', 'reason': reason}})],
            self.heat.posts())

    def test_lock_id_is_sent(self):
        for options, sent in (
                ({'lock_id': 'x'}, {'lock': {'id': 'x'}}),
                ({'lock_id': None}, {'lock': {'id': None}})):
            self.locks.lock('web', **options)
            self.assertEqual(sent, self.heat.posts()[-1][1])
        self.locks.unlock('web', 'x')
        self.assertEqual({'unlock': {'id': 'x'}}, self.heat.posts()[-1][1])

    def test_list_locks_requests_pages_on_demand(self):
        for name in 'abcde':
            self.heat.add(name).lock({'level': 'all' if name == 'c'
                                      else 'stacks'})
        self.heat.server.page_size = 2
        names = [each['stack_name'] for each in self.locks.list_locks()]
        self.assertEqual(list('abcde'), names)
        self.assertEqual(
            ['/v1/demo/locks', '/v1/demo/locks?marker=lock-of-b',
             '/v1/demo/locks?marker=lock-of-d'],
            [each[1] for each in self.heat.requests])
        self.heat.requests.clear()
        self.assertEqual('a', next(self.locks.list_locks())['stack_name'])
        self.assertEqual(1, len(self.heat.requests))

    def test_limit_applies_to_all_pages_together(self):
        for name in 'abc':
            self.heat.add(name).lock({'level': 'all'})
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.managers.PAGE', 1))
        self.assertEqual(['a', 'b'], [each['stack_name'] for each in
                                      self.locks.list_locks(limit=2)])
        self.assertEqual(2, len(self.heat.requests))

    def test_lock_response_not_from_heat_is_rejected(self):
        for name, answer in answers.STRANGE.items():
            self.web.refusal = answer
            error = self.assertRaises(managers.InvalidAnswer, self.locks.lock,
                                      'web')
            self.assertIn('not from the API of Heat', str(error), name)

    def test_stack_lookup_not_from_heat_is_rejected(self):
        for answer in (*answers.STRANGE.values(),
                       (302, '', 'http://localhost/login')):
            self.web.lookup_refusal = answer
            self.assertRaises(managers.InvalidAnswer, self.locks.unlock, 'web')

    def test_an_unknown_stack_is_not_found(self):
        error = self.assertRaises(
            exc.HTTPNotFound, self.locks.lock, 'nosuch')
        self.assertIn('The Stack (nosuch) could not be found.', str(error))
        self.assertEqual([], self.heat.posts())

    def test_question_mark_in_stack_name_is_quoted(self):
        self.assertRaises(exc.HTTPNotFound, self.locks.lock, 'web?x')
        self.assertEqual([], self.heat.posts())

    def test_conflict_is_raised_with_fault_of_heat(self):
        self.web.refusal = base.fault(409, 'StackLocked', 'It is locked.')
        error = self.assertRaises(
            exc.HTTPConflict, self.locks.unlock, 'web')
        self.assertEqual('StackLocked', error.error['error']['type'])


class TokenClientTest(SessionClientTest):

    def client(self):
        return self.heat.token_client()

    def test_the_token_is_sent(self):
        self.locks.lock('web')
        self.assertEqual({'alice:member'},
                         {headers['X-Auth-Token'] for *_, headers
                          in self.heat.requests})
