# SPDX-License-Identifier: Apache-2.0

"""Tests of requests that mark resources as unhealthy."""

from tests.functional import base
from tests.functional import health_base

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'test': {'type': 'OS::Heat::TestResource'},
        'none': {'type': 'OS::Heat::None'},
    },
}
FAILING = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'first': {'type': 'OS::Heat::TestResource',
                  'properties': {'fail': True}},
        'never': {'type': 'OS::Heat::RandomString', 'depends_on': 'first'},
    },
}
TRUE = {'mark_unhealthy': True}
BAD_BODIES = (
    (None, 'must be an object'), ('x', 'must be an object'),
    ({}, 'Missing mandatory'), ({**TRUE, 'force': True}, "'force'"),
    ({'mark_unhealthy': 'true'}, 'without quotes'),
    ({'mark_unhealthy': 1}, 'acceptable values are'),
    ({'mark_unhealthy': None}, 'acceptable values are'),
    ({**TRUE, 'resource_status_reason': 5}, 'must be a string'),
    ({**TRUE, 'resource_status_reason': None}, 'must be a string'),
    ({**TRUE, 'resource_status_reason': 'x' * 256}, '256 characters'),
    ({**TRUE, 'resource_status_reason': 'a\0b'}, 'U+0000'),
)


class RequestTest(health_base.HealthTestCase):
    template = TEMPLATE

    def test_invalid_body_is_rejected(self):
        count = len(self.events())
        for body, text in BAD_BODIES:
            answer = self.assert_status(400, self.client.patch(
                self.path + '/resources/text', body))
            self.assertIn(text, answer.json()['error']['message'])
        for query in ('?force=perhaps', '?force=true&force=false'):
            answer = self.assert_status(400, self.mark('text', query=query))
            self.assertIn('force=true or force=false, at most '
                          'once', answer.text)
        self.assertEqual('CREATE_COMPLETE', self.state('text'))
        self.assertEqual(count, len(self.events()))

    def test_mark_and_reset(self):
        answer = self.assert_status(200, self.mark('text', reason='x' * 255))
        self.assertIsNone(answer.json())
        resource = self.resource('text')
        self.assertEqual(
            ('CHECK_FAILED', 'x' * 255),
            (resource['resource_status'], resource['resource_status_reason']))
        self.assert_status(200, self.mark('text', False, reason=''))
        self.assertEqual('CHECK_COMPLETE', self.state('text'))
        before = self.resources(self.path)
        self.update()
        self.assertEqual(before, self.resources(self.path))

    def test_reset_of_healthy_resource_changes_nothing(self):
        self.assert_status(200, self.mark('text', False))
        self.assertEqual('CREATE_COMPLETE', self.state('text'))

    def test_mark_by_physical_id(self):
        physical_id = self.resource('text')['physical_resource_id']
        self.assert_status(200, self.mark(physical_id))
        self.assertEqual('CHECK_FAILED', self.state('text'))

    def test_unknown_stack_and_resource_are_not_found(self):
        self.assert_status(404, self.mark('nosuch'))
        self.assert_status(404, self.mark('text', path='/stacks/no/such'))

    def test_mark_by_reader_is_rejected(self):
        self.client = self.sandbox.client('eve', 'reader')
        self.assert_status(403, self.mark('text'))
        self.assert_status(403, self.client.patch(
            self.path + '/resources/text', {}))
        self.assertEqual('CREATE_COMPLETE', self.state('text'))

    def test_mark_is_rejected_if_stack_is_locked(self):
        self.client.post(self.path + '/actions',
                         {'lock': {'level': 'stacks', 'reason': 'db move'}})
        answer = self.assert_status(409, self.mark('text'))
        self.assertIn('db move', answer.text)
        self.client.post(self.path + '/actions', {'unlock': None})
        self.assertEqual('CREATE_COMPLETE', self.state('text'))
        self.assert_status(200, self.mark('text'))

    def test_next_update_replaces_marked_resource(self):
        before = self.resources(self.path)
        for name in before:
            self.assert_status(200, self.mark(name))
        self.update()
        after = self.resources(self.path)
        for name in before:
            self.assertNotEqual(before[name], after[name], name)

    def test_mark_remains_after_check_and_snapshot(self):
        before = self.resources(self.path)
        self.mark('test')
        stack = self.act('check', 'CHECK_FAILED')
        self.assertIn('marked unhealthy: broken',
                      stack['stack_status_reason'])
        self.assert_status(200, self.client.post(
            self.path + '/snapshots', {'name': 'one'}))
        self.wait('SNAPSHOT_COMPLETE')
        self.assertEqual('CHECK_FAILED', self.state('test'))
        self.update()
        self.assertNotEqual(before['test'],
                            self.resources(self.path)['test'])

    def test_suspended_stack_resumes_after_mark_and_reset(self):
        self.act('suspend', 'SUSPEND_COMPLETE')
        self.assert_status(200, self.mark('test'))
        self.assert_status(200, self.mark('test', reason='again'))
        self.assertEqual('CHECK_FAILED', self.state('test'))
        self.assert_status(200, self.mark('test', False))
        self.assertEqual('CHECK_COMPLETE', self.state('test'))
        self.act('resume', 'RESUME_COMPLETE')
        self.assertEqual('RESUME_COMPLETE', self.state('test'))

    def test_existing_clients_mark_and_reset(self):
        done = self.client.openstack(
            'stack', 'resource', 'mark', 'unhealthy', self.name, 'text',
            'broken disk')
        self.assertEqual((0, ''), (done.returncode, done.stdout),
                         done.stderr)
        self.assertEqual('broken disk',
                         self.resource('text')['resource_status_reason'])
        done = self.client.heat('resource-mark-unhealthy', '--reset',
                                self.name, 'text', 'repaired')
        self.assertEqual((0, ''), (done.returncode, done.stdout),
                         done.stderr)
        self.assertEqual('CHECK_COMPLETE', self.state('text'))

    def test_several_resources_are_marked(self):
        physical_id = self.resource('test')['physical_resource_id']
        done = self.client.openstack(
            'stack', 'resource', 'unhealthy', self.name, 'text', 'nosuch',
            physical_id, '--reason', 'broken', '-f', 'value')
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertEqual(
            [f'{self.name} text CHECK_FAILED marked',
             f'{self.name} nosuch None failed',
             f'{self.name} test CHECK_FAILED marked'],
            done.stdout.splitlines())
        self.assertIn('The Resource (nosuch) could not be found in Stack '
                      f'{self.name}.', done.stderr)

    def test_mark_warns_of_restricted_actions(self):
        environment = {'resource_registry': {'resources': {
            'text': {'restricted_actions': 'replace'}}}}
        self.update(environment=environment)
        answer = self.assert_status(200, self.mark('text')).json()
        warning, = answer['mark_unhealthy']['warnings']
        self.assertIn('forbids the replacement of resource text', warning)
        self.update('UPDATE_FAILED', environment=environment)
        self.assertEqual('CHECK_FAILED', self.state('text'))


GUARDED = {**TEMPLATE, 'resources': {
    'group': {'type': 'OS::Heat::ResourceGroup',
              'update_policy': {'allow': {'replace': False}},
              'properties': {'count': 1, 'resource_def': {
                  'type': 'OS::Heat::RandomString'}}},
    'text': {'type': 'OS::Heat::RandomString',
             'update_policy': {'allow': {'replace': False}}}}}


class AloneTest(health_base.HealthTestCase):
    options = ('--features', 'health')
    template = TEMPLATE

    test_suspended_stack_resumes = (
        RequestTest.test_suspended_stack_resumes_after_mark_and_reset)
    test_invalid_body = RequestTest.test_invalid_body_is_rejected


class PolicyTest(health_base.HealthTestCase):
    template = GUARDED

    def test_policy_causes_warning_and_rejects_updates(self):
        group = self.nested('group')
        for name, path, text in (
                ('text', self.path, 'The update_policy of resource text has '
                                    '"replace: false"'),
                ('0', group, 'The update_policy of resource group has')):
            answer = self.assert_status(200, self.mark(name, path=path))
            warning, = answer.json()['mark_unhealthy']['warnings']
            self.assertIn(text, warning)
        before = self.resources(self.path), self.resources(group)
        for _ in range(2):
            stack = self.update('UPDATE_FAILED')
            self.assertIn('replace: false', stack['stack_status_reason'])
        self.assertEqual(before, (self.resources(self.path),
                                  self.resources(group)))
        self.assertEqual('CHECK_FAILED', self.state('text'))
        for name, path in (('text', self.path), ('0', group)):
            self.mark(name, False, path=path)
        self.update()


class ExternalResourceTest(health_base.HealthTestCase):
    template = {**TEMPLATE, 'resources': {
        'external': {'type': 'OS::Heat::TestResource', 'external_id': 'abc'}}}

    def test_update_removes_mark_and_is_not_rejected(self):
        answer = self.assert_status(200, self.mark('external')).json()
        warning, = answer['mark_unhealthy']['warnings']
        self.assertIn('The next update removes the mark', warning)
        guards = self.client.get(f'{self.path}/guards').json()['guards']
        self.assertEqual([['resume', 'suspend']],
                         [sorted(each['stops']) for each in guards])
        before = self.resources(self.path)
        self.update()
        self.assertEqual('CHECK_COMPLETE', self.state('external'))
        self.assertEqual(before.keys(), self.resources(self.path).keys())
        self.assertEqual([], self.client.get(
            f'{self.path}/guards').json()['guards'])


class NeverCreatedTest(health_base.HealthTestCase):
    template = {**FAILING, 'resources': {}}

    def test_mark_of_uncreated_resource_is_rejected(self):
        self.assert_status(202, self.client.put(
            self.path, {'template': FAILING}))
        self.wait('UPDATE_FAILED')
        count = len(self.events())
        for mark in (True, False):
            answer = self.assert_status(400, self.mark('never', mark))
            self.assertIn('was never created', answer.text)
        self.assertEqual('INIT_COMPLETE', self.state('never'))
        self.assertEqual(count, len(self.events()))


class BusyTest(health_base.HealthTestCase):
    template = {**TEMPLATE, 'parameters': {'value': {
        'type': 'string', 'default': 'one'}}, 'resources': {'slow': {
            'type': 'OS::Heat::TestResource',
            'properties': {'value': {'get_param': 'value'},
                           'action_wait_secs': {'update': 10}}}}}

    def test_mark_is_rejected_during_update(self):
        self.assert_status(202, self.client.put(self.path, {
            'template': self.template, 'parameters': {'value': 'two'}}))
        self.wait_for_resource('slow', 'UPDATE_IN_PROGRESS')
        answer = self.assert_status(409, self.mark('slow'))
        self.assertEqual('ActionInProgress', answer.json()['error']['type'])
        self.wait('UPDATE_COMPLETE')
        self.assertEqual('UPDATE_COMPLETE', self.state('slow'))


class LimitTest(health_base.HealthTestCase):
    settings = '[heat_extras]\nmax_unhealthy_percent = 50\n'
    template = {**TEMPLATE, 'resources': {
        name: {'type': 'OS::Heat::RandomString'} for name in 'abc'}}

    def test_mark_above_limit_requires_force(self):
        self.assert_status(200, self.mark('a'))
        self.assert_status(200, self.mark('a', reason='really'))
        answer = self.assert_status(409, self.mark('b'))
        self.assertIn('1 of 3 resources are already unhealthy', answer.text)
        self.assertIn('?force=true', answer.text)
        self.assertEqual('CREATE_COMPLETE', self.state('b'))
        self.assert_status(409, self.mark('b', query='?force=false'))
        self.assert_status(200, self.mark('b', query='?force=true'))
        self.assertEqual('CHECK_FAILED', self.state('b'))
        self.assert_status(200, self.mark('b', False))


class LegacyRequestTest(health_base.HealthTestCase):
    settings = base.LEGACY
    template = TEMPLATE

    test_suspended_stack_resumes = (
        RequestTest.test_suspended_stack_resumes_after_mark_and_reset)
    test_mark_remains = RequestTest.test_mark_remains_after_check_and_snapshot
    test_mark_replaces = RequestTest.test_next_update_replaces_marked_resource
