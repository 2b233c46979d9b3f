# SPDX-License-Identifier: Apache-2.0

"""Tests of update policies of nested stacks."""

import json

from tests.functional import update_policy_base

_VERSION = {'heat_template_version': '2018-08-31'}


def _member(value='one', allow=None, **more):
    inner = {'type': 'OS::Heat::TestResource',
             'properties': {'value': value}}
    if allow is not None:
        inner['update_policy'] = {'allow': allow}
    return {'member.yaml': json.dumps(dict(
        _VERSION, resources={'inner': inner, **more}))}


def _root(allow=None, of='member.yaml', /, **properties):
    nested = {'type': of, 'properties': properties}
    if allow is not None:
        nested['update_policy'] = {'allow': allow}
    return dict(_VERSION, resources={'nested': nested})


_GROUP = {'count': 2, 'resource_def': {'type': 'member.yaml'}}


class NestedTest(update_policy_base.UpdatePolicyTestCase):

    def child(self, path, name):
        physical_resource_id = self.resource(path,
                                             name)['physical_resource_id']
        stack = self.client.get('/stacks/'
                                + physical_resource_id).json()['stack']
        return '/stacks/%s/%s' % (stack['stack_name'], stack['id'])

    def test_policy_applies_to_nested_resources(self):
        root = _root({'replace': False}, 'OS::Heat::ResourceGroup', **_GROUP)
        path = self.create('inherited', root, files=_member())
        without = {'member.yaml': json.dumps(dict(_VERSION, resources={
            'other': {'type': 'OS::Heat::RandomString'}}))}
        self.assert_refused(
            path, root, 'resource nested/0/inner', 'resource nested/1/inner',
            'update_policy of resource nested forbids', files=without)
        # An update in place and another member are allowed.
        more = _root({'replace': False}, 'OS::Heat::ResourceGroup',
                     **dict(_GROUP, count=3))
        self.update(path, more, files=_member('two'))
        self.assert_refused(path, root, 'resource nested/2',
                            files=_member('two'))
        # The policy also applies to requests with the ID of the member.
        member = self.child(self.child(path, 'nested'), '0')
        self.assert_refused(member, json.loads(without['member.yaml']),
                            'resource nested/0/inner')

    def test_update_of_nested_stack_is_rejected(self):
        root = _root({'update': False})
        path = self.create('still', root, files=_member())
        more = _member(more={'type': 'OS::Heat::RandomString'})
        self.assert_refused(path, root, 'resource nested', files=more)
        self.assert_refused(self.child(path, 'nested'),
                            json.loads(more['member.yaml']),
                            'resource nested', 'update: false')
        # The same again, with another allow inside, is no update of it.
        self.update(path, root, files=_member(allow={'replace': False}))
        self.assert_refused(path, dict(_VERSION, resources={}),
                            'resource nested/inner')

    def test_unknown_value_causes_no_contradiction(self):
        # Enabled only while the other resource has no value.
        inner = {'type': 'OS::Heat::RandomString', 'condition': 'other',
                 'update_policy': {'allow': {'replace': True}}}
        member = json.dumps(dict(
            _VERSION, parameters={'kind': {'type': 'string'}}, conditions={
                'other': {'not': {'equals': [{'get_param': 'kind'}, 'a']}}},
            resources={'inner': inner}))
        group = dict(count=1, resource_def={
            'type': 'member.yaml',
            'properties': {'kind': {'get_attr': ['x', 'output']}}})
        for name, root in (
                ('plain', _root({'replace': False},
                                kind={'get_attr': ['x', 'output']})),
                ('group', _root({'replace': False},
                                'OS::Heat::ResourceGroup', **group))):
            root['resources']['x'] = {'type': 'OS::Heat::TestResource',
                                      'properties': {'value': 'a'}}
            path = self.create(name, root, files={'member.yaml': member})
            self.update(path, root, files={'member.yaml': member})

    def test_update_with_contradiction_fails(self):
        path = self.create('peaceful', _root({'replace': False}),
                           files=_member())
        self.assert_refused(
            path, _root({'replace': False}),
            'resource nested/inner has "replace: true"',
            'resource nested, which contains resource nested/inner, has '
            '"replace: false"',
            'remove one of these settings',
            files=_member(allow={'replace': True}))
        self.update(path, _root({'replace': False}), files=_member())

    def test_contradiction_by_value_fails_every_update(self):
        # Not known before its resource is there.
        root = _root({'replace': False}, open={'get_attr': ['x', 'output']})
        root['resources']['x'] = {'type': 'OS::Heat::TestResource',
                                  'properties': {'value': 'true'}}
        contrary = json.loads(_member(
            allow={'replace': {'get_param': 'open'}})['member.yaml'])
        contrary['parameters'] = {'open': {'type': 'boolean'}}
        contrary = {'member.yaml': json.dumps(contrary)}
        path = self.create('contrary', root, files=contrary)
        reason = self.assert_refused(
            path, root, 'resource nested/inner has "replace: true"',
            'resource nested, which contains resource nested/inner, has '
            '"replace: false"', files=contrary)
        # Nothing in the template could allow it.
        self.assertNotIn('To make this change', reason)
        self.update(path, _root({'replace': False}), files=_member())

    def test_policy_by_value_is_checked_when_it_is_known(self):
        member = dict(json.loads(_member({'get_param': 'v'}, {
            'update': {'get_param': 'ok'}, 'replace': False})['member.yaml']),
                      parameters={'ok': {'type': 'boolean'},
                                  'v': {'type': 'string'}})
        files = {'member.yaml': json.dumps(member)}

        def template(ok, v):
            root = _root(ok={'get_attr': ['x', 'output']}, v=v)
            root['resources']['x'] = {'type': 'OS::Heat::TestResource',
                                      'properties': {'value': ok}}
            return root

        path = self.create('by-value', template('false', '1'), files=files)
        self.assert_refused(path, template('false', '2'),
                            'resource nested/inner', files=files)
        # The same update can allow the change and make it.
        allowed = template('true', '2')
        self.assertEqual([], self.restricted(path, allowed, files=files))
        self.update(path, allowed, files=files)
        # The same update can forbid the change.
        before = self.output(path)
        reason = self.update(path, template('false', '3'), 'UPDATE_FAILED',
                             files=files)
        self.assertIn('Not done: resource nested/inner', reason)
        self.assertEqual(before, self.output(path))
        # A key that is a literal is known.
        self.assert_refused(path, dict(_VERSION, resources={
            name: each for name, each in allowed['resources'].items()
            if name == 'x'}), 'resource nested/inner')

    def output(self, path):
        """Return the value of the resource inside."""
        inner = self.resource(self.child(path, 'nested'), 'inner')
        return inner['attributes']['output']

    def test_new_policy_in_nested_template_is_enforced(self):
        path = self.create('new', _root(), files=_member())
        self.assert_refused(path, _root(), 'resource nested/inner',
                            files=_member('two', allow={'update': False}))

    def test_scaling_of_group_with_update_false_is_rejected(self):
        template = _root({'update': False}, 'OS::Heat::AutoScalingGroup',
                         min_size=1, max_size=2,
                         resource={'type': 'member.yaml'})
        template['resources']['up'] = {
            'type': 'OS::Heat::ScalingPolicy', 'properties': {
                'adjustment_type': 'change_in_capacity',
                'auto_scaling_group_id': {'get_resource': 'nested'},
                'scaling_adjustment': 1}}
        path = self.create('fixed', template, files=_member())
        group = self.child(path, 'nested')
        before = self.resources(group)
        self.client.post(path + '/resources/up/signal')
        reason = self.settle(group, 'UPDATE_FAILED')
        self.assertIn('resource nested', reason)
        # A signal brings no template.
        self.assertIn('First update the root stack with templates', reason)
        self.assertEqual(before, self.resources(group))
        # No false alarm: the root's update gives the group what it has.
        self.assertEqual([], self.restricted(path, template,
                                             files=_member()))
        self.update(path, template, files=_member())
