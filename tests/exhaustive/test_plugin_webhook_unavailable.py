# SPDX-License-Identifier: Apache-2.0

"""Requests that are rejected while the webhook service is unavailable."""

import json
import sqlite3

from tests.functional import base
from tests.harness import policy_service
from tests.harness import waiting

TEXT = {'type': 'OS::Heat::RandomString'}
FILES = {'inner.yaml': json.dumps({
    'heat_template_version': '2018-08-31', 'resources': {'text': TEXT}})}
INNER = {'type': 'inner.yaml'}
AWAY = ('Lifecycle plugin heat_extras_webhook failed before {}: no '
        'connection to the service. {} Try again later, or ask the operator '
        'of this Heat.')
# Columns that show the last request to a stack.
SHOWN = ('action', 'status', 'status_reason', 'updated_at',
         'current_traversal')


def template(**resources):
    return {'heat_template_version': '2018-08-31',
            'parameters': {'value': {'type': 'string', 'default': 'one'}},
            'resources': {'test': {
                'type': 'OS::Heat::TestResource', 'properties': {
                    'value': {'get_param': 'value'}}}, **resources}}


class TestCase(base.TestCase):
    is_shared = False
    more = ''

    @classmethod
    def setUpClass(cls):
        cls.service = cls.use_in_class(policy_service.PolicyService())
        address = cls.service.url.replace('//', '//opa:word@') + '/plain'
        cls.settings = (f'{cls.more}\n[heat_extras]\nwebhook_url = {address}'
                        '\nwebhook_attempts = 2\nwebhook_timeout = 2\n'
                        + cls.settings_of_plugin)
        super().setUpClass()

    settings_of_plugin = ''

    def log(self):
        with open(self.sandbox.log_path) as source:
            return source.read()

    def rows(self, path):
        """Read all that the database has of a stack, but its state."""
        stack_id = path.rpartition('/')[2]
        with self.sandbox.database() as base:
            base.row_factory = sqlite3.Row
            rows = {table: [dict(row) for row in base.execute(
                f'SELECT * FROM {table} WHERE {key} = ?', [stack_id])]
                for table, key in (('stack', 'id'), ('resource', 'stack_id'),
                                   ('snapshot', 'stack_id'))}
            rows['template'] = [tuple(row) for row in base.execute(
                'SELECT * FROM raw_template WHERE id = ?',
                [rows['stack'][0]['raw_template_id']])]
        for name in SHOWN:
            del rows['stack'][0][name]
        return rows

    def refuse(self, path, action):
        """Request an action and return the reason of its rejection."""
        if action == 'DELETE':
            self.client.delete(path)
        else:
            answer = self.client.post(path + '/actions',
                                      {action.lower(): None})
            self.assertEqual(200, answer.status_code, answer.text)
        stack = self.client.wait_for_status(path, f'{action}_FAILED')
        return stack['stack_status_reason']

    def update(self, path, status='UPDATE_COMPLETE', **body):
        answer = self.client.patch(path, {
            'parameters': {'value': 'two'}, **body})
        self.assertEqual(202, answer.status_code, answer.text)
        return self.client.wait_for_status(path, status)

    def remove(self, path):
        self.client.delete(path)
        self.client.wait_for_status(path, 'DELETE_COMPLETE')


class UnavailableMixin:

    def create(self, name, **resources):
        return self.client.create_stack(name, template(**resources),
                                        files=FILES)

    def test_rejected_delete_changes_nothing_and_states_reason(self):
        path = self.create('kept', inner=INNER)
        self.client.post(path + '/snapshots', {'name': 'before'})
        self.client.wait_for_status(path, 'SNAPSHOT_COMPLETE')
        before, logged = self.rows(path), len(self.log())
        with self.service.away():
            message = self.refuse(path, 'DELETE')
        self.assertEqual(AWAY.format('DELETE', 'Nothing was deleted.'),
                         message)
        self.assertEqual(before, self.rows(path))
        self.assert_one_line(path, self.log()[logged:])
        self.assertRegex(
            self.sandbox.run('heat-extras-manage', 'metrics').stdout,
            r'plugin_errors_total{plugin="heat_extras_webhook",'
            r'action="DELETE"} [1-9]')
        # The stack can still be used.
        self.update(path)
        self.remove(path)

    def assert_one_line(self, path, log):
        self.assertNotIn('Traceback', log)
        self.assertNotIn('opa:word', log)
        line, = [line for line in log.splitlines()
                 if self.service.url.partition('//')[2] in line]
        for part in ('ERROR', path.rpartition('/')[2], 'kept',
                     'failed before DELETE: no connection to the service'):
            self.assertIn(part, line)

    def wait_for_second_refusal(self, path):
        waiting.until(
            'the second refusal', lambda: self.client.get(
                path + '/events?sort_dir=desc').json()['events'],
            lambda events: len([
                event for event in events
                if event['resource_status'] == 'DELETE_FAILED'
                and 'Lifecycle plugin' in event[
                    'resource_status_reason']]) == 2)

    def test_update_is_rejected_after_two_rejected_deletes(self):
        path = self.create('twice')
        with self.service.away():
            self.refuse(path, 'DELETE')
            self.refuse(path, 'DELETE')
            self.wait_for_second_refusal(path)
            stack = self.update(path, 'UPDATE_FAILED')
            self.assertEqual(
                AWAY.format('UPDATE', 'Nothing was changed.'),
                stack['stack_status_reason'])
        self.update(path)
        self.remove(path)

    def test_second_delete_during_pre_call_is_rejected(self):
        path = self.create('impatient')
        with self.service.away('silent'):
            self.client.delete(path)
            self.client.wait_for_status(path, 'DELETE_IN_PROGRESS')
            self.client.delete(path)
            self.wait_for_second_refusal(path)
            stack = self.client.wait_for_status(path, 'DELETE_FAILED')
        self.assertIn('no answer of the service', stack['stack_status_reason'])
        self.update(path)
        self.remove(path)

    def test_rejected_suspend_leaves_stack_usable(self):
        path = self.create('awake')
        with self.service.away():
            message = self.refuse(path, 'SUSPEND')
        self.assertEqual(AWAY.format('SUSPEND', 'Nothing was changed.'),
                         message)
        self.update(path)
        self.remove(path)

    def test_stack_stays_suspended_after_rejected_delete(self):
        path = self.create('asleep')
        self.client.post(path + '/actions', {'suspend': None})
        self.client.wait_for_status(path, 'SUSPEND_COMPLETE')
        with self.service.away():
            self.refuse(path, 'DELETE')
        answer = self.client.patch(path, {'parameters': {'value': 'two'}})
        self.assertIn('suspended', answer.text)
        self.client.post(path + '/actions', {'resume': None})
        self.client.wait_for_status(path, 'RESUME_COMPLETE')
        self.update(path)
        self.remove(path)

    def test_stack_cannot_be_updated_after_partial_delete(self):
        path = self.create('half', inner=INNER)
        for which, wanted in (('all', 'Lifecycle plugin'),
                              ('nested', 'Resource DELETE failed'),
                              ('all', 'Lifecycle plugin')):
            with self.service.away(which):
                self.client.delete(path)
                waiting.until(
                    f'a delete to fail: {wanted}',
                    lambda: self.client.show_stack(path),
                    lambda stack, wanted=wanted: stack['stack_status'] ==
                    'DELETE_FAILED' and
                    stack['stack_status_reason'].startswith(wanted))
        answer = self.client.patch(path, {})
        self.assertIn('when it is deleting', answer.text)
        self.remove(path)

    def test_delete_during_update_is_rejected_and_stack_stays_usable(self):
        path = self.create('busy')
        slow = template()
        slow['resources']['test']['properties']['wait_secs'] = 6
        answer = self.client.put(path, {'template': slow,
                                        'parameters': {'value': 'slow'}})
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_resource(path, 'test', 'UPDATE_IN_PROGRESS')
        with self.service.away():
            self.client.delete(path)
            stack = self.client.wait_for_status(path, 'DELETE_FAILED')
        self.assertEqual(AWAY.format('DELETE', 'Nothing was deleted.'),
                         stack['stack_status_reason'])
        answer = self.client.put(path, {'template': template()})
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')
        self.remove(path)

    def test_removal_of_nested_stack_is_rejected(self):
        path = self.create('around', inner=INNER)
        with self.service.away('nested'):
            answer = self.client.put(path, {'template': template()})
            self.assertEqual(202, answer.status_code, answer.text)
            stack = self.client.wait_for_status(path, 'UPDATE_FAILED')
        self.assertEqual(
            AWAY.format('DELETE of nested stack inner',
                        'Nothing was changed.'),
            stack['stack_status_reason'])
        answer = self.client.put(path, {
            'template': template(inner=INNER), 'files': FILES})
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')
        self.client.put(path, {'template': template()})
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')
        self.remove(path)


class ConvergenceTest(UnavailableMixin, TestCase):
    pass


class LegacyTest(UnavailableMixin, TestCase):
    more = base.LEGACY


class ActionsTest(TestCase):
    """The webhook is configured for some actions only."""

    settings_of_plugin = (
        'webhook_actions = CREATE,UPDATE,SUSPEND,DELETE\n'
        'lifecycle_actions = heat_extras_webhook:create|UPDATE|suspend\n')

    def guards(self, path, query=''):
        return {guard['name']: guard for guard in self.client.get(
            f'{path}/guards{query}').json()['guards']}

    def asked(self):
        return [json.loads(request['body'])['input']['action']
                for request in self.service.requests()]

    def test_other_actions_work_while_service_is_unavailable(self):
        path = self.client.create_stack('chosen', template())
        with self.service.away():
            self.refuse(path, 'SUSPEND')
            self.update(path, 'UPDATE_FAILED')
            self.remove(path)
        self.assertEqual({'CREATE'}, set(self.asked()))

    def test_guards_list_actions_sent_to_service(self):
        path = self.client.create_stack('guarded', template())
        guard = self.guards(path)['heat_extras_webhook']
        self.assertEqual(
            ([], ['update', 'replace', 'suspend']),
            (guard['stops'], guard['may_stop']))
        self.assertIn('before each of these', guard['reason'])
        self.assertEqual({}, self.guards(path, '?blocking=delete'))
        self.remove(path)
