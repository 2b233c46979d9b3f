# SPDX-License-Identifier: Apache-2.0

"""Requests that clients retry after an error.

A proxy in front of Heat, or an unavailable message broker, can lose the
response to a completed request. A client that retries the request must not set
or remove locks by mistake.
"""

import itertools

import requests
from requests import adapters
from urllib3.util import retry

from tests.consumers import base
from tests.engines import base as engines
from tests.functional import templates
from tests.harness import heat_client
from tests.harness import unreliable_service

# The time that Heat's API waits for an engine, on a busy machine.
_SECONDS = 20
_numbers = itertools.count(1)
_AGAIN = [500, 502, 503, 504]


class LostAnswerTest(base.ConsumerTestCase):
    """The first response is 500, although the request was completed."""

    def setUp(self):
        super().setUp()
        self.heat = self.environment.client(self.project())
        self.path = self.heat.create_stack('web', templates.SMALL)
        self.front = self.useFixture(
            unreliable_service.UnreliableService(self.heat.url))
        rest = self.heat.url.split('/', 3)[3]
        self.through = heat_client.Client(f'{self.front.url}/{rest}')
        self.through.token = self.heat.token

    def twice(self, name, fields=None, between=None):
        """Send an action, discard the response, and send it again.

        :param between: what others do meanwhile.
        """
        self.front.be('late')
        self.assertEqual(500, self._send(name, fields).status_code)
        self.front.be('')
        if between:
            between()
        return self._send(name, fields)

    def act(self, name, fields=None):
        answer = self.heat.post(f'{self.path}/actions', {name: fields})
        self.assertEqual(200, answer.status_code, answer.text)
        return answer

    def lock(self):
        """Return reason and ID of the lock in effect, or None."""
        stack = self.heat.show_stack(self.path)
        return stack['lock_level'] and (
            stack['lock_reason'], stack['lock_id'])

    def _send(self, name, fields):
        return self.through.post(f'{self.path}/actions', {name: fields})

    def test_retried_lock_returns_id_of_lock_in_effect(self):
        answer = self.twice('lock', {'level': 'stacks', 'reason': 'move'})
        self.assertEqual(200, answer.status_code, answer.text)
        lock_id = answer.json()['lock']['id']
        self.assertEqual(('move', lock_id), self.lock())
        self.act('unlock', {'id': lock_id})
        self.assertIsNone(self.lock())

    def test_retried_lock_of_unlocked_stack_is_rejected(self):
        answer = self.twice('lock', {'level': 'stacks', 'reason': 'move',
                                     'id': None})
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn('is in effect. The lock was not changed.', answer.text)
        self.assertEqual('move', self.lock()[0])

    def test_retried_unlock_is_rejected(self):
        self.act('lock', {'level': 'stacks'})
        answer = self.twice('unlock')
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn('not locked', answer.text)

    def test_retried_unlock_with_id_keeps_lock_of_other_user(self):
        self.act('lock', {'level': 'stacks'})
        answer = self.twice(
            'unlock', {'id': self.lock()[1]}, lambda: self.act(
                'lock', {'level': 'stacks', 'reason': 'anothers'}))
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertEqual('anothers', self.lock()[0])

    def test_retried_unlock_without_id_removes_lock_of_other_user(self):
        self.act('lock', {'level': 'stacks'})
        answer = self.twice('unlock', between=lambda: self.act(
            'lock', {'level': 'stacks', 'reason': 'anothers'}))
        self.assertEqual(200, answer.status_code, answer.text)
        self.assertIsNone(self.lock())


class BrokerTest(engines.CloudTestCase):
    """Two engines that hang, or whose message broker is unavailable."""

    kind = engines.MARIADB
    more = f'rpc_response_timeout = {_SECONDS}\n'

    def setUp(self):
        super().setUp()
        # The name is available shortly after DELETE_COMPLETE.
        self.name = f'web-{next(_numbers)}'
        self.path = self.client.create_stack(self.name, templates.SMALL)
        self.addCleanup(self._remove)

    def _remove(self):
        self.wait_for('the stack to be free', lambda: self.insistently(
            'unlock').status_code, lambda status: status == 409)
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def lock_id(self):
        return self.query('SELECT lock_id FROM stack WHERE name = :name',
                          name=self.name)[0][0]

    def insistently(self, name, fields=None):
        """Send an action, and retry after errors of Heat."""
        with requests.Session() as session:
            session.mount('http://', adapters.HTTPAdapter(
                max_retries=retry.Retry(
                    total=20, status_forcelist=_AGAIN, allowed_methods=None,
                    backoff_factor=0.1, backoff_max=2)))
            return session.post(
                f'{self.client.url}{self.path}/actions', json={name: fields},
                headers=self.client.headers())

    def test_lock_is_set_after_messaging_timeout(self):
        go_on = self._hang()
        answer = self.assert_status(500, self.act(self.path, 'lock'))
        self.assertIn('MessagingTimeout', answer.text)
        go_on()
        lock_id = self.wait_for('the lock', self.lock_id)
        self.assert_status(200, self.act(
            self.path, 'unlock', {'id': lock_id}))

    def test_retried_lock_sets_one_lock_if_engines_hang(self):
        go_on = self._hang()
        answer = self.in_background(
            self.insistently, 'lock', {'level': 'stacks'})
        self._wait_for_tries(2)
        go_on()
        self.assert_status(200, answer.result())
        # Each request is executed, in an unknown order.
        self.wait_for('both locks', lambda: sum(
            self.cloud.log_text(name).count(f'Locked {self.name} ')
            for name in self.cloud.engines), lambda count: count >= 2)
        self.assertEqual([(self.lock_id(),)], self.query(
            'SELECT lock_id FROM stack WHERE lock_level IS NOT NULL'))
        self.assertEqual([(1,)], self.query(
            'SELECT COUNT(*) FROM heat_extras_guard'))

    def test_retried_lock_succeeds_if_broker_was_unavailable(self):
        self.cloud.broker.stop()
        self.addCleanup(self.cloud.broker.start)
        answer = self.in_background(
            self.insistently, 'lock', {'level': 'stacks'})
        self._wait_for_tries(1)
        self.cloud.broker.start()
        locked = self.assert_status(200, answer.result())
        self.assertEqual(locked.json()['lock']['id'], self.lock_id())
        self.assert_status(200, self.insistently('unlock'))
        self.assertIsNone(self.lock_id())

    def _hang(self):
        """Pause the engines; returns a function that continues them."""
        hanging = list(self.cloud.engines.values())

        def go_on():
            for each in hanging:
                each.go_on()

        self.addCleanup(go_on)
        for each in hanging:
            each.pause()
        return go_on

    def _wait_for_tries(self, count):
        """Wait until the API has received a number of requests."""
        self.wait_for(f'{count} tries', lambda: self.cloud.log_text(
            'api').count(f'POST /v1/demo{self.path}/actions') >= count)
