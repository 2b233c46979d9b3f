# SPDX-License-Identifier: Apache-2.0

"""Tests of the tag of stacks that can only be updated with a plan."""

import json
import os

import fixtures

from tests.functional import base
from tests.functional import test_planned_update
from tests.functional import update_policy_base
from tests.harness import request_times
from tests.harness import waiting

_VERSION = {'heat_template_version': '2018-08-31'}
_SETTINGS = ('[heat_extras]\nfeatures = all\nplan_required_tag = reviewed\n')
_MEMBER = json.dumps({**_VERSION, 'resources': {
    'inner': {'type': 'OS::Heat::TestResource'}}})
_GROUP = {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
    'min_size': 1, 'max_size': 3, 'desired_capacity': 1,
    'resource': {'type': 'OS::Heat::RandomString'}}}
_POLICY = {'type': 'OS::Heat::ScalingPolicy', 'properties': {
    'adjustment_type': 'change_in_capacity', 'scaling_adjustment': 1,
    'auto_scaling_group_id': {'get_resource': 'group'}}}


def _body(value='one', **resources):
    return {'template': {**_VERSION, 'resources': {
        'single': {'type': 'OS::Heat::TestResource',
                   'properties': {'value': value}},
        'nested': {'type': 'member.yaml'}, 'group': _GROUP,
        'policy': _POLICY, **resources}}, 'files': {'member.yaml': _MEMBER}}


class RequiredPlanTest(update_policy_base.UpdatePolicyTestCase):

    settings = _SETTINGS

    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack('web', **_body(),
                                             tags='reviewed,other')
        self.addCleanup(self._delete)
        self.directory = self.useFixture(fixtures.TempDir()).path

    def _delete(self):
        self.client.wait_for_end(self.path)
        self.client.delete(self.path)
        waiting.until('the name', lambda: self.client.get(
            '/stacks/web').status_code, lambda code: code == 404)

    def tags(self):
        return self.client.show_stack(self.path)['tags'] or []

    def nested(self, name):
        stack = self.client.show_stack(self.resource(self.path, name)[
            'physical_resource_id'])
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def assert_plan_required(self, answer, *words):
        self.assertEqual(409, answer.status_code, answer.text)
        error = answer.json()['error']
        self.assertEqual('PlanRequired', error['type'])
        for word in ("web has the tag 'reviewed'",
                     'openstack stack update --plan FILE', *words):
            self.assertIn(word, error['message'])

    def apply(self, path, body, status='UPDATE_COMPLETE', method='put'):
        """Update a stack with its plan."""
        send = getattr(self.client, method)
        changes = send(path + '/preview', body).json()['resource_changes']
        answer = send(path, {**body, 'plan': test_planned_update.reviewed(
            changes)})
        self.assertEqual(202, answer.status_code, answer.text)
        self.settle(path, status)

    def test_update_without_plan_is_rejected_for_everybody(self):
        before = self.client.show_stack(self.path)
        for client in self.client, self.sandbox.client('ops', 'admin'):
            for answer in (
                    client.put(self.path, _body('two')),
                    client.put(self.path, {**_body('two'), 'plan': None}),
                    client.put(self.path, {**_body('two'), 'tags': 'other'}),
                    client.patch(self.path, {'tags': ''}),
                    client.patch(self.path, {})):
                self.assert_plan_required(
                    answer, 'openstack stack plan web ARGUMENTS --out FILE')
        self.assertEqual(before, self.client.show_stack(self.path))

    def test_tag_of_root_counts_for_nested_stack(self):
        body = {'template': json.loads(_MEMBER)}
        body['template']['resources']['more'] = {
            'type': 'OS::Heat::RandomString'}
        nested = self.nested('nested')
        name = nested.split('/')[2]
        self.assert_plan_required(
            self.client.put(nested, body), f'stack plan {name} ARGUMENTS')
        self.apply(nested, body)

    def test_planned_update_keeps_tag_until_plan_removes_it(self):
        self.apply(self.path, _body('two'))
        self.assertEqual(['reviewed'], self.tags())
        self.assert_plan_required(self.client.put(self.path, _body()))
        # The plan would be outdated if nested stacks still changed.
        failing = _body('two', bad={'type': 'OS::Heat::TestResource',
                                    'depends_on': ['nested', 'group'],
                                    'properties': {'fail': True}})
        self.apply(self.path, {**failing, 'disable_rollback': True},
                   'UPDATE_FAILED')
        self.assert_plan_required(self.client.put(self.path, _body()))
        self.apply(self.path, {**_body(), 'tags': 'other'})
        self.assertEqual(['other'], self.tags())
        self.update(self.path, **_body('three'))

    def test_plan_without_changes_can_be_applied_twice(self):
        changes = self.client.put(self.path + '/preview', _body()).json()[
            'resource_changes']
        for _ in range(2):
            answer = self.client.put(self.path, {
                **_body(), 'plan': test_planned_update.reviewed(changes)})
            self.assertEqual(202, answer.status_code, answer.text)
            self.settle(self.path, 'UPDATE_COMPLETE')
            self.assertEqual(['reviewed'], self.tags())

    def test_rollback_needs_no_plan(self):
        failing = _body('two', bad={'type': 'OS::Heat::TestResource',
                                    'depends_on': ['nested', 'group'],
                                    'properties': {'fail': True}})
        self.apply(self.path, {**failing, 'disable_rollback': False},
                   'ROLLBACK_COMPLETE')

    def test_scaling_and_other_operations_need_no_plan(self):
        self.assertEqual(200, self.client.post(
            self.path + '/resources/policy/signal', {}).status_code)
        group = self.nested('group')
        self.client.wait_for_status(group, 'UPDATE_COMPLETE')
        self.assertEqual(2, len(self.resources(group)))
        for action in 'check', 'suspend', 'resume':
            self.client.post(self.path + '/actions', {action: None})
            self.client.wait_for_stack(self.path,
                                       [f'{action.upper()}_COMPLETE'])
        answer = self.client.patch(self.path + '/resources/single', {
            'mark_unhealthy': True, 'resource_status_reason': 'broken'})
        self.assertEqual(200, answer.status_code, answer.text)

    def test_restore_is_rejected(self):
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        self.assert_plan_required(
            self.client.post(f'{self.path}/snapshots/'
                             f'{answer.json()["id"]}/restore'),
            'cannot be restored')

    def test_lock_pass_does_not_replace_plan(self):
        self.addCleanup(self.client.post, self.path + '/actions',
                        {'unlock': None})
        for action, fields in (
                ('lock', {'level': 'stacks'}),
                ('lock_pass', {
                    'user': {'id': 'alice'},
                    'expires_at': request_times.from_now(minutes=10)})):
            answer = self.client.post(self.path + '/actions',
                                      {action: fields})
            self.assertEqual(200, answer.status_code, answer.text)
        self.assert_plan_required(self.client.put(self.path, _body('two')))
        # The pass is not used.
        self.apply(self.path, _body('two'))

    def test_guard_list_shows_tag_and_plan_has_no_stop(self):
        for path in self.path, self.nested('nested'):
            guard, = (each for each in self.client.get(
                path + '/guards').json()['guards']
                if each['kind'] == 'plan_required')
            self.assertEqual(['update', 'replace', 'restore'],
                             guard['stops'])
            self.assertIn('openstack stack plan', guard['how_to_lift'])
        changes = self.client.put(
            self.path + '/preview', _body('two')).json()['resource_changes']
        self.assertEqual([], changes['plan_stops'])

    def test_similar_tag_needs_no_plan(self):
        path = self.create('similar', **_body(), tags='Reviewed,review')
        self.update(path, **_body('two'))

    def write(self, body):
        for name, content in ('web.json', json.dumps(body['template'])), (
                'member.yaml', _MEMBER):
            with open(os.path.join(self.directory, name), 'w') as target:
                target.write(content)
        return os.path.join(self.directory, 'web.json')

    def plan_first(self, answer, *arguments):
        """Run "stack update --plan-first" on a terminal."""
        return self.client.answer_openstack(
            answer, 'stack', 'update', '--plan-first', 'web', *arguments)

    def values(self):
        return [each[3] for each in self.resources(self.path)]

    def test_update_with_plan_first_asks_and_is_accepted(self):
        template = self.write(_body('two'))
        before = self.values()
        for answer in 'n\n', '\n', '\x04':
            done = self.plan_first(answer, '-t', template)
            self.assertEqual(1, done.returncode, done.stderr)
            self.assertIn('[y/N]', done.stderr)
            self.assertIn('Nothing was changed', done.stderr)
        done = self.client.openstack('stack', 'update', '--plan-first', 'web',
                                     '-t', template)
        self.assertEqual(1, done.returncode)
        self.assertIn('add --yes', done.stderr)
        self.assertEqual(before, self.values())
        done = self.plan_first('y\n', '-t', template, '--wait', '--tags',
                               'reviewed')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('UPDATE_COMPLETE', done.stdout)
        self.assertNotEqual(before, self.values())
        # There is nothing to do, so the command does not wait.
        done = self.plan_first('y\n', '-t', template, '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('There is nothing to change', done.stderr)
        done = self.client.openstack(
            'stack', 'update', '--plan-first', '--yes', '--existing',
            '--tags', 'other', '--wait', 'web')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(['other'], self.tags())


class LegacyRequiredPlanTest(RequiredPlanTest):

    settings = _SETTINGS + base.LEGACY
