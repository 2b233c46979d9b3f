# SPDX-License-Identifier: Apache-2.0

"""Tests of the seal of a plan."""

import copy
import types

from oslo_config import cfg
import testtools

from heat_extras.plan import reviewed_request
from heat_extras.plan import seal

ALL = ['request', 'plan', 'source']
ARGUMENTS = {
    'template': {'resources': {'a': {'properties': {'size': 1}}}},
    'params': {'parameters': {'size': 1, 'key': 'x'},
               'parameter_defaults': {'key': 'y'}},
    'files': {'env.yaml': '{"parameters": {"key": "z"}}', 'a.sh': 'text'},
    'environment_files': ['env.yaml'], 'files_container': None,
    'args': {'tags': ['one'], 'timeout_mins': 5, 'existing': True}}
ENTRY = {'path': 'a', 'action': 'updated', 'certainty': 'will',
         'placeholder': None}


def make_stack(stack_id='1', project='p', name='web'):
    return types.SimpleNamespace(id=stack_id, tenant_id=project, name=name)


class SealTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.stack = make_stack()
        self.plan = self.make(ARGUMENTS)

    def make(self, arguments, salt='salt', stack=None, **source):
        """Return the field ``plan`` for a request."""
        plan = reviewed_request.make(
            {'revision': 'r', 'salt': salt, 'hidden_parameters': {'key': 'd'},
             'seal': '', **source}, [ENTRY], [])
        return {**plan, 'seal': seal.make(
            stack or self.stack, seal.copy_request(arguments),
            reviewed_request.parse(plan), arguments['files'])}

    def list_differences(self, arguments=None, stack=None, **fields):
        arguments = copy.deepcopy(arguments or ARGUMENTS)
        arguments['args'].setdefault('plan', {})
        return seal.list_differences(
            stack or self.stack, seal.copy_request(arguments),
            reviewed_request.parse({**self.plan, **fields}))

    def edit(self, path, value, arguments=ARGUMENTS):
        edited = copy.deepcopy(arguments)
        *parents, name = path
        part = edited
        for each in parents:
            part = part[each]
        part[name] = value
        return edited

    def test_same_request_matches(self):
        self.assertEqual([], self.list_differences())
        for converge in (False, 'false', 'false with plan'):
            self.assertEqual([], self.list_differences(
                self.edit(['args', 'converge'], converge)))

        before = self.edit(['args', 'disable_rollback'], True)
        self.plan = self.make(before)
        for value in 'true', 'True with plan':
            self.assertEqual([], self.list_differences(
                self.edit(['args', 'disable_rollback'], value)))

    def test_request_without_hidden_values_matches(self):
        saved = self.edit(['files', 'env.yaml'], '{"parameters": {}}')
        saved['params'] = {'parameters': {'size': 1},
                           'parameter_defaults': {}}
        self.assertEqual([], self.list_differences(saved))
        # The values in the parameters are compared by their own digests.
        self.assertEqual([], self.list_differences(self.edit(
            ['params', 'parameters', 'key'], 'given', saved)))
        for path, value in (
                (['params', 'parameter_defaults'], {'key': 'evil'}),
                (['files', 'env.yaml'],
                 '{"parameter_defaults": {"key": "evil"}}')):
            self.assertEqual(['request'], self.list_differences(
                self.edit(path, value, saved)))

    def test_each_change_of_request_is_noticed(self):
        for path, value in (
                (['template', 'resources', 'b'], {}),
                (['template', 'resources', 'a', 'properties', 'size'], 1.0),
                (['template', 'resources', 'a', 'properties', 'size'], True),
                (['params', 'parameters', 'size'], 2),
                (['params', 'event_sinks'], []), (['files', 'a.sh'], ''),
                (['files', 'env.yaml'], ''), (['environment_files'], None),
                (['files_container'], 'x'), (['args', 'tags'], []),
                (['args', 'timeout_mins'], 6), (['args', 'existing'], False),
                (['args', 'converge'], True),
                (['args', 'converge'], 'true with plan'),
                (['args', 'disable_rollback'], False),
                (['args', 'clear_parameters'], ['size'])):
            self.assertEqual(['request'], self.list_differences(
                self.edit(path, value)), path)

    def test_each_change_of_plan_is_noticed(self):
        for name, value, parts in (
                ('salt', 'other', ALL), ('seal', '', ALL),
                ('seal', self.plan['seal'] + '-', ALL),
                ('revision', 's', ['source']),
                ('hidden_parameters', {'key': 'e'}, ['source']),
                ('digest', '', ['plan']), ('changes', [], ['plan']),
                ('changes', [{**ENTRY, 'certainty': 'may'}], ['plan'])):
            self.assertEqual(parts, self.list_differences(**{name: value}))
        # A parameter that is not hidden.
        self.assertEqual(['request', 'source'], self.list_differences(
            self.edit(['params', 'parameters', 'size'], 2),
            hidden_parameters={'key': 'd', 'size': 'e'}))

    def test_each_digest_of_seal_is_noticed(self):
        digests = self.plan['seal'].split('-')
        for place in range(len(digests)):
            edited = [*digests[:place], 'x', *digests[place + 1:]]
            self.assertIn('source',
                          self.list_differences(seal='-'.join(edited)))

    def test_entry_that_is_certain_to_be_unchanged_can_be_sent(self):
        self.assertEqual([], self.list_differences(changes=[
            {**ENTRY, 'path': 'b', 'action': 'unchanged'}, ENTRY]))

    def test_parts_of_two_plans_cannot_be_mixed(self):
        other = self.make(self.edit(['args', 'tags'], ['two']), 'more')
        mixed = zip(self.plan['seal'].split('-'), other['seal'].split('-'),
                    strict=True)
        for place, pair in enumerate(mixed):
            digests = self.plan['seal'].split('-')
            digests[place] = pair[1]
            self.assertNotEqual([], self.list_differences(
                seal='-'.join(digests)))
        self.assertEqual(ALL, self.list_differences(seal=other['seal']))
        self.assertEqual(['request'], self.list_differences(**other))

    def test_plan_of_another_stack_or_project_does_not_match(self):
        for stack in make_stack('2'), make_stack(project='q'):
            self.assertEqual(ALL, self.list_differences(stack=stack))

    def test_plan_of_another_creation_does_not_match(self):
        new = make_stack(None)
        self.plan = self.make(ARGUMENTS, stack=new)
        self.assertEqual([], self.list_differences(stack=new))
        for stack in (make_stack(None, name='db'), make_stack('web'),
                      make_stack(None, 'q'), self.stack):
            self.assertEqual(ALL, self.list_differences(stack=stack))

    def test_plan_does_not_match_with_another_key(self):
        cfg.CONF.set_override('auth_encryption_key', 'another ' * 4)
        self.addCleanup(cfg.CONF.clear_override, 'auth_encryption_key')
        self.assertEqual(ALL, self.list_differences())

    def test_copied_request_is_not_changed_later(self):
        arguments = copy.deepcopy(ARGUMENTS)
        received = seal.copy_request(arguments)
        before = copy.deepcopy(received)
        arguments['params']['parameters']['size'] = 2
        self.assertEqual(before, received)
