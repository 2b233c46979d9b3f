# SPDX-License-Identifier: Apache-2.0

"""Tests of parameters of nested stacks."""

import copy
import json

from tests.functional import parameters_base
from tests.harness import file_service

LEAF = """
heat_template_version: 2018-08-31
parameters:
  size: {type: number, updatable: false}
  secret: {type: string, hidden: true, default: open-sesame}
  free: {type: string, default: x}
resources:
  test: {type: OS::Heat::TestResource, properties: {value: {get_param: free}}}
outputs:
  size: {value: {get_param: size}}
"""
BRANCH = """
heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  free: {type: string, default: x}
conditions:
  is_big: {equals: [{get_param: size}, 99]}
resources:
  leaf:
    type: leaf.yaml
    properties:
      size: {if: [is_big, 100, {get_param: size}]}
      free: {get_param: free}
"""
FILES = {'leaf.yaml': LEAF, 'branch.yaml': BRANCH}
FREE_FILES = {**FILES, 'leaf.yaml': LEAF.replace(', updatable: false', '')}


def member(resource_type, **properties):
    return {'type': resource_type,
            'properties': {'size': {'get_param': 'size'}, **properties}}


def template(parameters=None, **resources):
    return {'heat_template_version': '2018-08-31',
            'parameters': {'size': {'type': 'number', 'default': 3},
                           'free': {'type': 'string', 'default': 'x'},
                           **(parameters or {})},
            'resources': resources}


TREE = template(
    leaf=member('leaf.yaml', free={'get_param': 'free'}),
    branch=member('branch.yaml'),
    group={'type': 'OS::Heat::ResourceGroup',
           'properties': {'count': 2, 'resource_def': member(
               'branch.yaml', free='of %index%')}})
SCALED = template(scaled={
    'type': 'OS::Heat::AutoScalingGroup',
    'properties': {'min_size': 1, 'max_size': 2,
                   'resource': member('leaf.yaml')}})
# The leaf's value comes from a resource.
DERIVED = template(
    {'text': {'type': 'string', 'default': '3'}},
    test={'type': 'OS::Heat::TestResource',
          'properties': {'value': {'get_param': 'text'}}},
    leaf={'type': 'leaf.yaml',
          'properties': {'size': {'get_attr': ['test', 'output']},
                         'free': {'get_param': 'free'}}})
# Another spelling would replace each TestResource.
SPELLED = {'a': {'type': 'OS::Heat::TestResource', 'properties': {
    'update_replace_value': {'str_replace': {
        'template': 'size-conf', 'params': {
            'size': {'get_param': 'size'}, 'conf': {'get_param': 'conf'}}}}}}}
SPELLED_PARAMETERS = {'size': {'type': 'number', 'default': 3},
                      'conf': {'type': 'json', 'default': {'b': 1, 'a': 1}}}
SPELLED_LEAF = {'heat_template_version': '2018-08-31', 'parameters': {
    name: {**each, 'updatable': False}
    for name, each in SPELLED_PARAMETERS.items()}, 'resources': SPELLED}
FRAGILE = template(
    {'fail': {'type': 'boolean', 'default': False}},
    branch=member('branch.yaml'),
    broken={'type': 'OS::Heat::TestResource', 'depends_on': 'branch',
            'properties': {'fail': {'get_param': 'fail'}}})


class NestedBase(parameters_base.ParametersTestCase):

    def nested(self, *names):
        """Follow the names of resources to the path of a nested stack."""
        path = self.path
        for name in names:
            body = self.client.get(f'{path}/resources/{name}').json()
            link, = (link['href'] for link in body['resource']['links']
                     if link['rel'] == 'nested')
            path = '/stacks' + link.partition('/stacks')[2]
        return path


class NestedTest(NestedBase):

    def test_update_of_tree_is_rejected_before_start(self):
        self.create(TREE, files=FILES)
        offenders = ['size of nested stack ' + path for path in (
            'leaf', 'branch/leaf', 'group/0/leaf', 'group/1/leaf')]
        before = self.trace()
        for answer in (
                self.put(parameters={'size': 4}),
                self.patch(parameters={'size': 4}),
                self.client.put(self.path + '/preview', {
                    'template': TREE, 'files': FILES,
                    'parameters': {'size': 4}})):
            self.assert_refused(answer, *offenders)
        # A default that reaches all levels, and a value that is computed.
        self.assert_refused(self.patch(environment={
            'parameter_defaults': {'secret': 'close-sesame', 'size': 99}}),
            *offenders)
        self.assertEqual(before, self.trace())
        self.assert_accepted(self.patch(parameters={'size': '3.0',
                                                    'free': 'y'}))

    def test_spelling_of_equal_value_is_kept(self):
        files = {'leaf.yaml': json.dumps(SPELLED_LEAF)}
        root = {**SPELLED_LEAF, 'resources': {
            **SPELLED, 'defaults': {'type': 'leaf.yaml'},
            'leaf': {'type': 'leaf.yaml', 'properties': {
                'size': {'get_param': 'free_size'},
                'conf': {'get_param': 'free_conf'}}}}}
        root['parameters'] = {**root['parameters'], **{
            f'free_{name}': each
            for name, each in SPELLED_PARAMETERS.items()}}
        self.create(root, files=files, parameters={'size': '3'})
        before = self.physical_ids()
        spelled = {'size': '3.0', 'conf': {'a': 1.0, 'b': 1}}
        both = {**spelled, **{f'free_{name}': value
                              for name, value in spelled.items()}}
        changed = copy.deepcopy(root)
        changed['parameters']['conf']['default'] = spelled['conf']
        for update, body in (
                (self.patch, {'parameters': both}),
                (self.put, {'parameters': both}),
                (self.put, {'template': changed, 'parameters': {'size': 3}}),
                (self.put, {'environment': {'parameter_defaults': spelled}}),
                (self.patch, {'environment': {
                    'parameter_defaults': spelled}})):
            answer = self.client.put(self.path + '/preview', {
                'template': root, 'files': files, **body})
            self.assertEqual({'unchanged'}, {
                entry['action'] for entry in
                answer.json()['resource_changes']['plan']
                if entry['resource_type'].endswith('TestResource')}, body)
            self.assert_accepted(update(**body))
            self.assertEqual(before, self.physical_ids(), body)
        environment = self.client.get(self.path + '/environment').json()
        self.assertEqual('3', environment['parameters']['size'])
        # An equal value is also kept beside another value that may change.
        self.assert_refused(self.patch(parameters={
            'size': '3.00', 'conf': {'a': 2, 'b': 1}}), 'conf')

    def physical_ids(self):
        return {(each['resource_name'], each.get('parent_resource')):
                each['physical_resource_id'] for each in self.client.get(
                    self.path + '/resources?nested_depth=2'
                ).json()['resources']}

    def test_removed_members_are_not_checked(self):
        self.create(TREE, files=FILES)
        smaller = template(**{name: resource for name, resource
                              in TREE['resources'].items()
                              if name != 'leaf'})
        smaller['resources']['group'] = {
            **TREE['resources']['group'],
            'properties': {**TREE['resources']['group']['properties'],
                           'count': 1}}
        self.assert_refused(
            self.put(template=smaller, parameters={'size': 4}),
            'size of nested stack branch/leaf',
            'size of nested stack group/0/leaf')

    def test_scaling_group_members_are_checked(self):
        self.create(SCALED, files=FILES)
        path = self.nested('scaled')
        name, = (each['resource_name'] for each in self.client.get(
            path + '/resources').json()['resources'])
        self.assert_refused(self.put(parameters={'size': 4}),
                            f'size of nested stack scaled/{name}')

    def test_template_behind_url_is_checked(self):
        url = self.useFixture(file_service.FileService(
            {'leaf.yaml': LEAF.encode()})).url('leaf.yaml')
        nesting = template(leaf={
            'type': 'AWS::CloudFormation::Stack',
            'properties': {'TemplateURL': url, 'Parameters': {
                'size': {'get_param': 'size'}}}})
        self.create(nesting)
        before = self.trace()
        self.assert_refused(self.put(parameters={'size': 4}),
                            'size of nested stack leaf')
        self.assertEqual(before, self.trace())

    def test_resource_type_behind_url_is_checked(self):
        url = self.useFixture(file_service.FileService(
            {'leaf.yaml': LEAF.encode()})).url('leaf.yaml')
        nesting = template(leaf=member(url, free={'get_param': 'free'}))
        self.create(nesting)
        self.assert_refused(self.put(parameters={'size': 4}),
                            'size of nested stack leaf')
        self.assert_accepted(self.put(parameters={'free': 'y'}))

    def test_nested_stack_is_checked_by_own_id(self):
        self.create(TREE, files=FILES)
        path = self.nested('branch')
        self.assertEqual(
            {'size': False},
            self.client.show_stack(self.nested('branch', 'leaf'))
            ['updatable'])
        self.assert_refused(self.patch(path, parameters={'size': 4}),
                            'size of nested stack leaf')
        self.assert_refused(self.patch(self.nested('leaf'),
                                       parameters={'size': 4}), 'size')

    def test_update_fails_once_unknown_value_is_known(self):
        self.create(DERIVED, files=FILES)
        reason = self.assert_fails(self.put(parameters={'text': '4'}))
        self.assertIn('ImmutableParameterModified: resources.leaf: '
                      + parameters_base.HEATS + 'size', reason)
        leaf = self.client.show_stack(self.nested('leaf'))
        self.assertEqual(('CREATE_COMPLETE', '3'), (
            leaf['stack_status'], leaf['parameters']['size']))
        # The next valid update succeeds.
        self.assert_accepted(self.put(parameters={'free': 'y'}))

    def test_rollback_restores_all_levels(self):
        self.create(FRAGILE, files=FILES)
        self.assert_rolls_back(self.put(
            files=FREE_FILES, disable_rollback=False,
            parameters={'size': 4, 'fail': True}))
        leaf = self.client.show_stack(self.nested('branch', 'leaf'))
        self.assertEqual('3', leaf['parameters']['size'])
        self.assertEqual({'size': False}, leaf['updatable'])
        self.assert_refused(self.put(parameters={'size': 4}),
                            'size of nested stack branch/leaf')

    def test_restore_checks_restriction_of_each_stack(self):
        self.create(FRAGILE, files=FILES)
        self.client.post(self.path + '/snapshots', {'name': 's'})
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        snapshot, = self.client.get(
            self.path + '/snapshots').json()['snapshots']
        restore = f'{self.path}/snapshots/{snapshot["id"]}/restore'
        four = {'files': FREE_FILES, 'parameters': {'size': 4}}
        self.assert_accepted(self.put(**four))
        self.assert_accepted(self.put(**{**four, 'files': FILES}))
        before = self.trace()
        self.assert_refused(self.client.post(restore),
                            'size of nested stack branch/leaf')
        self.assertEqual(before, self.trace())
        self.assert_accepted(self.put(**four))
        self.assert_accepted(self.client.post(restore), 'RESTORE_COMPLETE')
        leaf = self.client.show_stack(self.nested('branch', 'leaf'))
        self.assertEqual('3', leaf['parameters']['size'])


class TwoStepNestedTest(parameters_base.ParametersTestCase):
    settings = '[heat_extras]\nparameter_lift = two_step\n'

    def test_nested_restriction_must_be_removed_first(self):
        self.create(template(branch=member('branch.yaml')), files=FILES)
        self.assertIn('First remove the restriction', self.assert_refused(
            self.put(files=FREE_FILES, parameters={'size': 4}),
            'size of nested stack branch/leaf'))
        self.assert_accepted(self.put(files=FREE_FILES))
        self.assert_accepted(self.put(files=FREE_FILES,
                                      parameters={'size': 4}))
