# SPDX-License-Identifier: Apache-2.0

"""Tests of update policies and parameters with predicted updates."""

import json

from tests.functional import base
from tests.functional import containers
from tests.functional import test_health_groups as groups
from tests.functional import update_policy_base
from tests.harness import file_service

_OTHER = {'type': 'OS::Heat::RandomString'}
_CHANGED = {'value': 'two'}
_IMMUTABLE = 'ImmutableParameterModified'
# Other members are complete before that.
_SECONDS = 4


class PlanTestCase(update_policy_base.UpdatePolicyTestCase):

    settings = None

    def start(self, kind, depth, member, immutable=None, allow=None,
              **keywords):
        """Create a stack; :meth:`body` makes updates of it."""
        self.kind, self.depth, self.member = kind, depth, member
        self.immutable, self.allow, self.keywords = immutable, allow, keywords
        self.path = self.create('-'.join(
            [self.id().rpartition('.')[2][5:40], kind, str(depth)]),
            **self.body())

    def body(self, member=None, allow=None, parameters=None, **keywords):
        """Return the body of a request with some changes."""
        keywords = {**self.keywords, **keywords}
        files = containers.files(
            self.member if member is None else member, self.kind, **keywords)
        if self.immutable:
            files = containers.fixed(files, self.immutable)
        template = containers.root(
            self.kind, self.depth, self.allow if allow is None else allow,
            **(keywords if self.depth == 1 else {}))
        return {'template': template, 'files': files,
                'environment': containers.ENVIRONMENT,
                'parameters': parameters or {}}

    def refuse(self, *words, **changes):
        """Assert that an update is rejected and changes nothing."""
        body = self.body(**changes)
        reasons = self.restricted(self.path, **body)
        self.assertNotEqual([], reasons)
        return self.assert_refused(self.path, body.pop('template'), *words,
                                   **body)

    def accept(self, status='UPDATE_COMPLETE', **changes):
        """Assert that an update is not rejected."""
        return self.update(self.path, status=status, **self.body(**changes))

    def refuse_parameter(self, **changes):
        """Assert that an update is rejected with 400."""
        before = self.resources(self.path)
        answer = self.client.put(self.path, self.body(**changes))
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertEqual(_IMMUTABLE, answer.json()['error']['type'])
        self.assertEqual(before, self.resources(self.path))
        return answer.json()['error']['message']

    def child(self, path, *names):
        """Return the path of the stack nested in resources, by their names."""
        for name in names:
            physical_resource_id = self.resource(path,
                                                 name)['physical_resource_id']
            stack = self.client.get('/stacks/'
                                    + physical_resource_id).json()['stack']
            path = f'/stacks/{stack["stack_name"]}/{stack["id"]}'
        return path

    def mark(self, path, name):
        """Mark a resource as unhealthy; return the warnings."""
        answer = self.client.patch(f'{path}/resources/{name}', {
            'mark_unhealthy': True, 'resource_status_reason': 'test'})
        self.assertEqual(200, answer.status_code, answer.text)
        return (answer.json() or {}).get('mark_unhealthy', {}).get(
            'warnings', [])


class UnknownValuesTest(PlanTestCase):
    """Unknown values do not hide known changes."""

    def check_removal(self, kind, depth):
        self.start(kind, depth, {'kept': containers.guarded(),
                                 'other': _OTHER})
        self.refuse('/kept', member={'other': _OTHER}, parameters=_CHANGED)

    def check_immutable(self, kind, depth):
        self.start(kind, depth, {'other': _OTHER}, immutable='flavor')
        changed = {'flavor': 'large', **_CHANGED}
        self.assertIn('flavor of nested stack nodes',
                      self.refuse_parameter(parameters=changed))
        self.accept(parameters=_CHANGED)

    def check_smaller(self, kind, depth):
        self.start(kind, depth, {'kept': containers.guarded()})
        self.refuse('/kept', size=1, parameters=_CHANGED)

    def check_replaced(self, kind, depth):
        value = {'get_param': 'flavor'}
        self.start(kind, depth, {'kept': containers.guarded(
            update_replace_value=value, value={'get_param': 'net'})})
        self.refuse('/kept', parameters={'flavor': 'large', **_CHANGED})
        self.accept(parameters=_CHANGED)

    def test_possible_replacement_is_not_rejected_as_update(self):
        # The value decides which of the two it is.
        kept = containers.guarded(
            {'update': False}, value={'get_param': 'flavor'},
            update_replace_value={'get_param': 'net'})
        self.start('plain', 1, {'kept': kept})
        changed = {'flavor': 'large', **_CHANGED}
        self.assertEqual([], self.restricted(
            self.path, **self.body(parameters=changed)))
        self.accept(parameters=changed)

    def test_removal_policies(self):
        for depth in (1, 2):
            self.start('group', depth, {'kept': containers.guarded()})
            self.refuse('/0/kept', parameters=_CHANGED,
                        removal_policies=[{'resource_list': ['0']}])


def _add_tests(names):
    for name in names:
        for kind in containers.KINDS:
            for depth in (1, 2):
                def test(self, name=name, kind=kind, depth=depth):
                    getattr(self, 'check_' + name)(kind, depth)
                if name == 'smaller' and kind not in containers.GROUPS:
                    continue
                # A chain is replaced where its properties change.
                if kind == 'chain' and name in ('immutable', 'replaced'):
                    continue
                setattr(UnknownValuesTest,
                        f'test_{name}_in_{kind}_{depth}', test)


_add_tests(['removal', 'immutable', 'smaller', 'replaced'])


class UrlTest(PlanTestCase):
    """A nested stack whose template is behind a URL."""

    def root(self, member, flavor='small', value='one'):
        url = self.useFixture(file_service.FileService({
            'member.yaml': containers.files(member)['member.yaml'].replace(
                '"default": "small"', '"default": "small", "updatable": false'
            ).encode()})).url('member.yaml')
        return {**containers.VERSION, 'resources': {
            'network': {'type': 'OS::Heat::TestResource',
                        'properties': {'value': value}},
            'nodes': {'type': 'AWS::CloudFormation::Stack', 'properties': {
                'TemplateURL': url, 'Parameters': {
                    'flavor': flavor,
                    'net': {'get_attr': ['network', 'output']}}}}}}

    def test_known_changes_beside_unknown_value_are_rejected(self):
        member = {'kept': containers.guarded(), 'other': _OTHER}
        self.path = self.create('behind-url', self.root(member))
        before = self.resources(self.path)
        answer = self.client.put(self.path, {'template': self.root(
            member, 'large', 'two')})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('flavor of nested stack nodes', answer.text)
        self.assertEqual(before, self.resources(self.path))
        self.assert_refused(self.path, self.root({'other': _OTHER},
                                                 value='two'), 'nodes/kept')
        self.update(self.path, self.root(member, value='two'))

    def test_mark_warns_of_guarded_nested_resource(self):
        self.path = self.create('marked-url', self.root(
            {'kept': containers.guarded()}))
        warning, = self.mark(self.path, 'nodes')
        self.assertIn('nodes/kept', warning)


class LaunchConfigurationTest(PlanTestCase):
    """Groups whose members are made of a launch configuration."""

    settings = f'[DEFAULT]\nplugin_dirs = {groups.PLUGINS}\n'

    def root(self, size, value):
        guarded = {name: containers.with_allow(group, {'replace': False})
                   for name, group in groups.GROUPS.items()}
        return {**containers.VERSION,
                'parameters': {'size': {'type': 'number', 'default': size},
                               'key': {'type': 'string', 'default': 'k'}},
                'resources': {
                    **guarded, 'network': {
                        'type': 'OS::Heat::TestResource',
                        'properties': {'value': value}},
                    'configuration': {
                        'type': 'Test::Configuration', 'properties': {
                            'KeyName': {'get_attr': ['network', 'output']}}}}}

    def test_removal_beside_unknown_value_is_rejected(self):
        path = self.create('launched', self.root(2, 'one'))
        reason = self.assert_refused(path, self.root(1, 'two'))
        for name in groups.GROUPS:
            self.assertIn(f'resource {name}/', reason)
        self.update(path, self.root(3, 'two'))


class MarkTest(PlanTestCase):
    """Tests of marks on resources that may not be replaced."""

    def test_mark_of_container_of_guarded_resource_warns(self):
        for kind in containers.KINDS:
            self.start(kind, 1, {'kept': containers.guarded()})
            warning, = self.mark(self.path, 'nodes')
            self.assertIn('kept', warning)
            self.refuse('kept')

    def test_mark_of_member_with_guarded_resource_warns(self):
        for kind in containers.GROUPS:
            self.start(kind, 1, {'kept': containers.guarded()})
            group = self.child(self.path, 'nodes')
            name = self.client.get(group + '/resources').json()[
                'resources'][0]['resource_name']
            warning, = self.mark(group, name)
            self.assertIn(f'nodes/{name}/kept', warning)
            self.refuse(f'nodes/{name}/kept')

    def test_mark_of_remote_stack_warns(self):
        inner = json.dumps({**containers.VERSION,
                            'resources': {'other': _OTHER}})
        template = {**containers.VERSION, 'resources': {
            'remote': containers.with_allow(
                {'type': 'OS::Heat::Stack',
                 'properties': {'template': inner}}, {'replace': False})}}
        path = self.create('with-remote', template)
        warning, = self.mark(path, 'remote')
        self.assertIn('replace: false', warning)
        self.assert_refused(path, template, 'resource remote')

    def test_mark_of_type_with_own_replacement_decision(self):
        for depth in (1, 2):
            kept = {**containers.guarded(), 'type': 'OS::Heat::None'}
            self.start('plain', depth, {
                'first': {'type': 'OS::Heat::TestResource', 'properties': {
                    'value': {'get_param': 'flavor'}}},
                'kept': {**kept, 'depends_on': 'first'}})
            names = ['nodes', 'inside'][:depth]
            self.mark(self.child(self.path, *names), 'kept')
            self.refuse('/kept', parameters={'flavor': 'large'})

    def test_mark_of_nested_stack_allows_immutable_change(self):
        for kind in ('plain', 'group', 'scaling'):
            self.start(kind, 1, {'other': _OTHER}, immutable='flavor')
            self.mark(self.path, 'nodes')
            self.accept(parameters={'flavor': 'large'})


class RemedyTest(PlanTestCase):
    """Tests that the remedies in rejection messages work."""

    def test_policy_and_condition_change_in_one_update(self):
        template = {
            **containers.VERSION,
            'parameters': {'on': {'type': 'boolean', 'default': True},
                           'free': {'type': 'boolean', 'default': False}},
            'conditions': {'on': {'get_param': 'on'}},
            'resources': {'kept': {
                **containers.guarded({'replace': {'get_param': 'free'}}),
                'condition': 'on'}}}
        path = self.create('off', template)
        reason = self.assert_refused(path, template,
                                     parameters={'on': False})
        self.assertIn('template that you send', reason)
        self.update(path, template, parameters={'on': False, 'free': True})
        self.assertEqual([], self.resources(path))

    def test_disabled_nested_stack_can_be_deleted_by_id(self):
        broken = {'type': 'OS::Heat::TestResource', 'depends_on': 'nodes',
                  'properties': {'value': {'get_param': 'value'},
                                 'fail': {'get_param': 'fail'}}}
        nested = {'type': 'member.yaml', 'condition': 'on',
                  'update_policy': {
                      'allow': {'replace': {'get_param': 'free'}}}}
        template = {
            **containers.VERSION,
            'parameters': {'on': {'type': 'boolean', 'default': True},
                           'free': {'type': 'boolean', 'default': False},
                           'fail': {'type': 'boolean', 'default': False},
                           'value': {'type': 'string', 'default': 'one'}},
            'conditions': {'on': {'get_param': 'on'}},
            'resources': {'broken': broken, 'nodes': nested}}
        files = containers.files({'other': _OTHER})
        for free in (False, True):
            path = self.create(f'off-by-id-{free}', template, files=files,
                               parameters={'free': free})
            child = self.child(path, 'nodes')
            if not free:
                self.assertEqual(409, self.client.delete(child).status_code)
            # The update fails before it reaches the nested stack.
            self.update(path, template, 'UPDATE_FAILED', files=files,
                        parameters={'on': False, 'free': True, 'fail': True,
                                    'value': 'two'})
            self.assertEqual(204, self.client.delete(child).status_code)

    def test_removal_takes_two_updates(self):
        with_it = {**containers.VERSION,
                   'resources': {'kept': containers.guarded()}}
        without = {**containers.VERSION, 'resources': {'other': _OTHER}}
        path = self.create('two-updates', with_it)
        reason = self.assert_refused(path, without)
        self.assertNotIn('template that you send', reason)
        self.assertIn('then repeat this update', reason)
        self.update(path, {**containers.VERSION, 'resources': {
            'kept': containers.guarded({'replace': True})}})
        self.update(path, without)

    def test_mark_of_container_is_reset_first(self):
        free = {'kept': containers.guarded({'replace': True})}
        for kind in containers.KINDS:
            self.start(kind, 1, {'kept': containers.guarded()})
            warning, = self.mark(self.path, 'nodes')
            for text in (warning, self.refuse('kept', member=free)):
                self.assertRegex(text, 'reset')
                self.assertNotIn('until the template allows', text)
            self.client.patch(self.path + '/resources/nodes',
                              {'mark_unhealthy': False})
            self.accept(member=free)
            self.assertEqual([], self.mark(self.path, 'nodes'))
            before = self.child(self.path, 'nodes')
            self.accept(member=free)
            self.assertNotEqual(before, self.child(self.path, 'nodes'))

    def test_nested_removal_takes_two_updates(self):
        for kind in containers.KINDS:
            self.start(kind, 1, {'kept': containers.guarded(),
                                 'other': _OTHER})
            reason = self.refuse('/kept', member={'other': _OTHER})
            self.assertNotIn('template that you send', reason)
            self.accept(member={'kept': containers.guarded(
                {'replace': True}), 'other': _OTHER})
            self.accept(member={'other': _OTHER})

    def test_late_replacement_of_container_takes_two_updates(self):
        member = {'kept': containers.guarded()}
        self.start('chain', 1, member)
        reason = self.accept('UPDATE_FAILED', parameters=_CHANGED)
        self.assertIn('Not done', reason)
        self.assertIn('then repeat this update', reason)
        free = {'kept': containers.guarded({'replace': True})}
        self.accept(member=free)
        self.accept(member=free, parameters=_CHANGED)

    def test_outer_policy_is_removed_in_same_update(self):
        for kind in ('plain', 'group', 'scaling'):
            self.start(kind, 1, {'kept': {'type': 'OS::Heat::TestResource'},
                                 'other': _OTHER},
                       allow={'replace': False})
            reason = self.refuse('/kept', member={'other': _OTHER})
            self.assertIn('template that you send', reason)
            self.accept(member={'other': _OTHER}, allow={'replace': True})


class SameValueTest(PlanTestCase):
    """Another spelling of the same value changes nothing."""

    def test_other_spelling_in_plain_resource(self):
        template = {**containers.VERSION, 'resources': {
            'kept': containers.guarded({'update': False, 'replace': False},
                                       value='x', wait_secs=0)}}
        path = self.create('spelling', template)
        before = self.resource(path, 'kept')['physical_resource_id']
        for properties in ({'value': 'x', 'wait_secs': '0'},
                           {'value': 'x'},
                           {'value': 'x', 'fail': False},
                           {'value': 'x', 'fail': 'false', 'wait_secs': 0.0}):
            changed = json.loads(json.dumps(template))
            changed['resources']['kept'].update(properties=properties,
                                                metadata={})
            self.assertEqual([], self.restricted(path, changed))
            self.update(path, changed)
        self.assertEqual(
            before, self.resource(path, 'kept')['physical_resource_id'])

    def test_other_spelling_in_group_members(self):
        member = {'type': 'OS::Heat::TestResource'}
        for kind, size in (('ResourceGroup', 'resource_def'),
                           ('AutoScalingGroup', 'resource')):
            def root(seconds, kind=kind, size=size):
                properties = {size: {**member, 'properties': {
                    'value': 'x', 'wait_secs': seconds}}}
                properties.update({'count': 1} if kind == 'ResourceGroup'
                                  else {'min_size': 1, 'max_size': 1})
                return {**containers.VERSION, 'resources': {
                    'nodes': containers.with_allow(
                        {'type': 'OS::Heat::' + kind,
                         'properties': properties}, {'update': False})}}
            path = self.create('members-' + kind, root(0))
            self.assertEqual([], self.restricted(path, root('0')))
            self.update(path, root('0'))

    def test_other_spelling_beside_new_resource(self):
        def body(**resources):
            return {'files': {'inner.yaml': json.dumps({
                **containers.VERSION, 'resources': resources})}}
        root = {**containers.VERSION, 'resources': {
            'nodes': containers.with_allow(
                {'type': 'inner.yaml'}, {'update': False})}}
        path = self.create('beside', root, **body(
            middle=containers.guarded({})))
        spelled = containers.guarded({}, fail=False)
        self.update(path, root, **body(middle=spelled))
        spelled = containers.guarded({}, fail='false')
        for new in ('after', 'new'):
            self.assert_refused(path, root, 'resource nodes (inner.yaml)',
                                **body(**{'middle': spelled, new: _OTHER}))

    def test_metadata_with_references(self):
        kept = containers.guarded({'update': False})
        kept['metadata'] = {'id': {'get_resource': 'other'},
                            'text': {'get_attr': ['other', 'value']}}
        template = {**containers.VERSION,
                    'resources': {'other': _OTHER, 'kept': kept}}
        path = self.create('metadata', template)
        self.assertEqual([], self.restricted(path, template))
        self.update(path, template)
        # The referenced value changes, and is not known in advance.
        template['resources']['other'] = {
            **_OTHER, 'properties': {'length': 9}}
        self.assertEqual([], self.restricted(path, template))

    def test_other_spelling_of_immutable_parameter(self):
        template = {
            **containers.VERSION, 'parameters': {
                'number': {'type': 'number', 'default': 1,
                           'updatable': False}},
            'resources': {'other': _OTHER}}
        path = self.create('parameter', template)
        for value in ('1', 1, 1.0, '1.0'):
            self.update(path, template, parameters={'number': value})


class RollingUpdateTest(PlanTestCase):
    """A rolling update may remove members that it added."""

    policy = {'max_batch_size': 1, 'min_in_service': 2}
    member = {'member.yaml': json.dumps({
        **containers.VERSION,
        'parameters': {name: {'type': 'string'} for name in (
            'value', 'index', 'failing', 'kept')},
        'conditions': {name: {'equals': [
            {'get_param': 'index'}, {'get_param': name}]}
            for name in ('failing', 'kept')},
        'resources': {'inner': containers.with_allow({
            'type': 'OS::Heat::TestResource', 'properties': {
                'value': {'get_param': 'value'},
                'fail': {'if': ['failing', True, False]}}},
            {'update': {'if': ['kept', False, True]}})}})}

    def template(self, value, size=2, kind='group'):
        nodes = (containers.group if kind == 'group' else containers.scaling)(
            {'value': {'get_attr': ['network', 'output']},
             'index': '%index%' if kind == 'group' else value,
             'failing': {'get_param': 'failing'},
             'kept': {'get_param': 'kept'}}, size)
        nodes['update_policy'] = {'allow': {'replace': False}}
        if kind == 'group':
            nodes['update_policy']['rolling_update'] = self.policy
        else:
            nodes['properties']['rolling_updates'] = self.policy
        return {**containers.VERSION,
                'parameters': {name: {'type': 'string', 'default': 'none'}
                               for name in ('failing', 'kept')},
                'resources': {'nodes': nodes, 'network': {
                    'type': 'OS::Heat::TestResource',
                    'properties': {'value': value}}}}

    def start(self, name, kind='group'):
        self.path = self.create(name, self.template('one', kind=kind),
                                files=self.member)
        self.size = self.members()

    def change(self, *arguments, **body):
        self.update(self.path, self.template('two'), *arguments,
                    files=self.member, **body)

    def members(self):
        """Return how many members the group has."""
        group = self.child(self.path, 'nodes')
        return len(self.client.get(group + '/resources').json()['resources'])

    def test_group_grows_and_shrinks_during_update(self):
        self.start('rolling')
        self.change()
        self.assertEqual(self.size, self.members())

    def test_scaling_group_may_not_remove_oldest_member(self):
        self.start('scaling', 'scaling')
        self.assert_refused(
            self.path, self.template('two', kind='scaling'),
            'would be removed', files=self.member)

    def test_leftover_member_may_be_removed_only_if_allowed(self):
        self.start('left')
        self.change('UPDATE_FAILED', parameters={'kept': '1'})
        self.assertEqual(self.size + 1, self.members())
        self.assert_refused(self.path, self.template('two'),
                            'resource nodes/2', files=self.member)
        free = self.template('two')
        del free['resources']['nodes']['update_policy']['allow']
        self.update(self.path, free, files=self.member)
        self.change()
        self.assertEqual(self.size, self.members())

    def test_rollback_removes_new_members(self):
        for name, values in (('new', {'failing': '2'}),
                             ('later', {'kept': '1'})):
            self.start('rolled-back-' + name)
            self.change('ROLLBACK_COMPLETE', parameters=values,
                        disable_rollback=False)
            self.assertEqual(self.size, self.members())

    def test_existing_members_may_not_be_removed(self):
        for kind in containers.GROUPS:
            self.start('kept-' + kind, kind)
            self.assert_refused(
                self.path, self.template('two', 1, kind), 'would be removed',
                files=self.member)

    def test_requested_members_may_not_be_removed(self):
        self.start('asked')
        body = {'files': self.member, 'parameters': {'failing': '2'}}
        self.update(self.path, self.template('one', 3), 'UPDATE_FAILED',
                    **body)
        self.update(self.path, self.template('one', 3), files=self.member)
        self.assert_refused(self.path, self.template('one', 2),
                            'resource nodes/2', files=self.member)

    def slow(self):
        """Return the files with members that fail after a while."""
        member = json.loads(self.member['member.yaml'])
        member['resources']['inner']['properties']['wait_secs'] = {
            'if': ['failing', _SECONDS, 0]}
        return {'member.yaml': json.dumps(member)}

    def test_members_of_running_update_may_not_be_removed(self):
        if self.settings is not None:
            self.skipTest('The legacy engine does one update at a time')
        self.start('overtaken')
        self.client.put(self.path, {
            'template': self.template('one', 4), 'files': self.slow(),
            'parameters': {'failing': '3'}})
        self.client.wait_for_resource(self.child(self.path, 'nodes'), '2',
                                      'CREATE_COMPLETE')
        answer = self.client.put(self.path, {
            'template': self.template('one'), 'files': self.member})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('resource nodes/2', answer.text)
        self.settle(self.path, 'UPDATE_FAILED')


class NestedTypeTest(PlanTestCase):
    """A nested stack whose template is another file is updated in place."""

    def test_new_template_keeps_resources(self):
        def root(kind):
            return {**containers.VERSION, 'resources': {
                'nodes': {'type': kind, 'update_policy': {
                    'allow': {'replace': False}}}}}

        inner = {**containers.VERSION, 'resources': {
            'kept': {'type': 'OS::Heat::TestResource'}}}
        bare = {**containers.VERSION, 'resources': {'other': _OTHER}}
        files = {'a.yaml': json.dumps(inner), 'b.yaml': json.dumps(
            {**inner, 'resources': {**inner['resources'], 'other': _OTHER}}),
            'c.yaml': json.dumps(bare)}
        path = self.create('types', root('a.yaml'), files=files)
        kept, = (resource for resource in self.resources(path)
                 if resource[0] == 'kept')
        self.update(path, root('b.yaml'), files=files)
        self.assertIn(kept, self.resources(path))
        self.assert_refused(path, root('c.yaml'), 'resource nodes/kept',
                            'would be removed', files=files)


def _add_legacy():
    for name, each in list(globals().items()):
        if isinstance(each, type) and issubclass(each, PlanTestCase) and (
                each is not PlanTestCase):
            legacy = name.replace('Test', 'LegacyTest')
            globals()[legacy] = type(legacy, (each,), {
                'settings': base.LEGACY + (each.settings or ''),
                '__module__': __name__})


_add_legacy()
