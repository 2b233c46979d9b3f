# SPDX-License-Identifier: Apache-2.0

"""Tests of immutable parameters."""

import json

from heat_extras import sanitize
from tests.functional import base
from tests.functional import parameters_base
from tests.harness import waiting
from tests import template_guide

SECRETS = ('open-sesame', 'close-sesame', '47110815081', '47120815082')

# A value as text, and another one; the numbers are those of no port or id.
VALUES = {
    'string': ('plain', 'other'),
    'number': ('3', 4),
    'comma_delimited_list': ('a,b', 'b,a'),
    'json': ('{"a": 1}', {'a': 2}),
    'boolean': ('true', 'no'),
}
HIDDEN_VALUES = {
    'string': SECRETS[:2],
    'number': SECRETS[2:],
    'comma_delimited_list': SECRETS[:2],
    'json': ('{"a": "open-sesame"}', {'a': 'close-sesame'}),
    'boolean': ('true', False),
}
TYPED = {
    'heat_template_version': '2013-05-23',
    'parameters': {
        'free': {'type': 'string', 'default': 'x'},
        **{name: {'type': name, 'updatable': False} for name in VALUES},
        **{'hidden_' + name: {'type': name, 'updatable': False,
                              'hidden': True} for name in HIDDEN_VALUES},
    },
}
GIVEN = {name: value for name, (value, _) in VALUES.items()} | {
    'hidden_' + name: value for name, (value, _) in HIDDEN_VALUES.items()}
OTHERS = {name: value for name, (_, value) in VALUES.items()} | {
    'hidden_' + name: value for name, (_, value) in HIDDEN_VALUES.items()}

SIZE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'size': {'type': 'number', 'default': 1,
                            'updatable': False},
                   'free': {'type': 'string', 'default': 'x'}},
}
FRAGILE = {
    **SIZE,
    'parameters': {**SIZE['parameters'],
                   'fail': {'type': 'boolean', 'default': False}},
    'resources': {'test': {'type': 'OS::Heat::TestResource',
                           'properties': {
                               'fail': {'get_param': 'fail'},
                               'value': {'get_param': 'free'}}}},
}


class TypesTest(parameters_base.ParametersTestCase):
    def setUp(self):
        super().setUp()
        self.create(TYPED, parameters=GIVEN)

    def test_every_type_is_rejected_without_showing_secrets(self):
        before = self.trace()
        for name, value in OTHERS.items():
            self.assert_refused(self.patch(parameters={name: value}), name)
        self.assert_refused(self.put(parameters=OTHERS), *OTHERS)
        answer = self.client.put(self.path + '/preview', {
            'template': TYPED, 'parameters': OTHERS})
        self.assert_refused(answer, *OTHERS)
        self.assertEqual(before, self.trace())
        with open(self.sandbox.log_path) as log:
            text = log.read()
        for secret in SECRETS:
            self.assertNotIn(secret, text + json.dumps(self.trace()))

    def test_invalid_value_of_hidden_parameter_is_not_shown(self):
        answer = self.patch(parameters={'hidden_number': 'untold'})
        self.assert_refused(answer, 'hidden_number')
        with open(self.sandbox.log_path) as log:
            self.assertNotIn('untold', answer.text + log.read())

    def test_other_parameters_can_be_updated(self):
        # Heat alone refuses: what was given as text is no text now.
        self.assert_accepted(self.patch(parameters={'free': 'y'}))
        self.assert_accepted(self.put(parameters=GIVEN))

    def test_other_spelling_of_value_is_accepted(self):
        self.assert_accepted(self.put(parameters={
            **GIVEN, 'number': 3.0, 'comma_delimited_list': ['a', 'b'],
            'json': {'a': 1}, 'boolean': True,
            # Heat encrypts text only.
            'hidden_number': '47110815081.0', 'hidden_boolean': 'yes'}))

    def test_stack_and_list_show_updatable(self):
        wanted = dict.fromkeys(GIVEN, False)
        self.assertEqual(wanted,
                         self.client.show_stack(self.path)['updatable'])
        listed, = (stack for stack in self.client.get(
            '/stacks').json()['stacks'] if stack['id'] in self.path)
        self.assertEqual(wanted, listed['updatable'])

    def test_list_omits_updatable_without_restrictions(self):
        path = self.client.create_stack('free', {
            'heat_template_version': '2018-08-31'})
        self.assertIsNone(self.client.show_stack(path)['updatable'])
        for address in ('/stacks', '/stacks/detail'):
            listed, = (stack for stack in self.client.get(
                address).json()['stacks'] if stack['id'] in path)
            self.assertNotIn('updatable', listed)


class ValueTest(parameters_base.ParametersTestCase):
    """Tests of each source of a value."""

    def test_fallback_to_default_is_rejected(self):
        self.create(SIZE, parameters={'size': '2'})
        before = self.trace()
        self.assert_refused(self.put(), 'size')
        self.assert_refused(self.patch(clear_parameters=['size']), 'size')
        self.assertEqual(before, self.trace())
        self.assert_accepted(self.patch(parameters={'free': 'y'}))

    def test_changed_default_is_rejected(self):
        self.create(SIZE)
        template = parameters_base.changed(SIZE, 'size', default=2)
        self.assert_refused(self.put(template=template), 'size')
        self.assert_refused(self.patch(template=template), 'size')
        # Only the value is compared.
        self.assert_accepted(self.put(template=template,
                                      parameters={'size': '1'}))
        self.assert_refused(self.patch(clear_parameters=['size']), 'size')

    def test_value_in_environment_is_rejected(self):
        self.create(SIZE)
        for section in ('parameters', 'parameter_defaults'):
            environment = {section: {'size': 2}}
            self.assert_refused(self.put(environment=environment), 'size')
            self.assert_refused(self.patch(environment=environment), 'size')
            self.assert_refused(self.put(
                files={'env.yaml': json.dumps(environment)},
                environment_files=['env.yaml']), 'size')
            self.assert_accepted(self.put(
                environment={section: {'size': '1.0'}}))
            self.assert_accepted(self.put())

    def test_removed_parameter_default_is_rejected(self):
        self.create(SIZE, environment={'parameter_defaults': {'size': 2}})
        self.assert_refused(self.put(), 'size')
        self.assert_accepted(self.patch(parameters={'free': 'y'}))

    def test_other_type_is_rejected(self):
        self.create(SIZE)
        self.assert_refused(self.put(template=parameters_base.changed(
            SIZE, 'size', type='string')), 'size')

    def test_immutable_is_same_as_updatable_false(self):
        template = parameters_base.changed(SIZE, 'size', updatable=None,
                                           immutable=True)
        self.create(template, parameters={'size': '2'})
        self.assert_refused(self.patch(parameters={'size': 3}), 'size')
        self.assert_accepted(self.put(template=SIZE,
                                      parameters={'size': 2}))
        self.assertEqual({'size': False},
                         self.client.show_stack(self.path)['updatable'])

    def test_restriction_is_removed_with_new_value(self):
        self.create(SIZE)
        lifted = parameters_base.changed(SIZE, 'size', updatable=None)
        stack = self.assert_accepted(self.put(template=lifted,
                                              parameters={'size': 2}))
        self.assertIsNone(stack['updatable'])
        self.assertEqual('2', stack['parameters']['size'])
        # And back: restricted from now on.
        stack = self.assert_accepted(self.put(parameters={'size': 2}))
        self.assertEqual({'size': False}, stack['updatable'])
        self.assert_refused(self.put(), 'size')

    def test_restriction_with_other_value_is_rejected(self):
        self.create(parameters_base.changed(SIZE, 'size', updatable=True))
        self.assert_refused(self.put(template=SIZE,
                                     parameters={'size': 2}), 'size')

    def test_parameter_is_added_and_removed(self):
        bare = {'heat_template_version': '2018-08-31'}
        self.create(bare)
        self.assert_accepted(self.put(template=SIZE,
                                      parameters={'size': 2}))
        stack = self.assert_accepted(self.put(template=bare))
        self.assertIsNone(stack['updatable'])


class OperationTest(parameters_base.ParametersTestCase):
    """Tests of rollback, adopt, restore and failed updates."""

    def test_restriction_remains_after_failed_update(self):
        self.create(FRAGILE)
        self.assertIn('Test Resource failed', self.assert_fails(
            self.put(parameters={'fail': True, 'free': 'y'})))
        self.assert_refused(self.put(parameters={'size': 2}), 'size')
        self.assert_accepted(self.put(parameters={'free': 'z'}))

    def test_rollback_restores_value_and_restriction(self):
        self.create(FRAGILE)
        lifted = parameters_base.changed(FRAGILE, 'size', updatable=None)
        stack = self.assert_rolls_back(self.put(
            template=lifted, disable_rollback=False,
            parameters={'size': 2, 'fail': True, 'free': 'y'}))
        self.assertEqual('1', stack['parameters']['size'])
        self.assertEqual({'size': False}, stack['updatable'])

    def test_restriction_remains_after_adopt(self):
        self.create(FRAGILE, parameters={'size': '2'})
        data = self.client.get(self.path + '/export').json()
        path = '/stacks/' + self.client.post('/stacks', {
            'stack_name': 'adopted', 'adopt_stack_data': json.dumps(data),
            'template': FRAGILE, 'parameters': {'size': 2}}
            ).json()['stack']['id']
        stack = self.client.wait_for_stack('adopted', ['ADOPT_COMPLETE'])
        self.assertEqual({'size': False}, stack['updatable'])
        path = f'/stacks/adopted/{stack["id"]}'
        self.addCleanup(self.client.delete, path)
        self.assert_refused(self.patch(path, parameters={'size': 3}), 'size')

    def snapshot(self):
        answer = self.client.post(self.path + '/snapshots', {'name': 's'})
        self.assertEqual(200, answer.status_code, answer.text)
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        return f'{self.path}/snapshots/{answer.json()["id"]}/restore'

    def test_restore_does_not_remove_restriction(self):
        free = parameters_base.changed(FRAGILE, 'size', updatable=None)
        self.create(free)
        restore = self.snapshot()
        self.assert_accepted(self.put(template=free,
                                      parameters={'size': 2}))
        self.assert_accepted(self.put(template=FRAGILE,
                                      parameters={'size': 2}))
        before = self.trace()
        answer = self.client.post(restore)
        self.assertIn('A restore does not remove a restriction',
                      self.assert_refused(answer, 'size'))
        self.assertEqual(before, self.trace())

    def test_restore_keeps_spelling_of_equal_value(self):
        free = parameters_base.changed(FRAGILE, 'size', updatable=None)
        self.create(free, parameters={'size': '1.0'})
        restore = self.snapshot()
        self.assert_accepted(self.put(template=free, parameters={'size': 1}))
        self.assert_accepted(self.put(template=FRAGILE,
                                      parameters={'size': 1, 'free': 'y'}))
        self.assert_accepted(self.client.post(restore), 'RESTORE_COMPLETE')
        self.assertEqual(1, self.client.get(
            self.path + '/environment').json()['parameters']['size'])

    def test_restore_checks_restriction_of_current_template(self):
        self.create(FRAGILE, parameters={'free': 'y'})
        restore = self.snapshot()
        free = parameters_base.changed(FRAGILE, 'size', updatable=None)
        self.assert_accepted(self.put(template=free,
                                      parameters={'size': 2}))
        self.assert_accepted(self.client.post(restore), 'RESTORE_COMPLETE')
        stack = self.client.show_stack(self.path)
        self.assertEqual('1', stack['parameters']['size'])
        self.assertEqual({'size': False}, stack['updatable'])


class TemplateTest(parameters_base.ParametersTestCase):
    def test_invalid_attributes_are_rejected_in_every_template(self):
        self.create(SIZE)
        before = self.trace()
        for words in ({'updatable': 'maybe'}, {'updatable': 'false'},
                      {'updatable': True, 'immutable': True},
                      {'updatable': False, 'immutable': False}):
            template = parameters_base.changed(SIZE, 'free', **words)
            files = {'nested.yaml': json.dumps(template)}
            nesting = {'heat_template_version': '2018-08-31',
                       'resources': {'nested': {'type': 'nested.yaml'}}}
            for body in ({'template': template},
                         {'template': nesting, 'files': files}):
                for answer in (
                        self.client.post('/stacks', {
                            'stack_name': 'nonsense', **body}),
                        self.client.post('/validate', body),
                        self.put(**body)):
                    self._assert_names(answer, words)
        self.assertEqual(before, self.trace())

    def _assert_names(self, answer, words):
        self.assertEqual(400, answer.status_code, answer.text)
        message = answer.json()['error']['message']
        self.assertIn('parameter free: updatable: ', message)
        for word, value in words.items():
            self.assertIn(f'{word}: {sanitize.to_yaml(value)}', message)

    def test_validation_shows_updatable_and_immutable(self):
        template = parameters_base.changed(SIZE, 'free', hidden=True)
        nesting = {'heat_template_version': '2018-08-31',
                   'resources': {'nested': {'type': 'nested.yaml'}}}
        answer = self.client.post('/validate?show_nested=true', {
            'template': nesting,
            'files': {'nested.yaml': json.dumps(template)}}).json()
        nested = answer['NestedParameters']['nested']['Parameters']
        for parameters in (nested, self.client.post(
                '/validate', {'template': template}).json()['Parameters']):
            self.assertEqual(
                {'size': (False, True), 'free': (None, None)},
                {name: (each.get('Updatable'), each.get('Immutable'))
                 for name, each in parameters.items()})

    def test_existing_client_shows_updatable(self):
        path = self.sandbox.directory + '/size.json'
        with open(path, 'w') as target:
            json.dump(SIZE, target)
        done = self.client.openstack('orchestration', 'template', 'validate',
                                     '-t', path, '-f', 'json')
        self.assertEqual(0, done.returncode, done.stderr)
        Parameters = json.loads(done.stdout)['Parameters']
        self.assertIs(False, Parameters['size']['Updatable'])
        self.assertNotIn('Updatable', Parameters['free'])

    def test_example_of_template_guide(self):
        self.create(template_guide.example('template-of-a-database'),
                    parameters={'database_name': 'orders'})
        before = self.trace()
        done = self.client.openstack(
            'stack', 'update', '--existing', '--parameter',
            'database_name=other', self.client.show_stack(
                self.path)['stack_name'])
        self.assertNotEqual(0, done.returncode)
        self.assertIn(parameters_base.HEATS + 'database_name', done.stderr)
        self.assertIn(done.stderr.strip().splitlines()[-1],
                      template_guide.GUIDE.read_text())
        self.assertEqual(before, self.trace())
        self.assert_accepted(self.patch(parameters={'size': 20}))


class TwoStepTest(parameters_base.ParametersTestCase):
    settings = (parameters_base.ParametersTestCase.settings
                + '[heat_extras]\nparameter_lift = two_step\n')

    def test_restriction_must_be_removed_first(self):
        self.create(FRAGILE, parameters={'size': '2'})
        before = self.trace()
        lifted = parameters_base.changed(FRAGILE, 'size', updatable=None)
        gone = {name: section for name, section in FRAGILE.items()}
        gone['parameters'] = {name: each for name, each in
                              FRAGILE['parameters'].items()
                              if name != 'size'}
        for body in ({'template': lifted, 'parameters': {'size': 3}},
                     {'template': lifted}, {'template': gone}):
            self.assertIn('First remove the restriction',
                          self.assert_refused(self.put(**body), 'size'))
        self.assertEqual(before, self.trace())
        self.assert_accepted(self.put(template=lifted,
                                      parameters={'size': 2.0}))
        self.assert_accepted(self.put(template=lifted,
                                      parameters={'size': 3}))


class CfnTest(parameters_base.ParametersTestCase):
    # As in test_stack_lock_cfn.
    settings = '[oslo_policy]\nenforce_new_defaults = false\n'
    is_shared = False

    def test_cfn_api_returns_400(self):
        self.create(SIZE)
        url = self.sandbox.url.partition('/v1/')[0] + '/cfn/v1/'
        answer = self.client.request('GET', url, params={
            'Action': 'UpdateStack', 'Version': '2010-05-15',
            'ContentType': 'JSON', 'TemplateBody': json.dumps(SIZE),
            'StackName': self.client.show_stack(self.path)['stack_name'],
            'Parameters.member.1.ParameterKey': 'size',
            'Parameters.member.1.ParameterValue': '2'})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn(parameters_base.HEATS + 'size', answer.text)


class AloneTest(base.TestCase):
    """Without the other features."""

    settings = '[heat_extras]\nfeatures = parameters\n'

    def test_parameters_without_other_features(self):
        path = self.client.create_stack('alone', SIZE)
        stack = self.client.show_stack(path)
        self.assertEqual({'size': False}, stack['updatable'])
        self.assertNotIn('lock_level', stack)
        answer = self.client.patch(path, {'parameters': {'size': 2}})
        self.assertEqual(400, answer.status_code, answer.text)

    def test_upgrade_check_finds_engine(self):
        check = waiting.until(
            'the engine to report', self.engines_check,
            lambda check: check['details'] != '0 live engines.')
        self.assertEqual((0, '1 live engine.'),
                         (check['result'], check['details']))

    def engines_check(self):
        done = self.sandbox.run('heat-extras-status', 'upgrade', 'check',
                                '--json', with_settings=True)
        checks = json.loads(done.stdout)['checks']
        check, = [each for each in checks if each['check'] == 'Engines']
        return check
