# SPDX-License-Identifier: Apache-2.0

"""Tests of ``openstack stack plan`` with a running Heat."""

import base64
import json
import os

import fixtures

from tests.functional import actual_changes
from tests.functional import plan_cases


class PlanClientCase(actual_changes.PlanTestCase):

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path

    def write(self, name, document):
        path = os.path.join(self.directory, name)
        with open(path, 'w') as target:
            json.dump(document, target)
        return path

    def start(self, name):
        """Create a stack of files; return the path of its template."""
        before, self.after = plan_cases.nested(), plan_cases.nested(
            value='two')
        self.client.create_stack(name, before['template'],
                                 files=before['files'])
        self.addCleanup(lambda: self.client.delete(f'/stacks/{name}'))
        self.write('m.yaml', {**plan_cases.VERSION, **plan_cases.MEMBER})
        return self.write('before.yaml', before['template'])

    def run_plan(self, *arguments):
        return self.client.openstack('stack', 'plan', *arguments)

    def update(self, *arguments):
        return self.client.openstack('stack', 'update', *arguments)

    def values(self, name):
        """Return the property "value" of each test resource of a stack."""
        tree = actual_changes.Tree(self.sandbox, self.client.get(
            f'/stacks/{name}').json()['stack']['id']).found
        return {path: content[0].get('value')
                for path, (_, content) in tree.items()
                if 'value' in (content[0] or ())}


class PlanClientTest(PlanClientCase):

    def test_plan_is_written_reviewed_and_applied(self):
        self.start('web2')
        other = self.write('after.yaml', self.after['template'])
        plan = os.path.join(self.directory, 'web2.plan')
        done = self.run_plan('web2', '-t', other, '--tags', 'one,two',
                             '--out', plan)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertIn(f'openstack stack update --plan {plan} web2',
                      done.stderr)
        self.assertEqual(0o600, os.stat(plan).st_mode & 0o777)
        # The plan file contains all that the update needs.
        os.remove(other)
        os.remove(os.path.join(self.directory, 'm.yaml'))
        done = self.update('--plan', plan, 'web2', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual('two', self.values('web2')['n/s'])
        self.assertEqual(['one', 'two'], self.client.get(
            '/stacks/web2').json()['stack']['tags'])
        done = self.update('--plan', plan, 'web2')
        self.assertEqual(1, done.returncode)
        self.assertIn('was updated or locked after the plan was made',
                      done.stderr)

    def test_invalid_plan_arguments_are_rejected(self):
        same = self.start('web3')
        plan = os.path.join(self.directory, 'web3.plan')
        self.assertEqual(0, self.run_plan('web3', '-t', same, '--out',
                                          plan).returncode)
        for arguments, text in (
                (('--plan', plan, 'other'), 'is for stack web3 ('),
                (('--plan', plan, '-t', same, 'web3'),
                 'argument --template: not allowed with argument --plan'),
                (('--plan', plan, '--parameter', 'a=b', 'web3'),
                 'Parameter "a" cannot be given with a plan'),
                (('--plan', same, 'web3'), 'is not a plan'),
                (('--plan', plan + 'x', 'web3'), 'No such file')):
            done = self.update(*arguments)
            self.assertEqual(1, done.returncode)
            self.assertIn(text, done.stderr)

    def test_hidden_values_must_be_given_again(self):
        def write(value):
            before = plan_cases.body({
                'a': plan_cases.test({'get_param': 'secret'}),
                'b': plan_cases.test(value)})['template']
            before['parameters'] = {'secret': {'type': 'string',
                                               'hidden': True}}
            return self.write('hidden.yaml', before)

        def environment(value):
            return self.write('environment.yaml', {
                'parameter_defaults': {'secret': value}})

        self.create('web4', {'template': json.load(open(write('one'))),
                             'parameters': {'secret': 'first-secret'}})
        plan = os.path.join(self.directory, 'web4.plan')
        done = self.run_plan('web4', '-t', write('two'), '-e',
                             environment('first-secret'), '--out', plan)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertNotIn('first-secret', open(plan).read())
        done = self.update('--plan', plan, 'web4', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual({'a': 'first-secret', 'b': 'two'},
                         self.values('web4'))
        self.run_plan('web4', '-t', write('two'), '-e',
                      environment('second-secret'), '--out', plan)
        self.assertNotIn('second-secret', open(plan).read())
        done = self.update('--plan', plan, 'web4')
        self.assertEqual(1, done.returncode)
        self.assertIn('Add the parameter "secret"', done.stderr)
        done = self.update('--plan', plan, 'web4', '--wait', '--parameter',
                           'secret=second-secret')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual('second-secret', self.values('web4')['a'])

    def test_hidden_defaults_of_nested_templates(self):
        hidden = {'type': 'string', 'hidden': 'y'}

        def write_member(schema):
            self.write('m.yaml', {
                **plan_cases.VERSION, 'parameters': {
                    'secret': {**schema, 'default': 'dull'}},
                'resources': {'s': plan_cases.test({'get_param': 'secret'})}})

        def write(value, parameters, **properties):
            return self.write('root.yaml', {
                **plan_cases.VERSION, 'parameters': parameters, 'resources': {
                    'n': {'type': 'm.yaml', 'properties': properties},
                    'x': plan_cases.test(value)}})

        plan = os.path.join(self.directory, 'web5.plan')
        write_member(hidden)
        given = self.write('environment.yaml', {
            'parameter_defaults': {'secret': 'nested-secret'}})
        done = self.client.openstack(
            'stack', 'create', 'web5', '-t', write('one', {}), '-e', given,
            '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        # With the same name in the root template, the value would be lost.
        for parameters, member in (({}, hidden), ({'secret': hidden}, hidden),
                                   ({}, {'type': 'string'})):
            write_member(member)
            done = self.run_plan('web5', '-t', write('two', parameters), '-e',
                                 given, '--out', plan)
            self.assertEqual(1, done.returncode)
            self.assertIn('Make "secret" a hidden parameter of the root '
                          'template, and pass it', done.stderr)
            self.assertFalse(os.path.exists(plan))
        # As the message says.
        secret = '--parameter', 'secret=nested-secret'
        done = self.run_plan(
            'web5', '-t', write('two', {'secret': hidden},
                                secret={'get_param': 'secret'}),
            *secret, '--out', plan)
        self.assertEqual(2, done.returncode, done.stderr)
        done = self.update('--plan', plan, 'web5', '--wait', *secret)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual({'n/s': 'nested-secret', 'x': 'two'},
                         self.values('web5'))

    def test_plan_of_recreated_stack_is_rejected(self):
        same = self.start('web6')
        plan = os.path.join(self.directory, 'web6.plan')
        self.run_plan('web6', '-t', same, '--out', plan)
        self.client.openstack('stack', 'delete', 'web6', '--yes', '--wait')
        self.start('web6')
        done = self.update('--plan', plan, 'web6')
        self.assertEqual(1, done.returncode)
        self.assertIn('A new stack with the same name needs a new plan.',
                      done.stderr)

    def test_plan_that_is_stopped_is_not_to_be_applied(self):
        same = self.start('web14')
        self.client.openstack('stack', 'suspend', 'web14', '--wait')
        plan = os.path.join(self.directory, 'web14.plan')
        done = self.run_plan('web14', '-t', same, '--out', plan)
        self.assertEqual(1, done.returncode)
        self.assertIn(f'The plan was written to {plan}. Heat would reject or '
                      'stop this update.', done.stderr)
        self.assertNotIn('--plan', done.stderr)

    def test_parameters_from_files(self):
        text = os.path.join(self.directory, 'text')
        with open(text, 'w') as target:
            target.write('from-a-file')
        template = {**plan_cases.VERSION, 'parameters': {
            'secret': {'type': 'string', 'hidden': True, 'default': 'x'},
            'size': {'type': 'string', 'default': 'x'}}, 'resources': {
                f'r_{name}': plan_cases.test({'get_param': name})
                for name in ('secret', 'size')}}
        self.create('web7', {'template': template})
        plan = os.path.join(self.directory, 'web7.plan')
        secret = '--parameter-file', f'secret={text}'
        done = self.run_plan('web7', '-t', self.write('t.yaml', template),
                             *secret, '--parameter-file', f'size={text}',
                             '--out', plan)
        self.assertEqual(2, done.returncode, done.stderr)
        done = self.update('--plan', plan, 'web7', '--wait', *secret)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(
            {'r_secret': 'from-a-file', 'r_size': 'from-a-file'},
            self.values('web7'))

    def test_files_of_any_content(self):
        contents = {'text': b'a: text\n', 'utf8': 'gr\u00fcn'.encode(),
                    'binary': bytes(range(256)), 'empty': b'', 'list': b'[1]',
                    'number': b'1'}
        for name, content in contents.items():
            with open(os.path.join(self.directory, name), 'wb') as target:
                target.write(content)
        template = plan_cases.body({
            f'r_{name}': plan_cases.test({'get_file': name})
            for name in contents})['template']
        self.create('web8', plan_cases.body({'a': plan_cases.test('x')}))
        plan = os.path.join(self.directory, 'web8.plan')
        done = self.run_plan('web8', '-t', self.write('t.yaml', template),
                             '--out', plan)
        self.assertEqual(2, done.returncode, done.stderr)
        done = self.update('--plan', plan, 'web8', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual({
            'r_text': 'a: text\n', 'r_utf8': 'gr\u00fcn', 'r_empty': '',
            # heatclient encodes binary files.
            'r_binary': base64.encodebytes(contents['binary']).decode(),
            'r_list': '[1]', 'r_number': '1'}, self.values('web8'))
        done = self.run_plan('web8', '-t', os.path.join(
            self.directory, 't.yaml'), '--out', '/dev/stdout')
        self.assertEqual(1, done.returncode)
        self.assertIn('The plan /dev/stdout cannot be written: expected',
                      done.stderr)

    def test_exit_status_and_tree(self):
        same = self.start('web')
        done = self.run_plan('web', '-t', same)
        self.assertEqual((0, 'Plan: 0 to add, 0 to update, 0 to replace, 0 to '
                          'remove; 6 unchanged.\n'),
                         (done.returncode, done.stdout), done.stderr)
        other = self.write('after.yaml', self.after['template'])
        done = self.run_plan('web', '-t', other)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertEqual([
            'web', f'  ~    n (file://{self.directory}/m.yaml)',
            '         p: "one" -> "two"',
            '    ~    s (OS::Heat::TestResource)',
            '           value: "one" -> "two"'],
            done.stdout.splitlines()[:5])
        done = self.run_plan('web', '-t', other, '-f', 'json')
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertEqual(
            ['alone', 'alone/s', 'alone/t', 'n', 'n/s', 'n/t'],
            [entry['path'] for entry in json.loads(done.stdout)['plan']])

    def test_plan_of_locked_or_unknown_stack_fails(self):
        same = self.start('stopped')
        self.client.openstack('stack', 'lock', 'stopped', '--level', 'stacks')
        self.addCleanup(self.client.openstack, 'stack', 'unlock', 'stopped')
        done = self.run_plan('stopped', '-t', same)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('Stopped by StackLocked: ', done.stdout)

    def test_status_of_errors_is_not_the_status_of_changes(self):
        same = self.start('web9')
        for arguments, text in (
                (('nowhere/1', '-t', same), 'nowhere'),
                (('web9', '-t', same + 'x'), 'before.yamlx'),
                (('web9', '-t', same, '-e', same + 'x'), 'before.yamlx'),
                (('web9',), '--template-file'),
                ((), 'the following arguments are required: <stack>'),
                (('web9', '--unknown'), 'unrecognized arguments: --unknown'),
                (('web9', '--timeout', 'x'), "invalid int value: 'x'"),
                (('web9', '--out'), 'argument --out: expected one argument')):
            done = self.run_plan(*arguments)
            self.assertEqual(1, done.returncode, done.stderr)
            self.assertIn(text, done.stderr)


class WithoutPlansTest(PlanClientCase):
    """Tests of engines without the feature plan."""

    is_shared = False

    def use_features(self, features):
        self.sandbox.options = ['--features', features]
        self.sandbox.restart()
        self.client = self.sandbox.client()

    def test_plan_is_rejected_without_features(self):
        self.start('web')
        plan = os.path.join(self.directory, 'web.plan')
        other = self.write('after.yaml', self.after['template'])
        self.assertEqual(2, self.run_plan('web', '-t', other, '--out',
                                          plan).returncode)
        for features in 'update_policy', '', 'plan':
            self.use_features(features)
            done = self.update('--plan', plan, 'web')
            self.assertEqual(1, done.returncode)
            self.assertIn('update_policy', done.stderr)
            self.assertEqual('one', self.values('web')['n/s'])
        # As the messages say.
        self.use_features('plan,update_policy')
        done = self.update('--plan', plan, 'web', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual('two', self.values('web')['n/s'])
