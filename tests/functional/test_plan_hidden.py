# SPDX-License-Identifier: Apache-2.0

"""A plan does not contain values that come from hidden parameters."""

import hashlib
import json
import urllib.parse

from tests.exhaustive import test_plugin_webhook_hidden as webhook
from tests.functional import actual_changes
from tests.functional import base
from tests.functional import plan_cases

# Other values of all hidden parameters of the template.
OTHER = 'zz99 sëcret/of-piece-1'
VALUES = {'password': OTHER, 'name': 'other', 'map': {'new-key': 'new-value'},
          'flag': False}
DIGEST = hashlib.sha512(OTHER.encode()).hexdigest()
DERIVED = (*webhook.DERIVED, 'zz99', 's\\u00ebcret', 'piece', 'OTHER',
           urllib.parse.quote(OTHER, ''), DIGEST, DIGEST[:20], 'new-key',
           'new-value')


class HiddenTest(actual_changes.PlanTestCase):
    settings = None

    def start(self, name, **more):
        return self.create(name, {
            'template': webhook.template(), 'files': webhook.FILES,
            'parameters': {'password': webhook.PASSWORD}, **more})

    def assert_nothing_hidden(self, path, body, derived=DERIVED):
        """Assert that a plan has no hidden value; return the plan."""
        changes = self.preview(path, body)
        plan = json.dumps([changes['plan'], changes['plan_stops']])
        for text in derived:
            self.assertNotIn(text, plan)
        return {entry['path']: {value['path']: value
                                for value in entry['values']}
                for entry in changes['plan']}

    def test_computed_values_are_hidden_and_others_shown(self):
        path = self.start('computed')
        plan = self.assert_nothing_hidden(path, {
            'template': webhook.template(more=webhook.inner()),
            'files': webhook.FILES,
            'parameters': {**VALUES, 'colour': 'blue', 'given': 'y'}})
        for name in webhook.NAMES:
            value = plan['inner'].get(name)
            if name == 'open':
                self.assertEqual(
                    ('open-red', 'open-blue', False),
                    (value['before'], value['after'], value['hidden']))
                self.assertEqual('open-blue', plan['inner/open_value'][
                    'value']['after'])
            elif value is not None:
                self.assertTrue(value['hidden'], name)
        self.assertTrue(plan['inner/whole_value']['value']['hidden'])
        self.assertEqual('open-blue', plan['more']['open']['after'])
        self.assertTrue(plan['more']['part']['hidden'])
        self.assertTrue(plan['value']['value']['hidden'])
        self.assertTrue(plan['group/0']['value.b']['hidden'])

    def test_property_that_no_longer_comes_from_parameter(self):
        path = self.start('literal')
        later = webhook.template()
        properties = later['resources']['inner']['properties']
        properties.update(dict.fromkeys(properties, 'literal'), keys={})
        later['resources']['value']['properties'] = {'value': 'literal'}
        self.assert_nothing_hidden(path, {
            'template': later, 'files': webhook.FILES,
            'parameters': VALUES})
        del later['resources']['inner']['properties']
        self.assert_nothing_hidden(path, {
            'template': later, 'files': webhook.FILES,
            'parameters': VALUES})

    def test_computed_name_of_parameter(self):
        def body(value):
            made = plan_cases.body({'a': plan_cases.test({
                'get_param': {'list_join': ['', ['pass', 'word']]}})})
            made['template']['parameters'] = {
                'password': {'type': 'string', 'hidden': 't'}}
            return {**made, 'parameters': {'password': value}}

        path = self.create('computed-name', body(webhook.PASSWORD))
        plan = self.assert_nothing_hidden(path, body(OTHER))
        self.assertTrue(plan['a']['value']['hidden'])

    def test_computed_name_of_attribute(self):
        def body(value):
            made = plan_cases.body({
                'n': {'type': 'n.yaml', 'properties': {
                    'p': plan_cases.attr('s')}},
                's': plan_cases.test(value),
                'a': plan_cases.test({'get_attr': [
                    'n', 'out', {'get_param': 'password'}]})}, {'n.yaml': {
                        'parameters': {'p': {'type': 'string'}},
                        'resources': {'s': plan_cases.test()},
                        'outputs': {'out': {'value': {
                            webhook.PASSWORD: {'get_param': 'p'}}}}}})
            made['template']['parameters'] = {
                'password': {'type': 'string', 'hidden': True}}
            return {**made, 'parameters': {'password': webhook.PASSWORD}}

        path = self.create('computed-attribute', body('one'))
        plan = self.assert_nothing_hidden(path, body('two'))
        value = plan['a']['value']
        # The sources could also be chosen by the hidden value.
        self.assertEqual((True, True, []), (
            value['hidden'], value['unknown'], value['waits_for']))

    def test_conditions_that_are_named_by_functions(self):
        def body(flag):
            made = plan_cases.body({
                name: plan_cases.test({'if': [condition, 'x', 'y']})
                for name, condition in (
                    ('not', 'off'), ('and', 'both'),
                    ('inline', {'or': [{'not': 'on'}, {'not': 'on'}]}),
                    ('computed', {'get_param': 'which'}))})
            made['template'].update(
                parameters={'flag': {'type': 'boolean', 'hidden': True},
                            'which': {'type': 'string', 'default': 'on'}},
                conditions={'on': {'equals': [{'get_param': 'flag'}, True]},
                            'off': {'not': 'on'}, 'both': {
                                'and': ['on', 'on']}})
            return {**made, 'parameters': {'flag': flag}}

        path = self.create('conditions', body(True))
        plan = self.assert_nothing_hidden(path, body(False))
        self.assertEqual([True] * 4, [
            plan[name]['value']['hidden']
            for name in ('not', 'and', 'inline', 'computed')])

    def test_output_of_replaced_nested_stack(self):
        def body(is_hiding):
            parameters = {'p': {'type': 'string', 'hidden': True,
                                'default': webhook.PASSWORD}}
            return plan_cases.body({
                'n': {'type': 'n.yaml'},
                'x': plan_cases.test(plan_cases.attr('n', 'out'))}, {
                    'n.yaml': {
                        'parameters': parameters if is_hiding else {},
                        'resources': {'s': plan_cases.test('one'), **(
                            {} if is_hiding else {'z': plan_cases.test()})},
                        'outputs': {'out': {'value': {
                            'get_param': 'p'} if is_hiding else 'open'}}}})

        for name, before in ('gets', False), ('loses', True):
            path = self.create(f'{name}-secret', body(before))
            self.client.patch(path + '/resources/n', {
                'mark_unhealthy': True})
            plan = self.assert_nothing_hidden(path, body(not before))
            self.assertTrue(plan['x']['value']['hidden'])

    def test_default_of_hidden_parameter_in_nested_stack(self):
        def body(value):
            return plan_cases.body({
                'n': {'type': 'n.yaml'},
                'x': plan_cases.test(plan_cases.attr('n', 'out'))},
                {'n.yaml': {
                    'parameters': {'p': {'type': 'string', 'hidden': True,
                                         'default': value}},
                    'resources': {'s': plan_cases.test({'get_param': 'p'})},
                    'outputs': {'out': {'value': {'get_param': 'p'}}}}})

        path = self.create('default', body(webhook.PASSWORD))
        plan = self.assert_nothing_hidden(path, body(OTHER))
        self.assertTrue(plan['n/s']['value']['hidden'])
        self.assertTrue(plan['x']['value']['hidden'])

    def test_values_of_template_that_is_forgotten(self):
        path = self.start('forgotten')

        def body(**resources):
            return {'files': webhook.FILES, 'template': {
                'heat_template_version': '2018-08-31',
                'parameters': {'password': {'type': 'string'}},
                'resources': resources}, 'parameters': {'password': 'other'}}

        inner = {'type': 'inner.yaml', 'properties': {'open': 'other'}}
        for _ in range(2):
            self.client.put(path, body(
                broken=plan_cases.test(fail=True),
                inner={**inner, 'depends_on': 'broken'}))
            self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        later = body(inner=inner)
        self.assert_nothing_hidden(path, later)
        # A check hides that the update has failed.
        self.client.post(path + '/actions', {'check': None})
        self.client.wait_for_stack(path, ['CHECK_COMPLETE', 'CHECK_FAILED'])
        self.assert_nothing_hidden(path, later)

    def test_nested_stack_by_its_own_id(self):
        path = self.start('own')
        nested_id = self.client.get(path + '/resources/inner').json()[
            'resource']['physical_resource_id']
        name = self.client.show_stack(nested_id)['stack_name']
        self.assert_nothing_hidden(f'/stacks/{name}/{nested_id}', {
            'template': webhook.INNER, 'files': webhook.FILES,
            'parameters': {**dict.fromkeys(webhook.NAMES, 'x'), 'keys': {}}})


class LegacyHiddenTest(HiddenTest):
    settings = base.LEGACY
