# SPDX-License-Identifier: Apache-2.0

"""Tests of ``openstack stack plan``."""

import io
import json
from unittest import mock

import fixtures
from heatclient import exc
from osc_lib import exceptions

from heat_extras.client.osc import plan
from tests.unit.client.osc import base
from tests.unit.client import test_plan_tree


class _Terminal(io.StringIO):
    encoding = 'utf-8'

    def isatty(self):
        return True


class PlanTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.template = self.useFixture(fixtures.TempDir()).join('t.yaml')
        with open(self.template, 'w') as target:
            target.write('heat_template_version: 2018-08-31')
        self.answer = {'plan': [], 'plan_stops': [], 'added': []}
        self.preview = self.useFixture(fixtures.MockPatch(
            'heatclient.v1.stacks.StackManager.preview_update',
            side_effect=lambda **fields: {
                'resource_changes': self.answer})).mock

    def plan(self, *arguments):
        return self.call(plan.PlanStack, 'web', '--existing', *arguments)

    def test_exit_status_depends_on_changes_and_stops(self):
        for entries, stops, status in (
                ([], [], 0), ([test_plan_tree.entry('a')], [], 0),
                ([test_plan_tree.entry('a', 'added')], [], 2),
                ([test_plan_tree.entry('a', 'updated', 'may')], [], 2),
                ([], [test_plan_tree.STOP], 1)):
            self.answer.update(plan=entries, plan_stops=stops)
            self.assertEqual(status, self.plan()[0])

    def test_json_has_plan_and_stops_unchanged(self):
        self.answer['plan'] = [test_plan_tree.entry('a', 'added')]
        code, out, err = self.plan('-f', 'json')
        self.assertEqual(
            {'plan': self.answer['plan'], 'plan_stops': []}, json.loads(out))

    def test_tree_has_no_control_sequences(self):
        self.answer['plan'] = [test_plan_tree.entry('a\033[2J', 'added')]
        out = self.plan()[1]
        self.assertIn('+', out)
        self.assertNotIn('\033', out)

    def test_tree_is_colored_on_terminal_unless_no_color(self):
        self.answer['plan'] = [test_plan_tree.entry('a', 'added')]
        self.output = _Terminal
        with mock.patch.dict('os.environ', clear=True):
            self.assertIn('\033[32m', self.plan()[1])
        with mock.patch.dict('os.environ', NO_COLOR='1'):
            self.assertNotIn('\033', self.plan()[1])

    def test_update_arguments_are_sent_to_preview(self):
        self.plan('--parameter', 'size=3', '--clear-parameter', 'x', '--tags',
                  'a,b', '--timeout', '5', '--rollback', 'enabled')
        fields = self.preview.call_args.kwargs
        self.assertEqual(
            ({'size': '3'}, ['x'], 'a,b', 5, False, True), tuple(
                fields[name] for name in (
                    'parameters', 'clear_parameters', 'tags', 'timeout_mins',
                    'disable_rollback', 'existing')))

    def test_disabled_plan_feature_is_reported(self):
        del self.answer['plan']
        error = self.assertRaises(exceptions.CommandError, self.plan)
        self.assertIn('enable the feature "plan"', str(error))

    def test_missing_plan_of_new_stack_is_reported(self):
        self.preview.side_effect = exc.HTTPNotFound()
        create = self.useFixture(fixtures.MockPatch(
            'heatclient.v1.stacks.StackManager.preview')).mock
        create.return_value.to_dict.return_value = {'stack_name': 'web'}
        error = self.assertRaises(
            exceptions.CommandError, self.call, plan.PlanStack, 'web', '-t',
            self.template, '--rollback', 'enabled')
        self.assertIn('made no plan of the new stack', str(error))
        fields = create.call_args.kwargs
        self.assertEqual(('web', False), (fields['stack_name'],
                                          fields['disable_rollback']))
        self.assertNotIn('existing', fields)

    def test_out_with_files_container_is_rejected(self):
        error = self.assertRaises(
            exceptions.CommandError, self.plan, '--out', 'x',
            '--files-container', 'y')
        self.assertIn('argument --out: not allowed with argument '
                      '--files-container', str(error))
        self.assertFalse(self.preview.called)
