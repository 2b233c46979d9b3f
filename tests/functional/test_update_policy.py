# SPDX-License-Identifier: Apache-2.0

"""Tests of updates that ``update_policy.allow`` forbids."""

import copy
import json

import fixtures
from testtools import matchers

from heat_extras.update_policy import rules
from tests.functional import update_policy_base

FORBID = {'replace': {'replace': False}, 'update': {'update': False},
          'both': {'update': False, 'replace': False}}


def guarded(allow, **properties):
    """Make a template with a resource ``a`` and its neighbour ``b``."""
    template = {
        'heat_template_version': '2018-08-31',
        'parameters': {'other': {'type': 'string', 'default': 'one'}},
        'resources': {
            'a': {'type': 'OS::Heat::TestResource',
                  'properties': {'value': 'one', **properties}},
            'b': {'type': 'OS::Heat::TestResource',
                  'properties': {'value': {'get_param': 'other'}}}}}
    if allow is not None:
        template['resources']['a']['update_policy'] = {'allow': allow}
    return template


def without(template, name):
    template = copy.deepcopy(template)
    del template['resources'][name]
    return template


class UpdatePolicyTest(update_policy_base.UpdatePolicyTestCase):

    def test_removal_type_change_and_replacement_are_rejected(self):
        template = guarded(FORBID['replace'])
        path = self.create('keep', template)
        self.assert_refused(path, without(template, 'a'), 'resource a',
                            'would be removed', 'replace: false')
        changed = copy.deepcopy(template)
        changed['resources']['a'] = {
            'type': 'OS::Heat::RandomString',
            'update_policy': {'allow': FORBID['replace']}}
        self.assert_refused(path, changed, 'its type changes')
        self.assert_refused(
            path, guarded(FORBID['replace'], update_replace=True,
                          value='two'), 'would be replaced')
        # The next valid update succeeds, and updates resource b.
        self.update(path, template, parameters={'other': 'two'})

    def test_update_in_place_is_rejected(self):
        template = guarded(FORBID['update'])
        path = self.create('frozen', template)
        self.assert_refused(path, guarded(FORBID['update'], value='two'),
                            'would be updated in place', 'update: false',
                            parameters={'other': 'two'})
        self.update(path, without(template, 'a'))

    def client_updates(self, name, template, *options):
        source = self.useFixture(fixtures.TempDir()).join('template.json')
        with open(source, 'w') as target:
            json.dump(template, target)
        return self.client.openstack('stack', 'update', *options, '-t',
                                     source, name)

    def test_truncated_reason_contains_remedy(self):
        template = guarded(FORBID['replace'])
        template['resources']['database_of_the_orders'] = dict(
            template['resources']['a'])
        path = self.create('awaited', template)
        done = self.client_updates('awaited', without(
            without(template, 'a'), 'database_of_the_orders'), '--wait')
        self.assertEqual(1, done.returncode)
        line, = [line for line in done.stdout.splitlines()
                 if 'UPDATE_FAILED' in line and 'is rejected' in line]
        self.assertIn('protects a, database_of_the_orders. '
                      f'{rules.BY_TWO_UPDATES} ', line)
        reason = self.client.show_stack(path)['stack_status_reason']
        self.assertThat(len(reason), matchers.GreaterThan(255))
        for name in ('a', 'database_of_the_orders'):
            self.assertIn(f'resource {name} (OS::Heat::TestResource) would '
                          'be removed', reason)

    def test_remedy_resets_mark_only_if_resource_is_marked(self):
        template = guarded(FORBID['replace'])
        path = self.create('removed', template)
        after = without(template, 'a')
        self.assert_refused(path, after, rules.BY_TWO_UPDATES)
        marked = f'{path}/resources/a'
        self.client.patch(marked, {'mark_unhealthy': True})
        self.assert_refused(path, after, rules.BY_TWO_UPDATES_UNMARKED)
        # As the message says.
        self.client.patch(marked, {'mark_unhealthy': False})
        self.update(path, guarded({'replace': True}))
        self.update(path, after)

    def test_client_preview_shows_rejections(self):
        template = guarded(FORBID['replace'])
        self.create('shown', template)
        done = self.client_updates('shown', without(template, 'a'),
                                   '--dry-run', '-f', 'json')
        self.assertEqual(0, done.returncode, done.stderr)
        rows = json.loads(done.stdout)['restricted']
        # python-heatclient 4.1 has a text there, in JSON once more.
        row, = json.loads(rows) if isinstance(rows, str) else rows
        self.assertEqual(('a', 'remove'), (row['resource_name'],
                                           row['restricted_action']))
        self.assertIn('replace: false', row['restricted_reason'])

    def test_late_replacement_is_rejected_during_update(self):
        template = guarded(
            FORBID['replace'],
            update_replace_value={'get_attr': ['b', 'output']})
        path = self.create('late', template)
        before = self.resource(path, 'a')
        reason = self.update(path, template, 'UPDATE_FAILED',
                             parameters={'other': 'two'})
        self.assertIn('Not done: resource a', reason)
        self.assertIn('would be replaced', reason)
        self.assertEqual(before, self.resource(path, 'a'))
        self.assertEqual('UPDATE_COMPLETE',
                         self.resource(path, 'b')['resource_status'])
        self.update(path, template, parameters={'other': 'one'})
        self.assertEqual(
            before['physical_resource_id'],
            self.resource(path, 'a')['physical_resource_id'])

    def test_update_without_changes_is_not_rejected(self):
        both = {'update_policy': {'allow': FORBID['both']}}
        template = guarded(FORBID['both'])
        template['resources'].update({
            'c': {'type': 'OS::Heat::TestResource', 'properties': {
                'value': {'list_join': [',', [
                    {'get_attr': ['text', 'value']},
                    {'get_resource': 'a'}, {'get_attr': ['a', 'output']},
                    {'get_attr': ['group', 'refs', 0]}]]}}, **both},
            'text': {'type': 'OS::Heat::RandomString', **both},
            'group': {'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': 2, 'resource_def': {
                    'type': 'OS::Heat::RandomString', 'properties': {
                        'salt': {'get_attr': ['text', 'value']}}}}, **both},
            'scaling': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                'min_size': 1, 'max_size': 2, 'desired_capacity': 2,
                'resource': {'type': 'OS::Heat::TestResource', 'properties': {
                    'value': {'get_attr': ['text', 'value']}}}}, **both}})
        path = self.create('same', template)
        before = self.resources(path)
        self.assertEqual([], self.restricted(path, template))
        self.update(path, template, parameters={'other': 'two'})
        ids = [row[:2] for row in before]
        self.assertEqual(ids, [row[:2] for row in self.resources(path)])
        changed = copy.deepcopy(template)
        changed['resources']['text']['properties'] = {'length': 9}
        restricted = self.restricted(path, changed)
        self.assertEqual([], [text for text in restricted
                              if not text.startswith('resource text ')])
