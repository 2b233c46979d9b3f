# SPDX-License-Identifier: Apache-2.0

"""Tests of the plan in the response of an update preview."""

import copy
import json

from tests.functional import actual_changes
from tests.functional import base
from tests.functional import freeze_base
from tests.functional import plan_cases
from tests.functional import plan_state_cases
from tests.functional import plan_type_cases

FIELDS = {'path', 'resource_name', 'placeholder', 'resource_type',
          'physical_resource_id', 'action', 'certainty', 'order', 'reasons',
          'values', 'stops'}
SECRET = 'hunter2-never-shown'


def kinds(entry):
    return [reason['kind'] for reason in entry['reasons']]


class PlanTest(actual_changes.PlanTestCase):

    settings = None

    def planned(self, name, *marks):
        """Create the stack of a case, and plan its update."""
        before, after, *_ = copy.deepcopy(plan_cases.CASES[name]())
        path = self.create(name.replace('_', '-') + '-plan', before)
        for inner in marks:
            self.mark(path, inner)
        return self.plan(path, after)

    def test_each_resource_has_entry_by_path(self):
        before, after = plan_cases.CASES['nested_three_deep']()
        path = self.create('deep', before)
        plan = self.preview(path, after)['plan']
        self.assertEqual(['t', 't/d', 't/d/k', 't/d/m', 't/d/m/s',
                          't/d/m/t'], [entry['path'] for entry in plan])
        self.assertEqual(FIELDS, set(plan[0]))
        self.assertEqual(['unchanged', 'updated'],
                         sorted({entry['action'] for entry in plan}))
        self.assertEqual(plan, self.preview(path, after)['plan'])
        self.assertEqual({'will'}, {entry['certainty'] for entry in plan})

    def test_property_shows_whether_it_forces_replacement(self):
        plan = self.planned('replaced_by_a_property')
        reason, = plan['a']['reasons']
        self.assertEqual(
            ('property', 'update_replace_value', True, []),
            tuple(reason[key] for key in (
                'kind', 'property', 'forces_replacement', 'waits_for')))
        self.assertEqual('create_before_delete', plan['a']['order'])
        reason, = self.planned('nested_property')['n/s']['reasons']
        self.assertEqual(('property', 'value', False), tuple(
            reason[key] for key in ('kind', 'property',
                                    'forces_replacement')))

    def test_unknown_value_names_its_source(self):
        plan = self.planned('an_unknown_value_behind_a_replacing_property')
        resource = plan['b']
        self.assertEqual(('replaced', 'may'),
                         (resource['action'], resource['certainty']))
        reason, = resource['reasons']
        self.assertEqual(
            [{'kind': 'resource', 'name': 'a', 'attribute': 'output'}],
            reason['waits_for'])
        self.assertTrue(reason['forces_replacement'])

    def test_type_state_and_template_are_reasons(self):
        self.assertEqual(['resource_type'], kinds(
            self.planned('another_type')['a']))
        self.assertEqual(['type_decision'], kinds(
            self.planned('replaced_by_the_type')['a'])[-1:])
        self.assertEqual(['unhealthy'], kinds(
            self.planned('a_marked_resource', 'a')['a']))
        self.assertEqual(['not_in_template'], kinds(
            self.planned('removed_and_added')['b']))
        self.assertEqual(['condition'], kinds(
            self.planned('a_condition_turns')['a']))

    def test_generated_name_is_none(self):
        resource = self.planned('scaling_group_grows')['g/(new 1)']
        self.assertIsNone(resource['resource_name'])
        self.assertEqual('added', resource['action'])

    def test_resource_after_failed_create_is_replaced(self):
        body = plan_cases.body({'a': plan_cases.test(fail=True)})
        path = self.client.create_stack('failed', body['template'],
                                        wait=False)
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        resource = self.plan(path, plan_cases.body({'a': plan_cases.test()}))
        self.assertEqual(('replaced', 'will', ['failed', 'property']), (
            resource['a']['action'], resource['a']['certainty'],
            kinds(resource['a'])))

    def test_hidden_parameter_value_is_not_shown(self):
        def body(value):
            before = plan_cases.body({
                'a': plan_cases.test({'get_param': 'p'}),
                'n': {'type': 'm.yaml', 'properties': {
                    'p': {'get_param': 'p'}}},
                'r': plan_cases.test(
                    update_replace_value={'get_param': 'p'})},
                {'m.yaml': plan_cases.MEMBER})
            before['template']['parameters'] = {
                'p': {'type': 'string', 'hidden': True}}
            return {**before, 'parameters': {'p': value}}

        path = self.create('secret', body(SECRET + '1'))
        changes = self.preview(path, body(SECRET + '2'))
        self.assertNotIn(SECRET, json.dumps(
            [changes['plan'], changes['plan_stops']]))
        self.assertEqual(4, sum(entry['action'] != 'unchanged'
                                for entry in changes['plan']))

    def test_parameters_that_heat_hides_are_listed(self):
        def nested(**schema):
            return {**plan_cases.VERSION, 'parameters': {
                'p': {'type': 'string', 'default': 'd', **schema}}}

        def body(root, files):
            made = plan_cases.body({'n': {'type': 'n.yaml'}}, files)
            made['template']['parameters'] = {
                name: {'type': 'string', 'default': 'd', 'hidden': hidden}
                for name, hidden in root.items()}
            return made

        path = self.create('hides', body({'both': 'y', 'past': 2}, {
            'n.yaml': nested(hidden='t')}))
        found = {}
        for number, schema in enumerate((
                {}, {'hidden': False}, {'hidden': 'y'}, {'hidden': 2},
                {'hidden': 'off'})):
            found[number] = self.preview(path, body({'both': False}, {
                'n.yaml': nested(), 'other.yaml': nested(**schema)}))
        past = {'name': 'past', 'template': None}
        for number, changes in found.items():
            self.assertEqual(
                [{'name': 'p', 'template': file} for file in ('n.yaml', *(
                    ['other.yaml'] if number > 1 else []))] + [past],
                changes['plan_hidden'])
            self.assertEqual(
                ['both'], list(changes['plan_source']['hidden_parameters']))
        shared = body({'p': True}, {'n.yaml': nested()})
        self.assertIn({'name': 'p', 'template': 'n.yaml'},
                      self.preview(path, shared)['plan_hidden'])

    def test_changes_besides_resources_are_reported(self):
        made = plan_cases.body({'a': plan_cases.test()}, {
            'n.yaml': plan_cases.MEMBER})
        made['template'].update(
            parameters={name: {'type': 'string', 'default': 'd'}
                        for name in ('p', 'q')},
            outputs={'o': {'value': [{'get_param': 'p'}, {
                'get_file': 'text'}]}})
        same = {**made, 'files': {**made['files'], 'text': 'one'},
                'parameters': {'p': '1'}, 'tags': 'one', 'timeout_mins': 5}
        path = self.create('besides', same)
        for is_patch in False, True:
            base_body = {} if is_patch else same
            self.assertFalse(self.changes_stack(path, base_body, is_patch))
            for fields in (
                    {'parameters': {'p': '2'}}, {'tags': 'two'},
                    {'timeout_mins': 6}, {'disable_rollback': False},
                    {'files': {**same['files'], 'text': 'two'}},
                    {'environment': {'parameter_defaults': {'q': '1'}}},
                    {'template': {**same['template'], 'outputs': {}}}):
                with self.subTest(fields=fields, is_patch=is_patch):
                    self.assertTrue(self.changes_stack(
                        path, {**base_body, **fields}, is_patch))
        del same['tags']
        self.assertTrue(self.changes_stack(path, same))

    def changes_stack(self, path, body, is_patch=False):
        send = self.client.patch if is_patch else self.client.put
        changes = send(path + '/preview', body).json()['resource_changes']
        self.assertEqual({'unchanged'}, {
            entry['action'] for entry in changes['plan']})
        return changes['plan_changes_stack']


class StopsTestCase(actual_changes.PlanTestCase):

    settings = None

    def stops(self, path, body):
        """Return the stops of a preview: of the update, and of resources."""
        changes = self.preview(path, body)
        return changes['plan_stops'], {
            entry['path']: entry['stops'] for entry in changes['plan']
            if entry['stops']}

    def nested_path(self, path, name):
        """Return the path of a nested stack."""
        nested_id = self.client.get(f'{path}/resources/{name}').json()[
            'resource']['physical_resource_id']
        stack = self.client.get(f'/stacks/{nested_id}').json()['stack']
        return f'/stacks/{stack["stack_name"]}/{nested_id}'

    def certain_stop(self, path, body, inner, kind):
        """Return the message of the only stop of a preview, at a resource."""
        whole, of_resources = self.stops(path, body)
        self.assertEqual(([], {inner}), (whole, set(of_resources)))
        stop, = of_resources[inner]
        self.assertEqual((kind, 'will', 'during'), tuple(
            stop[key] for key in ('type', 'certainty', 'when')))
        return stop['message']

    def assert_fails(self, path, body, inner, kind):
        """Assert that an update fails at a resource, with a certain stop."""
        message = self.certain_stop(path, body, inner, kind)
        self.assertEqual(202, self.client.put(path, body).status_code)
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn(kind, stack['stack_status_reason'])
        return message


class InterruptedCreateTest(StopsTestCase):

    def test_policy_of_resource_with_interrupted_create(self):
        # Heat sets UPDATE_FAILED, which policies protect, if the update has
        # begun with it.
        def body(value, replaced='x'):
            allow = {'update_policy': {'allow': {'replace': False}}}
            return plan_cases.body({
                'a': {**plan_cases.test(value), **allow},
                'b': {**plan_cases.test(), **allow}, 'c': {
                    **plan_cases.test(update_replace_value=replaced),
                    **allow}})

        for after, stops in ((body('one'), {}), (body('two'), {'a'}),
                             (body('one', 'y'), {'c'})):
            path = self.create(f'interrupted{"-".join(stops)}', body('one'))
            self.sandbox.sql(
                "UPDATE resource SET action = 'CREATE', status = ?, "
                'engine_id = ? WHERE stack_id = ?', 'IN_PROGRESS',
                plan_state_cases.KILLED, path.rpartition('/')[2])
            _, found = self.stops(path, after)
            self.assertEqual(set(stops), set(found))
            self.client.put(path, after)
            stack = self.client.wait_for_end(path)
            self.assertEqual('UPDATE_FAILED' if stops else 'UPDATE_COMPLETE',
                             stack['stack_status'])
            self.assertIs(bool(stops), 'nothing was changed' in stack[
                'stack_status_reason'])


class StopsTest(StopsTestCase):
    """Tests of stops: the update fails with the message of the plan."""

    def start(self, name, **more):
        self.before = plan_cases.body({'a': plan_cases.test(**more)})
        self.after = plan_cases.body({'a': plan_cases.test('two', **more)})
        return self.create(name, self.before)

    def test_update_without_stops(self):
        self.assertEqual(([], {}), self.stops(self.start('free'),
                                              self.after))

    def test_stop_by_update_policy(self):
        self.start('policy')
        for body in (self.before, self.after):
            body['template']['resources']['a']['update_policy'] = {
                'allow': {'update': False}}
        path = self.create('policy-2', self.before)
        whole, of_resources = self.stops(path, self.after)
        self.assertEqual([], whole)
        stop, = of_resources['a']
        self.assertEqual(
            ('UpdatePolicyRestricted', 'will', 'before_start'),
            tuple(stop[key] for key in ('type', 'certainty', 'when')))
        self.assertEqual(202, self.client.put(path, self.after).status_code)
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn(stop['message'], stack['stack_status_reason'])

    def test_stop_by_restricted_actions(self):
        path = self.start('restricted')
        restricted = {**self.after, 'environment': {'resource_registry': {
            'resources': {'a': {'restricted_actions': 'update'}}}}}
        stop, = self.stops(path, restricted)[1]['a']
        self.assertEqual(('ResourceActionRestricted', 'during'),
                         (stop['type'], stop['when']))
        self.client.put(path, restricted)
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn('restricted', stack['stack_status_reason'])

    def test_stop_by_external_id(self):
        for name, before, after in (
                ('added', None, 'one'), ('changed', 'one', 'two'),
                ('taken-away', 'one', None)):
            with self.subTest(name):
                path = self.create(f'external-{name}', self.external(before))
                whole, of_resources = self.stops(path, self.external(after))
                self.assertEqual([], whole)
                stop, = of_resources['a']
                self.assertEqual(
                    ('NotSupported', 'will', 'during'),
                    tuple(stop[key] for key in ('type', 'certainty', 'when')))
                self.assertIn('external_id', stop['message'])
                answer = self.client.put(path, self.external(after))
                self.assertEqual(202, answer.status_code, answer.text)
                stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
                self.assertIn('external_id', stack['stack_status_reason'])

    def test_stop_by_external_id_with_unknown_condition(self):
        def body(value, external_id):
            return plan_cases.body({
                'a': plan_cases.test(value), 'n': {
                    'type': 'm.yaml',
                    'properties': {'p': plan_cases.attr('a')}}}, {'m.yaml': {
                        'parameters': {'p': {'type': 'string'}},
                        'conditions': {'on': {'equals': [
                            {'get_param': 'p'}, 'one']}},
                        'resources': {'c': {
                            **plan_cases.test(condition='on'),
                            'external_id': external_id}}}})

        path = self.create('external-unknown', body('one', 'x'))
        stop, = self.stops(path, body('two', 'y'))[1]['n/c']
        self.assertEqual(('NotSupported', 'may', 'during'), (
            stop['type'], stop['certainty'], stop['when']))
        self.assertIn('external_id', stop['message'])

    def test_no_stop_by_same_external_id(self):
        path = self.create('external-same', self.external('one'))
        self.assertEqual(([], {}), self.stops(
            path, self.external('one', value='two')))
        self.client.put(path, self.external('one', value='two'))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    @staticmethod
    def external(resource_id, value='one'):
        more = {} if resource_id is None else {'external_id': resource_id}
        return plan_cases.body({'a': {**plan_cases.test(value), **more}})

    def test_stop_by_lock_without_lock_pass(self):
        path = self.start('locked')
        self.assertEqual(200, self.client.post(path + '/actions', {
            'lock': {'level': 'stacks', 'reason': 'db'}}).status_code)
        self.addCleanup(self.client.post, path + '/actions',
                        {'unlock': None})
        stop, = self.stops(path, self.after)[0]
        answer = self.client.put(path, self.after)
        self.assertEqual((409, stop['type'], stop['message']), (
            answer.status_code, *(answer.json()['error'][key]
                                  for key in ('type', 'message'))))
        self.assertEqual(200, self.client.post(path + '/actions', {
            'lock_pass': {'user': {'id': 'alice'},
                          'expires_at': freeze_base.moment(hours=1)}}
        ).status_code)
        self.assertEqual([], self.stops(path, self.after)[0])
        self.assertEqual(1, len(self.preview_as('bob', path)))

    def preview_as(self, user, path):
        answer = self.sandbox.client(user).put(path + '/preview', self.after)
        return answer.json()['resource_changes']['plan_stops']

    def test_preview_is_rejected_for_immutable_parameter(self):
        def body(value):
            before = plan_cases.body(
                {'a': plan_cases.test({'get_param': 'p'})})
            before['template']['parameters'] = {
                'p': {'type': 'string', 'updatable': False}}
            return {**before, 'parameters': {'p': value}}

        path = self.create('immutable', body('one'))
        for where in ('/preview', ''):
            answer = self.client.put(path + where, body('two'))
            self.assertEqual((400, 'ImmutableParameterModified'), (
                answer.status_code, answer.json()['error']['type']))

    def test_stop_by_suspended_stack(self):
        path = self.start('asleep')
        self.client.post(path + '/actions', {'suspend': None})
        self.client.wait_for_stack(path, ['SUSPEND_COMPLETE'])
        stop, = self.stops(path, self.after)[0]
        self.assertEqual('NotSupported', stop['type'])
        self.assertEqual(400, self.client.put(path, self.after).status_code)

    @staticmethod
    def nested(value='one', **more):
        return plan_cases.body({
            'n': {'type': 'm.yaml', 'properties': {'p': value}}, **more},
            {'m.yaml': plan_cases.MEMBER})

    def test_stop_by_deleted_nested_stack(self):
        path = self.create('lost', self.nested())
        inner = self.nested_path(path, 'n')
        self.client.delete(inner)
        self.client.wait_for_stack(inner, ['DELETE_COMPLETE'])
        message = self.assert_fails(path, self.nested('two'), 'n',
                                    'EntityNotFound')
        self.assertIn('Mark the resource as unhealthy', message)
        self.mark(path, 'n')
        self.assertEqual(([], {}), self.stops(path, self.nested('two')))
        self.client.put(path, self.nested('two'))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_stop_by_known_value_that_is_not_allowed(self):
        inner = {'parameters': {'p': {'type': 'string', 'constraints': [
            {'allowed_values': ['10', '11']}]}}, 'resources': {
            's': plan_cases.test({'get_param': 'p'})}}
        reading = {'length': plan_cases.attr('v', 'value')}
        readers = {
            't': {**plan_cases.RANDOM, 'properties': reading},
            'n': {'type': 'i.yaml', 'properties': {'p': reading['length']}},
            'g': {'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': 1, 'resource_def': {
                    **plan_cases.RANDOM, 'properties': reading}}}}

        def body(value, name):
            return plan_cases.body({'v': {
                'type': 'OS::Heat::Value', 'properties': {'value': value}},
                name: readers[name]}, {'i.yaml': inner})

        for name, stopped in (('t', 't'), ('n', 'n'), ('g', 'g/0')):
            with self.subTest(name):
                path = self.create(f'not-allowed-{name}', body('10', name))
                message = self.assert_fails(path, body('9999', name), stopped,
                                            'StackValidationFailed')
                self.assertIn(stopped, message)
                self.assertNotIn('9999', message)
                self.assertEqual(([], {}), self.stops(path, body('11', name)))
                self.client.put(path, body('11', name))
                self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_stop_by_deleted_software_deployment(self):
        def body(value, in_config='c'):
            return plan_cases.body({
                's': plan_type_cases.heat(
                    'DeployedServer', name='x',
                    software_config_transport='POLL_SERVER_HEAT'),
                'c': plan_type_cases.heat('SoftwareConfig', config=in_config),
                'd': plan_type_cases.deployed('c', server='s', name=value)})

        for name, collection in (('d', 'deployments'), ('c', 'configs')):
            path = self.create(f'lost-{collection}', body('one'))
            lost = self.client.get(f'{path}/resources/{name}').json()[
                'resource']['physical_resource_id']
            self.client.delete(f'/software_{collection}/{lost}')
            self.assertEqual(([], {}), self.stops(path, body('one')))
            self.assertIn(lost, self.assert_fails(path, body('two'), 'd',
                                                  'NotFound'))
            self.mark(path, name)
            self.assertEqual(([], {}), self.stops(path, body('two')))
            self.client.put(path, body('two'))
            self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_stop_by_suspended_nested_stack(self):
        path = self.create('nested-asleep', self.nested())
        inner = self.nested_path(path, 'n')
        self.client.post(inner + '/actions', {'suspend': None})
        self.client.wait_for_stack(inner, ['SUSPEND_COMPLETE'])
        self.assert_fails(path, self.nested('two'), 'n', 'NotSupported')

    def test_stop_by_policy_of_nested_resource_types(self):
        def body(*more):
            return plan_cases.body({'n': {'type': 'm.yaml'}}, {'m.yaml': {
                'resources': {'a': plan_cases.test(), **{
                    name: {'type': 'OS::Keystone::Role'} for name in more}}}})

        self.client = self.sandbox.client('bob')
        path = self.create('forbidden-type', body())
        self.assertIn('OS::Keystone::', self.assert_fails(
            path, body('b'), 'n', 'Forbidden'))

    def test_stop_by_restricted_actions_after_failed_creation(self):
        def body(fail):
            return {**plan_cases.body({
                'a': plan_cases.test(fail=fail),
                'b': plan_cases.test(depends_on='a')}), 'environment': {
                    'resource_registry': {'resources': {
                        'b': {'restricted_actions': 'replace'}}}}}

        path = self.client.create_stack('init', wait=False, **body(True))
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        if self.settings == base.LEGACY:
            self.assert_fails(path, body(False), 'b',
                              'ResourceActionRestricted')
            return
        self.assertEqual(([], {}), self.stops(path, body(False)))
        self.client.put(path, body(False))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])


class HeatLimitsTest(StopsTestCase):

    settings = ('[DEFAULT]\nmax_resources_per_stack = 3\n'
                'max_stacks_per_tenant = 2\nmax_nested_stack_depth = 1\n')

    def test_stops_by_limits_of_heat(self):
        def body(size, *more):
            return plan_cases.body({
                'n': {'type': 'm.yaml'}, 'g': {
                    'type': 'OS::Heat::ResourceGroup', 'properties': {
                        'count': size, 'resource_def': plan_cases.test()}},
                **{name: {'type': 'm.yaml'} for name in more}},
                {'m.yaml': plan_cases.MEMBER})

        path = self.create('limits', body(1))
        for size, limits in ((3, None), (4, 'max_resources_per_stack')):
            if limits:
                self.assertIn(limits, self.assert_fails(
                    path, body(size), 'g', 'RequestLimitExceeded'))
            else:
                self.assertEqual(([], {}), self.stops(path, body(size)))
        # Heat validates the nested stacks of a root stack only.
        inner = self.nested_path(path, 'n')
        deeper = plan_cases.body({'deep': {'type': 'm.yaml'}},
                                 {'m.yaml': plan_cases.MEMBER})
        self.assertIn('max_nested_stack_depth', self.assert_fails(
            inner, deeper, 'deep', 'RequestLimitExceeded'))
        self.assertEqual(([], {}), self.stops(path, body(2, 'o')))
        self.create('second', plan_cases.body({'a': plan_cases.test()}))
        self.assertIn('max_stacks_per_tenant', self.assert_fails(
            path, body(2, 'o'), 'o', 'RequestLimitExceeded'))


class FrozenPlanTest(freeze_base.FreezeTestCase):

    def test_stop_by_freeze(self):
        body = plan_cases.body({'a': plan_cases.test()})
        path = self.client.create_stack('frozen-plan', body['template'])
        self.freeze()
        answer = self.client.put(path + '/preview', body)
        stop, = answer.json()['resource_changes']['plan_stops']
        self.assertEqual(
            self.assert_frozen(self.client.put(path, body), 'update'),
            stop['message'])
        self.assertEqual('StackFrozen', stop['type'])


class PlanLegacyTest(PlanTest):
    settings = base.LEGACY


class StopsLegacyTest(StopsTest):
    settings = base.LEGACY
