# SPDX-License-Identifier: Apache-2.0

"""Disabled features: templates with guards are accepted, not enforced.

Guards are enforced again when their feature is enabled again.
"""

import copy

import testtools

from tests.functional import base

NESTED = """
heat_template_version: 2018-08-31
parameters:
  value: {type: string%s}
resources:
  disk:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}, update_replace: true}%s
"""
PLAIN_FILES = {'nested.yaml': NESTED % ('', '')}
GUARDED_FILES = {'nested.yaml': NESTED % (
    ', updatable: false',
    '\n    update_policy: {allow: {update: false, replace: false}}')}

PLAIN = {
    'heat_template_version': '2018-08-31',
    'parameters': {'key': {'type': 'string', 'default': 'one'},
                   'other': {'type': 'string', 'default': 'one'}},
    'resources': {
        'db': {'type': 'OS::Heat::TestResource',
               'properties': {'value': {'get_param': 'key'}}},
        'nested': {'type': 'nested.yaml',
                   'properties': {'value': {'get_param': 'other'}}}},
}
GUARDED = copy.deepcopy(PLAIN)
GUARDED['parameters']['key']['updatable'] = False
GUARDED['resources']['db']['update_policy'] = {'allow': {'update': False}}
WITHOUT_NESTED = copy.deepcopy(PLAIN)
del WITHOUT_NESTED['resources']['nested']

SECONDS = 60


class DisabledTestCase(testtools.TestCase):
    settings = ''
    first = 'all'

    def setUp(self):
        super().setUp()
        self.options = ['--features', self.first]
        self.sandbox = self.useFixture(
            base.Sandbox(self.options, self.settings))
        self.client = self.sandbox.client()

    def restart(self, features):
        self.sandbox.stop()
        self.sandbox.options[1] = features
        self.sandbox.start()
        self.client = self.sandbox.client()

    def read(self, path):
        answer = self.client.get(path)
        self.assertEqual(200, answer.status_code, answer.text)
        return answer.json()

    def update(self, path, template, status='UPDATE_COMPLETE', **body):
        answer = self.client.put(path, dict(body, template=template))
        self.assertEqual(202, answer.status_code, answer.text)
        return self.client.wait_for_stack(
            path, ['UPDATE_COMPLETE', 'UPDATE_FAILED'], failed=None)

    def listed(self, name):
        """Return a stack from the list of stacks."""
        return next(each for each in self.read('/stacks')['stacks']
                    if each['stack_name'] == name)


class GuardedStackTest(DisabledTestCase):
    """All operations on a stack with heat-extras attributes work."""

    off = ''

    def test_operations_on_guarded_stack_work_while_disabled(self):
        path = self.client.create_stack('web', GUARDED, files=GUARDED_FILES)
        self.restart(self.off)
        stack = self.client.show_stack(path)
        self.assertEqual('CREATE_COMPLETE', stack['stack_status'])
        self.assertEqual('web', self.listed('web')['stack_name'])
        for below in ('/resources?nested_depth=2', '/resources/db', '/events',
                      '/export', '/outputs', '/environment', '/files'):
            self.read(path + below)
        self.assertEqual(GUARDED, self.read(path + '/template'))
        self.check_updates(path)
        self.check_actions(path)
        self.assertEqual(204, self.client.delete(path).status_code)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])

    def check_updates(self, path):
        for method in ('put', 'patch'):
            answer = getattr(self.client, method)(
                path + '/preview', {'template': GUARDED,
                                    'files': GUARDED_FILES})
            self.assertEqual(200, answer.status_code, answer.text)
        answer = self.client.patch(path, {'parameters': {'key': 'two'}})
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        stack = self.update(path, GUARDED, files=GUARDED_FILES,
                            parameters={'key': 'three', 'other': 'two'})
        self.assertEqual('UPDATE_COMPLETE', stack['stack_status'],
                         stack['stack_status_reason'])
        self.assertEqual(GUARDED, self.read(path + '/template'))

    def check_actions(self, path):
        for action in ('suspend', 'resume', 'check'):
            self.client.post(path + '/actions', {action: None})
            self.client.wait_for_stack(
                path, [f'{action.upper()}_COMPLETE'])
        made = self.client.post(path + '/snapshots', {'name': 'one'}).json()
        self.client.wait_for_stack(path, ['SNAPSHOT_COMPLETE'])
        self.update(path, PLAIN, files=PLAIN_FILES)
        answer = self.client.post(f'{path}/snapshots/{made["id"]}/restore')
        self.assertIn(answer.status_code, (200, 202), answer.text)
        self.client.wait_for_stack(path, ['RESTORE_COMPLETE'])


class LegacyGuardedStackTest(GuardedStackTest):
    settings = base.LEGACY


class NeverEnabledTest(DisabledTestCase):
    """heat-extras is installed, but was never enabled."""

    first = ''

    def test_templates_with_heat_extras_attributes_are_accepted(self):
        body = {'template': GUARDED, 'files': GUARDED_FILES}
        for path, more in (('/validate', {}),
                           ('/stacks/preview', {'stack_name': 'web'})):
            answer = self.client.post(path, {**body, **more})
            self.assertEqual(200, answer.status_code, answer.text)
        path = self.client.create_stack('web', GUARDED, files=GUARDED_FILES)
        stack = self.update(path, GUARDED, files=GUARDED_FILES,
                            parameters={'key': 'two'})
        self.assertEqual('UPDATE_COMPLETE', stack['stack_status'])
        self.update(path, PLAIN, files=PLAIN_FILES)

    def test_parameter_name_with_surrogate_is_accepted(self):
        odd = copy.deepcopy(PLAIN)
        # Heat stores the name with an escape in the JSON of the template.
        odd['parameters']['half\ud800'] = {
            'type': 'string', 'default': 'one', 'updatable': False}
        path = self.client.create_stack('odd', odd, files=PLAIN_FILES)
        stack = self.update(path, odd, files=PLAIN_FILES,
                            parameters={'key': 'two'})
        self.assertEqual('UPDATE_COMPLETE', stack['stack_status'])

    def test_invalid_heat_extras_attributes_are_rejected(self):
        wrong = copy.deepcopy(GUARDED)
        wrong['parameters']['key']['updatable'] = 'maybe'
        answer = self.client.post('/validate', {'template': wrong,
                                                'files': GUARDED_FILES})
        self.assertEqual(400, answer.status_code)
        self.assertIn('parameter key', answer.text)
        wrong = copy.deepcopy(GUARDED)
        wrong['resources']['db']['update_policy']['allow'] = {'replce': True}
        answer = self.client.post('/stacks', {
            'stack_name': 'wrong', 'template': wrong,
            'files': GUARDED_FILES})
        self.assertEqual(400, answer.status_code)
        self.assertIn(r'unknown key \"replce\"', answer.text)


class LegacyNeverEnabledTest(NeverEnabledTest):
    settings = base.LEGACY


class EnabledAgainTest(DisabledTestCase):
    """Attributes changed while disabled are enforced when enabled again."""

    off = ''

    def test_attributes_changed_while_disabled_are_enforced(self):
        for name in ('policy', 'stays'):
            self.client.create_stack(name, PLAIN, files=PLAIN_FILES)
        for name in ('changes', 'known'):
            self.client.create_stack(name, GUARDED, files=GUARDED_FILES)
        self.restart(self.off)
        for name, template, files in (
                # This stack had no policy, and gets one in a nested stack.
                ('policy', PLAIN, GUARDED_FILES),
                ('stays', GUARDED, PLAIN_FILES),
                ('changes', PLAIN, PLAIN_FILES)):
            self.update(self.path_of(name), template, files=files)
        self.client.create_stack('new', GUARDED, files=GUARDED_FILES)
        self.restart('all')
        self.check_parameters()
        for name in ('policy', 'new', 'known'):
            stack = self.update(self.path_of(name), WITHOUT_NESTED)
            self.assertEqual('UPDATE_FAILED', stack['stack_status'])
            for words in ('nothing was changed', 'nested/disk'):
                self.assertIn(words, stack['stack_status_reason'])

    def path_of(self, name):
        return f'/stacks/{name}/{self.listed(name)["id"]}'

    def check_parameters(self):
        for name in ('stays', 'new', 'known'):
            answer = self.client.put(self.path_of(name), {
                'template': GUARDED, 'files': PLAIN_FILES,
                'parameters': {'key': 'two'}})
            self.assertEqual(400, answer.status_code, answer.text)
        self.update(self.path_of('changes'), PLAIN, files=PLAIN_FILES,
                    parameters={'key': 'two'})
        self.assertIsNone(self.listed('changes').get('updatable'))
        self.assertEqual([], self.guards('changes'))
        self.assertEqual([('parameter', 'key'), ('policy', 'db')],
                         self.guards('stays'))
        self.assertEqual([('parameter', 'key'), ('parameter', 'value'),
                          ('policy', 'db'), *[('policy', 'disk')] * 2],
                         self.guards('known'))

    def guards(self, name):
        guards = self.read(self.path_of(name) + '/guards')['guards']
        return sorted((each['kind'], each['name']) for each in guards)


class LegacyEnabledAgainTest(EnabledAgainTest):
    settings = base.LEGACY


class OnlyLifecycleEnabledTest(EnabledAgainTest):
    """Only lifecycle plugins stay enabled: the columns are mapped."""

    off = 'lifecycle'


class WarningTest(DisabledTestCase):
    """An engine logs once, when it starts, guards that are not enforced."""

    def lines(self):
        with open(self.sandbox.log_path) as log:
            return [line for line in log if 'not enforced' in line]

    def test_engine_logs_counts_of_unenforced_guards_at_start(self):
        self.client.create_stack('web', GUARDED, files=GUARDED_FILES)
        other = self.client.create_stack('db', PLAIN, files=PLAIN_FILES)
        self.client.post(other + '/actions', {'lock': {'level': 'stacks'}})
        self.assertEqual([], self.lines())
        self.restart('lifecycle, stack_lock')
        line, = self.lines()
        self.assertIn('2 stacks with "updatable: false", 2 stacks with '
                      '"update_policy.allow"', line)
        self.assertNotIn('lock', line.partition('update_policy.allow')[2])
        self.restart('')
        line = self.lines()[-1]
        self.assertEqual(2, len(self.lines()))
        self.assertIn('1 locked or protected stack', line)
