# SPDX-License-Identifier: Apache-2.0

"""Tests of creations with a reviewed plan."""

import json
import os
import shutil

from heat_extras.client import plan_file
from tests.functional import actual_changes
from tests.functional import base
from tests.functional import freeze_base
from tests.functional import plan_cases
from tests.functional import test_plan_client
from tests.functional import test_plan_create
from tests.functional import test_plan_seal
from tests.functional import test_planned_update

SECRET = test_plan_seal.SECRET


class PlannedCreateCase(test_plan_create.CreateCase):

    def make_plan(self, name, body):
        return test_planned_update.reviewed(self.preview(name, body))

    def post(self, name, body, plan, url=''):
        return self.client.post('/stacks' + url, {
            **body, 'stack_name': name, 'plan': plan})

    def assert_refused(self, name, body, plan, *texts, kind=None):
        """Assert that a plan is rejected, and that its check says the same."""
        for url in '/preview', '':
            answer = self.post(name, body, plan, url)
            self.assertEqual(409, answer.status_code, answer.text)
            error = answer.json()['error']
            self.assertEqual(kind or 'PlanNotApplicable', error['type'])
            for text in texts:
                self.assertIn(text, error['message'])

    def assert_created(self, name, body, plan, status='CREATE_COMPLETE'):
        self.assertEqual(200, self.post(name, body, plan,
                                        '/preview').status_code)
        answer = self.post(name, body, plan)
        self.assertEqual(201, answer.status_code, answer.text)
        path = f'/stacks/{name}/{answer.json()["stack"]["id"]}'
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, [status])
        return path


class PlannedCreateTest(PlannedCreateCase):

    settings = None

    @classmethod
    def setUpClass(cls):
        cls.member = cls.write_for_class('global.yaml', '')
        directory = os.path.dirname(cls.write_for_class(
            'environment.yaml', json.dumps({'resource_registry': {
                'Test::Global': f'file://{cls.member}'}})))
        cls.settings = (cls.settings or '[DEFAULT]\n') + (
            f'environment_dir = {directory}\n')
        super().setUpClass()

    def write_member(self, resource):
        with open(self.member, 'w') as target:
            json.dump({**plan_cases.VERSION, 'resources': {'s': resource}},
                      target)

    def test_stack_is_created_as_planned(self):
        for case in ('nested_three_deep', 'a_group_in_a_group',
                     'a_condition_on_an_unknown_value',
                     'a_scaling_group_of_an_unknown_size', 'a_cfn_template'):
            body = test_plan_create.ALL_CASES[case]()[0]
            name = 'planned-' + case.replace('_', '-')
            plan = self.preview(name, body)
            path = self.assert_created(name, body,
                                       test_planned_update.reviewed(plan))
            self.assertEqual([], actual_changes.mistakes_of_creation(
                plan['plan'], self.read_tree(path)))

    def test_plan_that_would_differ_is_rejected(self):
        body = plan_cases.body({'n': {'type': 'Test::Global'}})
        self.write_member(plan_cases.test('one'))
        plan = self.make_plan('differs', body)
        for member, text in (
                (plan_cases.test('two'), 'have other properties'),
                (plan_cases.RANDOM, 'have other properties'),
                (plan_cases.test('one', condition=False), 'are missing')):
            self.write_member(member)
            self.assert_refused('differs', body, plan, 'Stack differs cannot '
                                'be created with this plan: the creation '
                                'would differ', text, 'Nothing was changed.')
        with open(self.member, 'w') as target:
            json.dump({**plan_cases.VERSION, 'resources': {
                's': plan_cases.test('one'), 't': plan_cases.test()}}, target)
        self.assert_refused('differs', body, plan, 'n/t will be added (in the '
                            'plan: will be unchanged)')
        # The plan shows no metadata.
        self.write_member({**plan_cases.test('one'), 'metadata': {'a': 1}})
        self.assert_refused('differs', body, plan, 'a file that Heat reads')
        self.assertEqual([], self.sandbox.sql(
            "SELECT id FROM stack WHERE name LIKE 'differs%'"))
        self.write_member(plan_cases.test('one'))
        self.assert_created('differs', body, plan)

    def test_plan_of_name_that_is_taken_is_rejected(self):
        body = plan_cases.nested()
        plan = self.make_plan('taken', body)
        path = self.create('taken', body)
        self.assert_refused('taken', body, plan, 'already exists',
                            kind='StackExists')
        self.client.delete(path)
        self.client.wait_until_free('taken')
        self.assert_created('taken', body, plan)
        self.assert_refused('taken', body, plan, 'already exists',
                            kind='StackExists')

    def test_plan_of_other_name_or_project_is_rejected(self):
        body = plan_cases.nested()
        text = 'it was made for another stack or project'
        plan = self.make_plan('first', body)
        self.assert_refused('second', body, plan, text)
        own = self.client
        self.client = base.Client(self.sandbox.url.rpartition('/')[0]
                                  + '/elsewhere')
        self.assert_refused('first', body, plan, text)
        self.client = own
        self.assert_created('first', body, plan)

    def test_plans_of_updates_and_creations_are_distinguished(self):
        body = plan_cases.nested()
        path = self.create('both', body)
        update = test_planned_update.reviewed(self.client.put(
            path + '/preview', body).json()['resource_changes'])
        self.assert_refused('new', body, update, 'is the plan of an update',
                            'openstack stack update --plan')
        creation = self.make_plan('new', body)
        for url in path, path + '/preview':
            answer = self.client.put(url, {**body, 'plan': creation})
            self.assertEqual(409, answer.status_code, answer.text)
            self.assertIn('is the plan of a new stack. To create the stack: '
                          'openstack stack create --plan',
                          answer.json()['error']['message'])
        # A kind that somebody has edited.
        source = {'revision': creation['revision']}
        self.assert_refused('both', body, {**update, **source},
                            'for another stack')

    def test_hidden_parameters_are_compared(self):
        def body(schema, **given):
            made = plan_cases.body({'n': {
                'type': 'm.yaml', 'properties': {
                    'p': {'get_param': 'key'}}}}, {
                        'm.yaml': plan_cases.MEMBER})
            made['template']['parameters'] = {
                'key': {'type': 'string', 'hidden': True, **schema}}
            return {**made, 'parameters': given}

        for name, schema in (('hidden', {}), ('default', {'default': 'x'})):
            stack = self.preview(name, body(schema, key=SECRET))
            plan = test_planned_update.reviewed(stack)
            self.assertNotIn(SECRET, json.dumps(
                [stack[each] for each in stack if each.startswith('plan')]))
            self.assert_refused(name, body(schema), plan, 'the value of '
                                'hidden parameter "key" is not in the plan. '
                                'Add the parameter "key" to the request')
            for other in 'other', 'x':
                self.assert_refused(
                    name, body(schema, key=other), plan, 'hidden parameter '
                    '"key" does not have the same value')
            self.assert_created(name, body(schema, key=SECRET), plan)

    def test_invalid_plans_are_rejected(self):
        body = plan_cases.nested()
        plan = self.make_plan('invalid', body)
        for value in 'x', {}, {**plan, 'changes': [1]}, {**plan, 'seal': 1}:
            for url in '', '/preview':
                answer = self.post('invalid', body, value, url)
                self.assertEqual((400, 'InvalidPlan'), (
                    answer.status_code, answer.json()['error']['type']))
        answer = self.client.post('/stacks', {
            **body, 'stack_name': 'invalid',
            'disable_rollback': 'true with plan'})
        self.assertEqual(400, answer.status_code)
        self.assertEqual(404, self.client.get('/stacks/invalid').status_code)


class PlannedCreateLegacyTest(PlannedCreateTest):

    settings = base.LEGACY


class GlobalMappingTest(PlannedCreateCase):

    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.mapping = cls.write_for_class('environment.yaml', '')
        cls.settings = ('[DEFAULT]\nenvironment_dir = '
                        f'{os.path.dirname(cls.mapping)}\n')
        super().setUpClass()

    def map_type(self, name):
        with open(self.mapping, 'w') as target:
            json.dump({'resource_registry': {'Test::Mapped': name}}, target)
        self.sandbox.restart()
        self.client = self.sandbox.client()

    def test_plan_of_other_mapping_of_type_is_rejected(self):
        bodies = [plan_cases.body({'a': plan_cases.test(
            'x', type='Test::Mapped')}), plan_cases.body({
                'n': {'type': 'm.yaml'}}, {'m.yaml': {'resources': {
                    'a': {'type': 'Test::Mapped'}}}})]
        self.map_type(plan_cases.TEST)
        plans = [self.make_plan('mapped', body) for body in bodies]
        self.map_type('OS::Heat::None')
        for body, plan in zip(bodies, plans, strict=True):
            self.assert_refused('mapped', body, plan, 'types')
        self.map_type(plan_cases.TEST)
        self.assert_created('mapped', bodies[0], plans[0])


class FrozenCreateTest(freeze_base.FreezeTestCase, PlannedCreateCase):

    def test_plan_of_a_freeze_can_be_applied_after_its_end(self):
        body = plan_cases.nested()
        self.freeze()
        stack = self.preview('frozen', body)
        plan = test_planned_update.reviewed(stack)
        self.assertEqual('StackFrozen', stack['plan_stops'][0]['type'])
        self.assert_frozen(self.post('frozen', body, plan), 'create')
        self.write_file()
        self.assert_created('frozen', body, plan)


class CreateFileCase(test_plan_seal.SealCase):

    key = '--parameter', f'key={SECRET}'

    def make_creation(self, name, *arguments, status=2):
        """Make the file of a plan of a creation, and return its path."""
        self.write('member.yaml', test_plan_seal.MEMBER)
        environment = self.write('env.json', {
            'parameters': {'key': SECRET}, 'parameter_defaults': {
                'size': '10'}, 'resource_registry': {
                    'My::Member': 'member.yaml'}})
        more = self.write('more.json', {'parameters': {'more': {'a': 1.0}}})
        path = os.path.join(self.directory, f'{name}.plan')
        done = self.run_plan(
            name, '-t', self.write('new.yaml', test_plan_seal.template()),
            '-e', environment, '-e', more, '--timeout', '7', '--tags',
            'one,two', '--rollback', 'enabled', '--out', path, *arguments)
        self.assertEqual(status, done.returncode, done.stderr)
        self.assertNotIn(SECRET, open(path).read())
        self.tree, self.next_step = done.stdout, done.stderr
        return path

    def create_stack(self, *arguments, **options):
        return self.client.openstack('stack', 'create', *arguments, **options)

    def assert_rejected(self, text, *arguments, status=1):
        done = self.create_stack(*arguments)
        self.assertEqual(status, done.returncode, done.stdout)
        self.assertIn(text, done.stderr)

    def show(self, *arguments):
        return self.client.openstack('stack', 'plan', 'show', *arguments)

    def send(self, document, url):
        """Send the creation of a file, as the client does."""
        document = plan_file.read(self.write('sent.plan', document))
        return self.client.post('/stacks' + url, plan_file.make_request(
            document, {'key': SECRET} if document['source'][
                'hidden_parameters'] else {}))


class CreateFileTest(CreateFileCase):

    settings = None

    def test_plan_is_written_reviewed_and_applied(self):
        path = self.make_creation('new')
        command = f'openstack stack create --plan {path} new'
        self.assertIn(f'The plan was written to {path}. To create this stack: '
                      f'{command}', self.next_step)
        # The file contains all that the creation needs.
        for name in os.listdir(self.directory):
            if not name.endswith('.plan'):
                os.remove(os.path.join(self.directory, name))
        tree = self.tree.partition('\n')[2]
        for arguments, status, text in (
                ((), 1, 'The plan does not fit. Stack new cannot be created '
                        'with this plan: the value of hidden parameter "key"'),
                (self.key, 0, f'The plan fits. To create this stack: '
                              f'{command}'),
                (('--offline',), 0, 'The plan was not checked')):
            done = self.show(path, *arguments)
            self.assertEqual(
                (status, 'This is the plan of a new stack:\n' + tree),
                (done.returncode, done.stdout), done.stderr)
            self.assertIn(text, done.stderr)
        done = self.show(path, *self.key, '-f', 'json')
        document, found = plan_file.read(path), json.loads(done.stdout)
        self.assertEqual((document['plan'], [], True, None), (
            found['plan'], found['plan_stops'], found['fits'],
            found['problem']))
        self.assertEqual(404, self.client.get('/stacks/new').status_code)
        done = self.create_stack('--plan', path, '--wait', *self.key,
                                 token='bob:member')
        self.addCleanup(self.client.delete, '/stacks/new')
        self.assertEqual(0, done.returncode, done.stderr)
        stack = self.client.get('/stacks/new').json()['stack']
        self.assertEqual((['one', 'two'], 7, False), (
            stack['tags'], stack['timeout_mins'], stack['disable_rollback']))
        self.assertEqual({'a': SECRET, 'b': '10', 'n/s': 'one'},
                         self.values('new'))
        self.assert_rejected('already exists', '--plan', path, *self.key)
        done = self.show(path, *self.key)
        self.assertEqual(1, done.returncode)
        self.assertIn('The plan does not fit.', done.stderr)
        self.assertIn('already exists', done.stderr)

    def test_each_edited_field_is_rejected(self):
        document = plan_file.read(self.make_creation('edited'))
        fields = list(test_plan_seal.edits(document))
        self.assertGreater(len(fields), 100)
        for number, (field, edited) in enumerate(fields):
            try:
                answer = self.send(edited, '/preview' if number % 2 else '')
            except plan_file.PlanFileError:
                continue
            error = answer.json()['error']
            self.assertIn((answer.status_code, error['type']), [
                (409, 'PlanNotApplicable'), (400, 'InvalidPlan'),
                (400, 'HTTPBadRequest')], (field, answer.text))
            if answer.status_code == 409:
                self.assertIn('edited', error['message'])
        for part, edited in (
                ('request', {'template': test_plan_seal.template('three')}),
                ('request', {'more': 1}), ('request', {'tags': 'one'}),
                ('request', {'disable_rollback': True}),
                ('request', {'parameters': {'size': 'huge'}}),
                ('source', {'revision': 'creation x'})):
            answer = self.send({**document, part: {**document[part],
                                                   **edited}}, '')
            self.assertEqual(409, answer.status_code)
            self.assertIn(f'it was edited after Heat made it, in "{part}". '
                          'Make', answer.json()['error']['message'])
        self.assertEqual(404, self.client.get('/stacks/edited').status_code)
        for url, status in (('/preview', 200), ('', 201), ('', 409)):
            self.assertEqual(status, self.send(document, url).status_code)
        self.addCleanup(self.client.delete, '/stacks/edited')


class CreateFileLegacyTest(CreateFileTest):

    settings = base.LEGACY


class CreateArgumentsTest(CreateFileCase):

    settings = None

    def test_invalid_arguments_are_rejected(self):
        path = self.make_creation('args')
        template = os.path.join(self.directory, 'new.yaml')
        for option, *value in (
                ('-t', template), ('-e', template), ('-s', 'x'),
                ('--timeout', '7'), ('--tags', 'x'), ('--pre-create', 'a'),
                ('--enable-rollback',), ('--dry-run',)):
            self.assert_rejected('not allowed with argument --plan, because '
                                 'the plan file already contains the '
                                 'arguments of the creation', '--plan', path,
                                 'args', option, *value)
        self.assert_rejected('Parameter "size" cannot be given with a plan',
                             '--plan', path, '--parameter', 'size=3')
        self.assert_rejected('The plan is for a new stack args, not for other',
                             '--plan', path, 'other')
        self.assert_rejected('arguments are required: <stack-name>, -t/',
                             status=2)
        for name in 'args', 'other':
            self.assertEqual(404, self.client.get(
                f'/stacks/{name}').status_code)

    def test_command_for_kind_of_plan_is_named(self):
        creation = self.make_creation('kind', '--create')
        done = self.update('--plan', creation, 'kind')
        self.assertEqual(1, done.returncode)
        self.assertIn('is the plan of a new stack. To create this stack: '
                      f'openstack stack create --plan {creation} kind',
                      done.stderr)
        same = self.start('kind')
        update = os.path.join(self.directory, 'update.plan')
        self.run_plan('kind', '-t', same, '--out', update)
        self.assert_rejected('is the plan of an update. To do this update: '
                             f'openstack stack update --plan {update} kind',
                             '--plan', update)
        # A kind that somebody has edited.
        document = plan_file.read(update)
        document['stack']['id'] = None
        document['request']['disable_rollback'] = True
        del document['request']['converge']
        answer = self.send(document, '')
        self.assertEqual(409, answer.status_code, answer.text)

    def test_plan_that_is_stopped_is_not_to_be_applied(self):
        self.client = self.sandbox.client('bob')
        self.write('m.yaml', {**plan_cases.VERSION, 'resources': {
            'r': {'type': 'OS::Keystone::Role'}}})
        path = os.path.join(self.directory, 'stopped.plan')
        done = self.run_plan('stopped', '--out', path, '-t', self.write(
            'new.yaml', plan_cases.body({'n': {'type': 'm.yaml'}})[
                'template']))
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('Heat would reject or stop this creation.', done.stderr)
        self.assertNotIn('--plan', done.stderr)
        done = self.show(path)
        self.assertEqual(1, done.returncode)
        self.assertIn('The plan does not fit.', done.stderr)

    def test_name_and_hidden_value_in_file_can_be_given(self):
        path = self.make_creation('moved')
        moved = shutil.copy(path, os.path.join(self.directory, 'a b.plan'))
        done = self.create_stack('moved', '--plan', moved, '--wait',
                                 '--poll', '1', '--parameter-file',
                                 f'key={self.write_text(SECRET)}')
        self.addCleanup(self.client.delete, '/stacks/moved')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(SECRET, self.values('moved')['a'])

    def write_text(self, text):
        path = os.path.join(self.directory, 'text')
        with open(path, 'w') as target:
            target.write(text)
        return path


class WithoutPlansTest(CreateFileCase):
    """Tests of engines without the feature plan."""

    is_shared = False

    def test_plan_is_rejected_without_feature(self):
        path = self.make_creation('web')
        for features in 'update_policy', '':
            self.use_features(features)
            self.assert_rejected('cannot apply plans', '--plan', path,
                                 *self.key)
            done = self.show(path, *self.key)
            self.assertEqual(1, done.returncode)
            self.assertIn('cannot apply plans', done.stderr)
            self.assertEqual(404, self.client.get('/stacks/web').status_code)
        # A creation needs only this feature, on one engine.
        self.use_features('plan')
        done = self.create_stack('--plan', path, '--wait', *self.key)
        self.assertEqual(0, done.returncode, done.stderr)

    use_features = test_plan_client.WithoutPlansTest.use_features
