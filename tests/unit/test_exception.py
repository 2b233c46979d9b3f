# SPDX-License-Identifier: Apache-2.0

"""Faults say how they are answered, and are answered so."""

from unittest import mock

import fixtures
from heat.api.aws import exception as aws_exception
from heat.api.middleware import fault
from heat.common import exception as heat_exception
import testscenarios
import testtools

from heat_extras import activation
from heat_extras import conf
from heat_extras import exception
from heat_extras import monkey_patch
from heat_extras.patches import api_aws_exception
from heat_extras.stack_lock import errors

WANTED = {
    'DatabaseAway': (503, 'HeatServiceUnavailableError'),
    'GuardFailed': (500, 'HeatInternalFailureError'),
    'GuardsInvalid': (400, 'HeatInvalidParameterValueError'),
    'HealthInvalid': (400, 'HeatInvalidParameterValueError'),
    'InvalidPlan': (400, 'HeatInvalidParameterValueError'),
    'NestedStackRestricted': (409, 'HeatActionInProgressError'),
    'PlanNotApplicable': (409, 'HeatActionInProgressError'),
    'StackFrozen': (409, 'HeatActionInProgressError'),
    'StackLockConflict': (409, 'HeatActionInProgressError'),
    'StackLockForbidden': (403, 'HeatAccessDeniedError'),
    'StackLockInvalid': (400, 'HeatInvalidParameterValueError'),
    'StackLocked': (409, 'HeatActionInProgressError'),
    'StackProtected': (409, 'HeatActionInProgressError'),
    'TooManyUnhealthy': (409, 'HeatActionInProgressError'),
}


def added(process):
    """Return by their names the errors that the features add."""
    return {record.attribute: record.replacement
            for record in activation.records(conf.FEATURES, process)
            if record.target.startswith(exception.HEAT_MODULE)}


class AddedTest(testscenarios.WithScenarios, testtools.TestCase):
    """In either process, since one raises them and the other answers."""

    scenarios = [(process, {'process': process})
                 for process in (activation.ENGINE, activation.API)]

    def test_each_is_put_where_rpc_finds_it(self):
        added_names = added(self.process)
        self.assertEqual(sorted(WANTED), sorted(added_names))
        for error in added_names.values():
            self.assertEqual('heat.common.exception', error.__module__)
            self.assertTrue(issubclass(error, heat_exception.HeatException))


class AnswerTest(testscenarios.WithScenarios, testtools.TestCase):
    scenarios = [(name, {'name': name, 'code': code, 'cfn_error': cfn_error})
                 for name, (code, cfn_error) in WANTED.items()]

    def setUp(self):
        super().setUp()
        self.error = added(activation.API)[self.name]

    def test_over_http(self):
        self.useFixture(fixtures.MockPatchObject(
            fault, 'cfg', mock.Mock(**{'CONF.debug': False})))
        chosen = monkey_patch.package_records(
            'heat_extras.patches', activation.API)
        monkey_patch.apply(chosen)
        self.addCleanup(monkey_patch.undo, chosen)
        wrapper = fault.FaultWrapper(None)
        answer = wrapper._error(self.error(message='found, wanted'))
        self.assertEqual(self.code, answer['code'])
        self.assertEqual('found, wanted', answer['error']['message'])
        not_found = wrapper._error(heat_exception.NotFound())
        self.assertEqual(404, not_found['code'])

    def test_by_the_cfn_api(self):
        for name in (self.name, f'{self.name}_Remote'):
            remote = type(name, (self.error,), {'__module__': 'remote'})
            raised = self.assertRaises(
                getattr(aws_exception, self.cfn_error),
                api_aws_exception.map_remote_error, self.fail,
                remote(message='found, wanted'))
            self.assertIn('found, wanted', str(raised.detail))


class OthersTest(testtools.TestCase):
    def test_an_error_that_is_none_is_handed_on(self):
        original = mock.Mock()
        self.assertIs(original.return_value,
                      api_aws_exception.map_remote_error(
                          original, heat_exception.NotFound()))

    def test_a_base_is_no_fault(self):
        for base in (exception.Fault, exception.Conflict):
            self.assertNotIn(base.__name__, exception.http_errors)
            self.assertEqual(exception.__name__, base.__module__)

    def test_only_what_a_module_defines_is_recorded(self):
        self.assertEqual(
            ['GuardFailed', 'DatabaseAway'],
            [record.attribute for record in exception.records(exception)])
        self.assertEqual(
            ['StackLocked', 'StackProtected', 'StackLockConflict',
             'StackLockInvalid', 'StackLockForbidden'],
            [record.attribute for record in exception.records(errors)])
