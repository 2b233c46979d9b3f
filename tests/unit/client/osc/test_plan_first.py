# SPDX-License-Identifier: Apache-2.0

"""Tests of ``openstack stack update --plan-first``."""

import io
import json

import fixtures
from heatclient import exc
from heatclient.osc.v1 import stack as heat_commands
from osc_lib import exceptions

from heat_extras.client.osc import heatclient_hooks
from heat_extras.plan import reviewed_request
from tests.unit.client import base as client_base
from tests.unit.client.osc import base
from tests.unit.client import test_plan_tree

_SOURCE = {'revision': '1', 'salt': '2', 'hidden_parameters': {},
           'digest': '3', 'seal': '4'}
_QUESTION = 'Do you want to make these changes? [y/N] '


class _Terminal(io.StringIO):

    def isatty(self):
        return True


class _Interrupted(_Terminal):

    def readline(self):
        raise KeyboardInterrupt


class PlanFirstTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.heat.add('web', description='', parameters={}, outputs=[],
                      links=[])
        self.answer = {'plan': [test_plan_tree.entry('a', 'added')],
                       'plan_stops': [], 'plan_source': _SOURCE,
                       'plan_changes_stack': False}
        self.preview = self.patch('preview_update', side_effect=(
            lambda **fields: {'resource_changes': self.answer}))
        self.update = self.patch('update')

    def patch(self, name, **options):
        return self.useFixture(fixtures.MockPatch(
            f'heatclient.v1.stacks.StackManager.{name}', **options)).mock

    def plan_first(self, *arguments, answer=None):
        self.input = {None: io.StringIO}.get(
            answer, lambda: _Terminal(answer))
        return self.call(heat_commands.UpdateStack, 'web', '--plan-first',
                         *arguments, hook=heatclient_hooks.UpdateStack)

    def fail(self, *arguments, answer=None):
        error = self.assertRaises(exceptions.CommandError, self.plan_first,
                                  *arguments, answer=answer)
        self.update.assert_not_called()
        return str(error)

    def test_shown_plan_is_applied_after_yes(self):
        for answer in 'y\n', 'Yes\n':
            code, _, errors = self.plan_first(
                '--existing', '--parameter', 'size=3', '--clear-parameter',
                'x', '--converge', '--rollback', 'enabled', answer=answer)
            self.assertEqual(0, code)
            self.assertIn('+    a (T)', errors)
            self.assertTrue(errors.endswith(_QUESTION))
            previewed = self.preview.call_args.kwargs
            self.assertEqual({'size': '3'}, previewed['parameters'])
            self.assertEqual({
                **previewed, 'converge': 'true with plan',
                'plan': reviewed_request.make(
                    _SOURCE, self.answer['plan'], [])},
                self.update.call_args.kwargs)

    def test_nothing_is_changed_without_yes(self):
        for answer in '\n', 'n\n', 'yess\n', '':
            self.assertIn('not confirmed', self.fail('--existing',
                                                     answer=answer))

    def test_nothing_is_changed_after_interrupt(self):
        self.input = _Interrupted
        self.assertRaises(
            KeyboardInterrupt, self.call, heat_commands.UpdateStack, 'web',
            '--plan-first', '--existing', hook=heatclient_hooks.UpdateStack)
        self.update.assert_not_called()

    def test_nothing_is_asked_without_terminal(self):
        self.assertIn('add --yes', self.fail('--existing'))
        self.preview.assert_not_called()
        errors = self.plan_first('--existing', '--yes')[2]
        self.assertIn('+    a (T)', errors)
        self.assertNotIn(_QUESTION, errors)
        self.update.assert_called_once()

    def test_stopped_update_is_not_asked(self):
        self.answer['plan_stops'] = [test_plan_tree.STOP]
        for arguments in ((), ('--yes',)):
            self.assertIn('would reject or stop', self.fail(
                '--existing', *arguments, answer='y\n'))

    def test_update_without_changes_is_not_sent(self):
        self.answer['plan'] = [test_plan_tree.entry('a')]
        code, _, errors = self.plan_first('--existing',
                                          answer='y\n')
        self.assertEqual(0, code)
        self.assertIn('There is nothing to change.', errors)
        self.assertNotIn(_QUESTION, errors)
        self.update.assert_not_called()

    def test_update_that_changes_no_resource_is_sent(self):
        self.answer['plan'] = []
        self.plan_first('--existing', '--converge', answer='y\n')
        self.update.assert_called_once()
        self.answer['plan_changes_stack'] = True
        self.plan_first('--existing', answer='y\n')
        self.assertEqual(2, self.update.call_count)

    def test_other_arguments_that_do_not_fit_are_rejected(self):
        for arguments in (('--dry-run',), ('--plan', 'web.plan'),
                          ('--files-container', 'files')):
            self.assertIn(
                f'--plan-first: not allowed with argument {arguments[0]}',
                self.fail('--existing', *arguments, answer='y\n'))
        error = self.assertRaises(
            exceptions.CommandError, self.call, heat_commands.UpdateStack,
            'web', '--yes', hook=heatclient_hooks.UpdateStack)
        self.assertIn('only allowed with', str(error))

    def test_engine_without_plans_is_reported(self):
        unsealed = {'revision': '1', 'salt': '2', 'hidden_parameters': {}}
        for source in ({}, {'plan_source': None}, {'plan_source': unsealed}):
            self.answer = {'plan': [test_plan_tree.entry('a', 'added')],
                           'plan_stops': [], **source}
            self.assertIn('cannot apply plans',
                          self.fail('--existing', answer='y\n'))
        self.answer = {}
        self.fail('--existing', answer='y\n')
        self.answer = {'plan': [test_plan_tree.entry('a', 'added')],
                       'plan_stops': [], 'plan_source': _SOURCE}
        self.update.side_effect = exc.HTTPBadRequest(json.dumps(
            client_base.fault(400, 'ValueError', None)[1]))
        error = self.assertRaises(exceptions.CommandError, self.plan_first,
                                  '--existing', answer='y\n')
        self.assertIn('Nothing was changed', str(error))

    def test_next_update_has_no_plan_after_error(self):
        heat = self.heat.session_client()
        self.heat.session_client = lambda: heat
        self.fail('--existing', answer='n\n')
        self.preview.side_effect = exc.HTTPConflict
        self.assertRaises(exc.HTTPConflict, self.plan_first, '--existing',
                          answer='y\n')
        self.call(heat_commands.UpdateStack, 'web', '--existing',
                  hook=heatclient_hooks.UpdateStack)
        self.assertNotIn('plan', self.update.call_args.kwargs)
