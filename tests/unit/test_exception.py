# SPDX-License-Identifier: Apache-2.0

"""Exceptions declare their HTTP code and cfn error, and APIs return them."""

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
from heat_extras import features
from heat_extras import monkey_patch
from heat_extras.patches import api_aws_exception

WANTED = {
    'DatabaseAway': (503, 'HeatServiceUnavailableError'),
    'GuardFailed': (500, 'HeatInternalFailureError'),
    'GuardsInvalid': (400, 'HeatInvalidParameterValueError'),
    'HealthInvalid': (400, 'HeatInvalidParameterValueError'),
    'InvalidPlan': (400, 'HeatInvalidParameterValueError'),
    'LifecycleConflict': (409, 'HeatActionInProgressError'),
    'NestedStackRestricted': (409, 'HeatActionInProgressError'),
    'PlanNotApplicable': (409, 'HeatActionInProgressError'),
    'PlanRequired': (409, 'HeatActionInProgressError'),
    'StackFrozen': (409, 'HeatActionInProgressError'),
    'StackLockConflict': (409, 'HeatActionInProgressError'),
    'StackLockForbidden': (403, 'HeatAccessDeniedError'),
    'StackLockInvalid': (400, 'HeatInvalidParameterValueError'),
    'StackLocked': (409, 'HeatActionInProgressError'),
    'StackProtected': (409, 'HeatActionInProgressError'),
    'TooManyUnhealthy': (409, 'HeatActionInProgressError'),
}


def added():
    """Return by their names the errors that the features add."""
    for feature in features.all_features():
        feature.load_errors()
    return {name: exception.find_class(name) for name in WANTED}


class AddedExceptionsTest(testtools.TestCase):
    """The engine raises the errors, and the API returns them."""

    def test_exceptions_are_found_in_heat_common_exception(self):
        errors = added()
        self.assertEqual(set(WANTED), set(exception.http_errors))
        for process in (activation.ENGINE, activation.API):
            chosen = [record for record in activation.records(
                conf.FEATURES, process)
                if record.target.startswith(exception.HEAT_MODULE)]
            monkey_patch.apply(chosen)
            self.addCleanup(monkey_patch.undo, chosen)
            for name, error in errors.items():
                self.assertIs(error, getattr(heat_exception, name))
                self.assertEqual('heat.common.exception', error.__module__)
                self.assertTrue(issubclass(error,
                                           heat_exception.HeatException))
            monkey_patch.undo(chosen)
            self.assertFalse(hasattr(heat_exception, 'StackLocked'))


class ResponseTest(testscenarios.WithScenarios, testtools.TestCase):
    scenarios = [(name, {'name': name, 'code': code, 'cfn_error': cfn_error})
                 for name, (code, cfn_error) in WANTED.items()]

    def setUp(self):
        super().setUp()
        self.error = added()[self.name]

    def test_http_response_has_code_and_message(self):
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

    def test_cfn_api_maps_exception(self):
        for name in (self.name, f'{self.name}_Remote'):
            remote = type(name, (self.error,), {'__module__': 'remote'})
            raised = self.assertRaises(
                getattr(aws_exception, self.cfn_error),
                api_aws_exception.map_remote_error, self.fail,
                remote(message='found, wanted'))
            self.assertIn('found, wanted', str(raised.detail))


class OtherExceptionsTest(testtools.TestCase):
    def test_unknown_error_is_passed_to_heat(self):
        original = mock.Mock()
        self.assertIs(original.return_value,
                      api_aws_exception.map_remote_error(
                          original, heat_exception.NotFound()))

    def test_base_classes_are_not_added(self):
        for base in (exception.Fault, exception.Conflict):
            self.assertNotIn(base.__name__, exception.http_errors)
            self.assertEqual(exception.__name__, base.__module__)
