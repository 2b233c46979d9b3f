# SPDX-License-Identifier: Apache-2.0

"""Tests of stacks after rejected updates, and of late rejections."""

import copy
import json

from tests.functional import late_replacement
from tests.functional import update_policy_base

_KEEP = {'update_policy': {'allow': {'replace': False}}}


def _template(resources, **more):
    return dict({'heat_template_version': '2018-08-31',
                 'resources': resources}, **more)


def _test(value='one', **properties):
    return {'type': 'OS::Heat::TestResource',
            'properties': {'value': value, **properties}}


class RejectedUpdateTest(update_policy_base.UpdatePolicyTestCase):

    engine = update_policy_base.FEATURE

    @classmethod
    def setUpClass(cls):
        cls.settings = cls.engine + late_replacement.write_plugin(cls)
        super().setUpClass()

    def forget(self, path):
        self.sandbox.sql(
            'UPDATE stack SET has_update_policy = NULL WHERE id = ?',
            path.split('/')[-1])

    def test_replacement_requested_by_type_is_rejected(self):
        template = _template({'a': {
            'type': 'Test::AsksLate', 'properties': {'value': 'one'},
            **_KEEP}}, outputs={'a': {'value': {'get_resource': 'a'}}})
        path = self.create('asks', template)
        before = self.resource(path, 'a')['physical_resource_id']
        changed = copy.deepcopy(template)
        changed['resources']['a']['properties']['value'] = 'two'
        reason = self.update(path, changed, 'UPDATE_FAILED')
        self.assertIn('Not done: resource a', reason)
        resource = self.resource(path, 'a')
        self.assertEqual(before, resource['physical_resource_id'])
        self.assertEqual('UPDATE_COMPLETE', resource['resource_status'])
        output, = self.client.show_stack(path)['outputs']
        self.assertEqual('untouched', output['output_value'])
        self.update(path, template)

    def test_reason_from_deep_inside_has_resource_type(self):
        member = json.dumps(_template({'a': {
            'type': 'Test::AsksLate', 'properties': {'value': {
                'get_param': 'value'}}, **_KEEP}}, parameters={
                    'value': {'type': 'string'}}))
        middle = json.dumps(_template({'inner': {
            'type': 'member.yaml', 'properties': {'value': {
                'get_param': 'value'}}}}, parameters={
                    'value': {'type': 'string'}}))
        files = {'member.yaml': member, 'middle.yaml': middle}

        def template(value):
            return _template({'middle': {'type': 'middle.yaml',
                                         'properties': {'value': value}}})
        path = self.create('deep', template('one'), files=files)
        reason = self.update(path, template('two'), 'UPDATE_FAILED',
                             files=files)
        self.assertIn('resource middle/inner/a (Test::AsksLate) would', reason)

    def test_failed_stack_is_rejected_and_repaired(self):
        template = _template({'a': dict(_test(), **_KEEP), 'b': _test()})
        path = self.create('failed', template)
        broken = _template({'a': dict(_test(), **_KEEP),
                            'b': _test('two', fail=True)})
        self.update(path, broken, 'UPDATE_FAILED')
        self.assert_refused(path, _template({'b': _test()}), 'resource a')
        self.update(path, template)

    def test_patch_after_rejection_is_based_on_stack(self):
        parameters = {'value': {'type': 'string', 'default': 'one'}}
        template = _template(
            {'a': dict(_test(), **_KEEP),
             'b': _test({'get_param': 'value'})}, parameters=parameters)
        path = self.create('patched', template)
        self.assert_refused(path, _template({'b': _test()},
                                            parameters=parameters),
                            parameters={'value': 'two'})
        self.assertEqual(
            'one', self.client.show_stack(path)['parameters']['value'])
        answer = self.client.patch(path, {'parameters': {'value': 'three'}})
        self.assertEqual(202, answer.status_code, answer.text)
        self.settle(path, 'UPDATE_COMPLETE')
        self.assertEqual('three',
                         self.client.show_stack(path)['parameters']['value'])

    def test_rollback_deletes_only_resources_of_update(self):
        template = _template({'a': dict(_test(), **_KEEP), 'b': _test()})
        path = self.create('rolled', template, disable_rollback=False)
        before = self.resource(path, 'a')['physical_resource_id']
        changed = _template({
            'a': dict(_test('two'), **_KEEP), 'new': dict(_test(), **_KEEP),
            'b': dict(_test('two', fail=True), depends_on=['a', 'new'])})
        answer = self.client.put(path, {'template': changed,
                                        'disable_rollback': False})
        self.assertEqual(202, answer.status_code)
        self.settle(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(before,
                         self.resource(path, 'a')['physical_resource_id'])
        self.assertEqual(['a', 'b'], [row[0] for row in self.resources(path)])

    def test_late_rejection_is_rolled_back(self):
        template = _template({
            'a': dict(_test(update_replace_value={
                'get_attr': ['b', 'output']}), **_KEEP), 'b': _test()})
        path = self.create('back', template)
        before = self.resource(path, 'a')
        changed = copy.deepcopy(template)
        changed['resources']['b']['properties']['value'] = 'two'
        changed['resources']['new'] = _test()
        answer = self.client.put(path, {'template': changed,
                                        'disable_rollback': False})
        self.assertEqual(202, answer.status_code)
        self.settle(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(before['physical_resource_id'],
                         self.resource(path, 'a')['physical_resource_id'])
        self.assertEqual(['a', 'b'], [row[0] for row in self.resources(path)])
        self.update(path, template)

    def test_restricted_actions_are_enforced_and_reported(self):
        template = _template({'a': dict(_test(), **_KEEP), 'b': _test()})
        path = self.create('both', template)
        environment = {'resource_registry': {'resources': {
            name: {'restricted_actions': 'update'} for name in 'ab'}}}
        changed = _template({'a': dict(_test('two'), **_KEEP),
                             'b': _test()})
        reason = self.update(path, changed, 'UPDATE_FAILED',
                             environment=environment)
        self.assertIn('update is restricted for resource', reason)
        replaced = _template({
            'a': dict(_test(update_replace_value='x'), **_KEEP),
            'b': _test()})
        self.assert_refused(path, replaced, 'update_policy',
                            environment=environment)
        self.update(path, template)

    def test_policy_of_older_stack_is_enforced(self):
        template = _template({'a': dict(_test(), **_KEEP)})
        path = self.create('old', template)
        self.forget(path)
        self.assert_refused(path, _template({}), 'resource a')


class RejectedUpdateLegacyTest(RejectedUpdateTest):

    engine = update_policy_base.LEGACY


class BusyStackTest(update_policy_base.UpdatePolicyTestCase):

    def test_update_during_update_is_rejected_with_400(self):
        template = _template({
            'a': dict(_test(), **_KEEP),
            'slow': _test(action_wait_secs={'update': 3})})
        path = self.create('busy', template)
        slower = copy.deepcopy(template)
        slower['resources']['slow']['properties']['value'] = 'two'
        self.client.put(path, {'template': slower})
        answer = self.client.put(path, {'template': _template(
            {'slow': _test('two', action_wait_secs={'update': 3})})})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('resource a', answer.text)
        self.settle(path, 'UPDATE_COMPLETE')
