# SPDX-License-Identifier: Apache-2.0

"""Tests that nested stacks match ``plan.nested_plan``."""

import json
import pathlib

import fixtures

from tests.functional import base
from tests.functional import health_base
from tests.functional import test_health_groups as groups
from tests.harness import environment
from tests.harness import file_service
from tests.harness import waiting

PLANS = pathlib.Path(__file__).parent / 'plans'
VERSION = {'heat_template_version': '2018-08-31'}
INNER = json.dumps({
    **VERSION, 'parameters': {
        'text': {'type': 'string', 'default': 'none'},
        'list': {'type': 'comma_delimited_list', 'default': 'a'}},
    'resources': {'test': {'type': 'OS::Heat::TestResource', 'properties': {
        'value': {'get_param': 'text'}}}}})
GET = {'get_param': 'key'}
MEMBER = {'type': 'inner.yaml', 'properties': {
    'text': {'list_join': ['-', [GET, '%index%']]}}}
SIZE = {'get_param': 'size'}
WITH_SIZES = {**VERSION, 'parameters': {
    'key': {'type': 'string'}, 'size': {'type': 'number'}}}


class Plans(fixtures.Fixture):
    """Install the distribution in ``plans`` for processes started now."""

    def _setUp(self):
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.useFixture(environment.Environment(
            PLANS, HEAT_EXTRAS_TEST_PLANS=self.directory))

    def read(self, stack, action):
        return json.loads((self.directory / f'{stack}-{action}').read_text())


def plain(template, is_new):
    """Remove values that cannot be known in advance.

    Names of members are random, and outputs have them; a group has no name
    before it is made.
    """
    template = json.loads(json.dumps(template))
    section = 'resources' if 'resources' in template else 'Resources'
    members = template.get(section) or {}
    if is_new:
        for member in members.values():
            member.get('Properties', {}).pop('Tags', None)
    if any(len(name) == 12 for name in members):
        template.pop('outputs', None)
        template.pop('Outputs', None)
        template[section] = sorted(members.values(), key=json.dumps)
    return template


class ConvergenceTest(base.TestCase):
    is_shared = False
    engine = 'true'

    @classmethod
    def setUpClass(cls):
        cls.plans = cls.use_in_class(Plans())
        cls.settings = (f'[DEFAULT]\nconvergence_engine = {cls.engine}\n'
                        f'plugin_dirs = {groups.PLUGINS}\n'
                        '[heat_extras]\nfeatures = lifecycle, health\n')
        super().setUpClass()

    nested = health_base.HealthTestCase.nested
    resource = health_base.HealthTestCase.resource

    def made(self, path, resource):
        child = self.nested(resource, path)
        return {
            'template': self.client.get(child + '/template').json(),
            'environment': self.client.get(child + '/environment').json(),
            'files': sorted(self.client.get(child + '/files').json())}

    def check(self, path, action, *resources):
        plans = self.plans.read(path.split('/')[2], action)
        self.assertEqual(sorted(resources), sorted(
            key for key, plan in plans.items() if plan))
        for resource in resources:
            self.assert_same(action, plans[resource],
                             self.made(path, resource), resource)

    def assert_same(self, action, planned, actual, resource):
        planned, actual = map(dict, (planned, actual))
        for part in (planned, actual):
            part['template'] = plain(part['template'], action == 'CREATE')
            # Types that stand for themselves: the legacy engine writes down
            # which files it has read.
            part['environment'] = dict(part['environment'], resource_registry={
                name: actual for name, actual
                in part['environment']['resource_registry'].items()
                if name != actual})
        self.assertEqual(planned, actual, resource)

    def create(self, name, template, *resources, **body):
        self.body = {'files': {'inner.yaml': INNER}, **body}
        path = self.client.create_stack(name, template, **self.body)
        self.check(path, 'CREATE', *resources)
        return path

    def ends(self, path):
        events = self.client.get(path + '/events?sort_dir=desc').json()
        return [event['resource_status'] for event in events['events']
                if event['physical_resource_id'] == path.split('/')[3]
                and event['resource_status'].startswith('UPDATE_')
                and not event['resource_status'].endswith('_IN_PROGRESS')]

    def update(self, path, template, *resources, **body):
        before = len(self.ends(path))
        answer = self.client.put(path, {
            'template': template, **self.body, **body})
        self.assertEqual(202, answer.status_code, answer.text)
        waiting.until('the end of the update', lambda: self.ends(path),
                      lambda ends: len(ends) > before)
        self.assertEqual('UPDATE_COMPLETE', self.ends(path)[0])
        self.check(path, 'UPDATE', *resources)

    def test_template_as_resource_type(self):
        template = {**VERSION, 'parameters': {'key': {'type': 'string'}},
                    'resources': {'inner': {
                        'type': 'inner.yaml', 'properties': {
                            'text': GET, 'list': ['a', 'b']}}}}
        path = self.create('file', template, 'inner', parameters={
            'key': 'x'}, environment={'parameter_defaults': {'list': 'z'}})
        self.update(path, template, 'inner', parameters={'key': 'y'},
                    files={'inner.yaml': INNER.replace('none', 'nothing')})

    def test_template_url(self):
        url = self.useFixture(file_service.FileService(
            {'leaf.yaml': INNER.encode()})).url('leaf.yaml')
        template = {**WITH_SIZES, 'resources': {'inner': {
            'type': 'AWS::CloudFormation::Stack', 'properties': {
                'TemplateURL': url, 'Parameters': {'text': GET}}}}}
        path = self.create('url', template, 'inner',
                           parameters={'key': 'x', 'size': 1})
        self.update(path, template, 'inner',
                    parameters={'key': 'y', 'size': 1})

    def test_resource_group(self):
        def group(count, **more):
            return {**WITH_SIZES, 'resources': {'group': {
                'type': 'OS::Heat::ResourceGroup', 'properties': {
                    'count': count, 'resource_def': MEMBER, **more}}}}
        path = self.create('group', group(SIZE), 'group',
                           parameters={'key': 'x', 'size': 3})
        for number, (size, more) in enumerate((
                (4, {}), (2, {}),
                (2, {'removal_policies': [{'resource_list': ['0']}]}),
                (3, {'removal_policies': [{'resource_list': ['5']}]}),
                (2, {'removal_policies': [{'resource_list': ['2']}],
                     'removal_policies_mode': 'update'}))):
            self.update(path, group(SIZE, **more), 'group', parameters={
                'key': f'k-{number}', 'size': size})
        second = self.client.get(
            self.nested('group', path) + '/resources').json()['resources'][0]
        self.update(path, group(SIZE, removal_policies=[{
            'resource_list': [second['physical_resource_id']]}]), 'group',
            parameters={'key': 'x', 'size': 2})

    def test_resource_group_with_batches(self):
        template = {**WITH_SIZES, 'resources': {'group': {
            'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': SIZE, 'resource_def': MEMBER},
            'update_policy': {'rolling_update': {'max_batch_size': 1}}}}}
        path = self.create('batches', template, 'group',
                           parameters={'key': 'x', 'size': 2})
        for key, size in (('y', 2), ('z', 3), ('z', 1)):
            self.update(path, template, 'group',
                        parameters={'key': key, 'size': size})

    def test_resource_chain(self):
        def chain(*kinds):
            return {**WITH_SIZES, 'resources': {'chain': {
                'type': 'OS::Heat::ResourceChain', 'properties': {
                    'resources': list(kinds),
                    'resource_properties': {'value': GET}}}}}
        path = self.create('chain', chain('OS::Heat::TestResource'), 'chain',
                           parameters={'key': 'x', 'size': 1})
        self.update(path, chain('OS::Heat::TestResource', 'OS::Heat::Value'),
                    'chain', parameters={'key': 'y', 'size': 1})

    def test_scaling_groups(self):
        template = {**WITH_SIZES, 'resources': {
            **groups.GROUPS, 'configuration': {
                'type': 'Test::Configuration', 'properties': {
                    'KeyName': GET}}}}
        names = list(groups.GROUPS)
        path = self.create('scale', template, *names,
                           parameters={'key': 'x', 'size': 2})
        for key, size in (('x', 3), ('x', 1)):
            self.update(path, template, *names,
                        parameters={'key': key, 'size': size})

    def test_scaling_group_with_batches(self):
        template = {**WITH_SIZES, 'resources': {'group': {
            'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                'min_size': 1, 'max_size': 5, 'desired_capacity': SIZE,
                'rolling_updates': {'min_in_service': 1},
                'resource': MEMBER}}}}
        path = self.create('members', template, 'group',
                           parameters={'key': 'x', 'size': 2})
        for key, size in (('y', 3), ('a', 1)):
            self.update(path, template, 'group',
                        parameters={'key': key, 'size': size})

    @staticmethod
    def free(least):
        return {**VERSION, 'resources': {'group': {
            'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                'min_size': least, 'max_size': 3,
                'resource': {'type': 'inner.yaml'}}}}}

    def test_scaling_group_without_desired_capacity(self):
        path = self.create('free', self.free(1), 'group')
        self.update(path, self.free(2), 'group')
        self.update(path, self.free(1), 'group')

    def test_scaling_group_with_unhealthy_member(self):
        path = self.create('marked', self.free(2), 'group')
        members = self.nested('group', path) + '/resources'
        before = self.client.get(members).json()['resources']
        answer = self.client.patch(
            f'{members}/{before[0]["resource_name"]}',
            {'mark_unhealthy': True})
        self.assertEqual(200, answer.status_code, answer.text)
        self.update(path, self.free(1), 'group')
        self.assertEqual(2, len(self.client.get(members).json()['resources']))


class LegacyTest(ConvergenceTest):
    engine = 'false'
