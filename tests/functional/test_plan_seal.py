# SPDX-License-Identifier: Apache-2.0

"""The file of a plan is what was approved: edited files are rejected."""

import copy
import json
import os

from heat_extras.client import plan_file
from tests.functional import base
from tests.functional import plan_cases
from tests.functional import test_plan_client
from tests.harness import file_service

SECRET = 'hunter2-never-shown'

MEMBER = {**plan_cases.VERSION, 'parameters': {'p': {'type': 'string'}},
          'resources': {'s': plan_cases.test({'get_param': 'p'})}}


def template(value='one'):
    return {**plan_cases.VERSION, 'parameters': {
        'key': {'type': 'string', 'hidden': True},
        'size': {'type': 'string', 'default': 'small'},
        'more': {'type': 'json', 'default': {}}}, 'resources': {
            'a': plan_cases.test({'get_param': 'key'}),
            'b': plan_cases.test({'get_param': 'size'}),
            'n': {'type': 'My::Member', 'properties': {'p': value}}}}


def edits(document, path=()):
    """Yield a path and an edited copy for each field of a document."""
    for name in (document if isinstance(document, dict)
                 else range(len(document))):
        value = document[name]
        here = (*path, name)
        if isinstance(value, dict | list):
            for inner, edited in edits(value, here):
                yield inner, _put(document, name, edited)
            if value:
                yield here, _put(document, name, type(value)())
        else:
            yield here, _put(document, name, _change(value))


def _put(document, name, value):
    edited = copy.copy(document)
    edited[name] = value
    return edited


def _change(value):
    return {bool: lambda: not value, int: lambda: value + 1,
            str: lambda: value + 'x'}.get(type(value), lambda: 'x')()


class SealCase(test_plan_client.PlanClientCase):

    settings = None

    def start_hidden(self, name):
        """Create a stack of a template with all kinds of arguments."""
        self.directory_of = os.path.join(self.directory, name)
        os.mkdir(self.directory_of)
        self.write(f'{name}/member.yaml', MEMBER)
        self.registry = {'resource_registry': {'My::Member': 'member.yaml'}}
        env = self.write(f'{name}/before.json', {
            **self.registry, 'parameters': {'key': SECRET}})
        done = self.client.openstack(
            'stack', 'create', name, '--wait', '-e', env, '-t',
            self.write(f'{name}/before.yaml', template()))
        self.assertEqual(0, done.returncode, done.stderr)
        self.addCleanup(self.client.delete, f'/stacks/{name}')

    def make_plan(self, name, *arguments, value='two', key=SECRET):
        """Make the file of a plan, and return its path."""
        path = os.path.join(self.directory_of, f'{value}.plan')
        with open(os.path.join(self.directory_of, 'env.yaml'), 'w') as target:
            # A float that heatclient writes without a point, and a text that
            # looks like a date.
            target.write(f'# comment\nparameters: {{key: {key},\n'
                         '  more: {a: 1.0e+22, b: 2020-01-01, c: gr\u00fcn}}\n'
                         'resource_registry: {My::Member: member.yaml}\n'
                         'parameter_defaults: {size: "10"}\n')
        more = self.write(f'{name}/more.json', {
            'parameters': {'size': 'large'}})
        done = self.run_plan(
            name, '-t', self.write(f'{name}/after.yaml', template(value)),
            '-e', os.path.join(self.directory_of, 'env.yaml'), '-e', more,
            '--timeout', '7', '--tags', 'one,two', '--rollback', 'enabled',
            '--out', path, *arguments)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertNotIn(key, open(path).read())
        self.tree = done.stdout
        return path

    def send(self, document, preview=False, client=None):
        """Send the update of a file, as the client does."""
        document = plan_file.read(self.write('sent.plan', document))
        request = plan_file.make_request(document, {})
        client = client or self.client
        method = client.patch if request.pop('existing') else client.put
        return method(f'/stacks/{request.pop("stack_id")}'
                      + ('/preview' if preview else ''), request)

    def assert_not_applied(self, document, *texts):
        answer = self.send(document)
        self.assertEqual(409, answer.status_code, answer.text)
        error = answer.json()['error']
        self.assertEqual('PlanNotApplicable', error['type'])
        for text in texts:
            self.assertIn(text, error['message'])


class SealTest(SealCase):

    def test_each_edited_field_is_rejected(self):
        self.start_hidden('edited')
        path = self.make_plan('edited', '--converge')
        document = plan_file.read(path)
        fields = list(edits(document))
        self.assertGreater(len(fields), 100)
        for field, edited in fields:
            try:
                answer = self.send(edited)
            except plan_file.PlanFileError:
                continue
            self.assertIn(
                (answer.status_code, answer.json()['error']['type']),
                [(409, 'PlanNotApplicable'), (400, 'InvalidPlan'),
                 (404, 'EntityNotFound')], (field, answer.text))
            if field[0] in ('request', 'plan', 'plan_stops', 'source') and (
                    answer.status_code == 409):
                self.assertIn('edited', answer.json()['error']['message'])
        for part, edited in (
                ('request', {'template': template('three')}),
                ('request', {'more': 1}), ('request', {'existing': True}),
                ('request', {'parameters': {'size': 'huge'}})):
            self.assert_not_applied(
                {**document, part: {**document[part], **edited}},
                f'it was edited after Heat made it, in "{part}". Make a new '
                'plan of the update. Nothing was changed.')
        self.assertIsNone(self.client.get('/stacks/edited').json()['stack'][
            'updated_time'])
        # Only another layout of the same data, and another user.
        with open(path, 'w') as target:
            json.dump(dict(reversed(document.items())), target)
        self.assert_applied('edited', path, token='bob:member')
        stack = self.client.get('/stacks/edited').json()['stack']
        self.assertEqual((['one', 'two'], 7, False), (
            stack['tags'], stack['timeout_mins'], stack['disable_rollback']))
        self.assertEqual({'a': SECRET, 'b': 'large', 'n/s': 'two'},
                         self.values('edited'))

    def assert_applied(self, name, path, **options):
        # As on another machine.
        os.rename(self.directory_of, self.directory_of + '-moved')
        path = path.replace(self.directory_of, self.directory_of + '-moved')
        done = self.client.openstack('stack', 'update', '--plan', path, name,
                                     '--wait', **options)
        self.assertEqual(0, done.returncode, done.stderr)

    def test_parts_of_other_files_are_rejected(self):
        self.start_hidden('mixed-2')
        other = plan_file.read(self.make_plan('mixed-2'))
        self.start_hidden('mixed')
        two, three = (plan_file.read(self.make_plan('mixed', value=value))
                      for value in ('two', 'three'))
        for part in ('request', 'plan'):
            self.assert_not_applied({**two, part: three[part]},
                                    f'in "{part}". Make')
        self.assert_not_applied({**two, 'source': three['source']},
                                'in "request" and "plan". Make')
        source = {**two['source'], 'seal': three['source']['seal']}
        for edited in ({**two, 'source': source},
                       {**two, 'source': other['source']},
                       {**other, 'stack': two['stack']}):
            self.assert_not_applied(edited, 'for another stack or project, or '
                                            'with another auth_encryption_key')
        done = self.update('--plan', self.write('mixed.plan', {
            **two, 'request': three['request']}), 'mixed')
        self.assertEqual(1, done.returncode)
        self.assertIn('it was edited after Heat made it, in "request"',
                      done.stderr)
        document = {**two, 'format': 'heat-extras plan 1'}
        done = self.update('--plan', self.write('old.plan', document), 'mixed')
        self.assertEqual(1, done.returncode)
        self.assertIn('Make a new plan.', done.stderr)
        self.assertEqual(202, self.send(two).status_code)

    def test_files_that_heat_reads_are_sealed(self):
        files = self.useFixture(file_service.FileService(
            {'m.yaml': json.dumps(MEMBER).encode()}))

        def body(value):
            return plan_cases.body({'n': {
                'type': files.url('m.yaml'), 'properties': {'p': value}}})

        path = self.create('reads', body('one'))
        request = plan_file.add_plan(body('two'), *map(
            self.preview(path, body('two')).get,
            ('plan_source', 'plan', 'plan_stops')))
        edited = json.dumps({**MEMBER, 'resources': {
            's': plan_cases.test('other')}})
        (files.directory / 'm.yaml').write_text(edited)
        answer = self.client.put(path, request)
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn('a file that Heat reads', answer.text)
        (files.directory / 'm.yaml').write_text(json.dumps(MEMBER))
        self.assertEqual(202, self.client.put(path, request).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_request_of_preview_can_be_sent_again_with_hidden_values(self):
        self.start_hidden('again')
        body = {
            'template': template('two'), 'parameters': {'key': SECRET},
            'files': {'m.yaml': json.dumps(MEMBER)}, 'environment': {
                'resource_registry': {'My::Member': 'm.yaml'},
                'parameter_defaults': {'key': 'other', 'size': 'x'}}}
        path = self.client.get('/stacks/again').url
        path = path[path.index('/stacks/'):]
        changes = self.preview(path, body)
        request = plan_file.add_plan(body, changes['plan_source'],
                                     changes['plan'], changes['plan_stops'])
        edited = copy.deepcopy(request)
        edited['environment']['parameter_defaults']['key'] = 'evil'
        answer = self.client.put(path, edited)
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertEqual(202, self.client.put(path, request).status_code)


class SealLegacyTest(SealTest):

    settings = base.LEGACY
