# SPDX-License-Identifier: Apache-2.0

"""Tests of which values a rollback gives back."""

from unittest import mock

from heat_extras.parameters import pre_update_values
from tests.unit.parameters import base


def _parameters(size=None, **words):
    definition = {'type': 'number', 'default': 3, **words}
    return base.parameters(base.template(
        {'size': definition}, {} if size is None else {'size': size}))


class BeforeTest(base.TestCase):

    def test_only_what_is_restricted_or_changes_is_kept(self):
        self.assertFalse(pre_update_values.may_be_asked_for(
            _parameters(), _parameters('3.0')))
        self.assertTrue(pre_update_values.may_be_asked_for(_parameters(),
                                                           _parameters(4)))
        self.assertTrue(pre_update_values.may_be_asked_for(_parameters(),
                                                           _parameters(),
                                                           {'size': 4}))
        for one, other in ((False, True), (True, False)):
            self.assertTrue(pre_update_values.may_be_asked_for(
                _parameters(updatable=one), _parameters(updatable=other)))

    def test_the_value_from_before_and_no_other(self):
        stack = mock.Mock(parameters=_parameters(3))
        with mock.patch.object(pre_update_values.baseline, 'keep',
                               side_effect=lambda
                               *args: args[-1]()):
            kept = pre_update_values.keep(stack, 'update')
        self.assertTrue(pre_update_values.gives_back(kept, 'size',
                                                     _parameters('3.0')))
        self.assertFalse(pre_update_values.gives_back(kept, 'size',
                                                      _parameters(4)))
        self.assertFalse(pre_update_values.gives_back(kept, 'size',
                                                      _parameters(),
                                                      {'size': 4}))
        self.assertFalse(pre_update_values.gives_back(
            kept, 'size', _parameters(type='string')))
        self.assertEqual(set(), pre_update_values.restricted(kept))
        none = base.parameters(base.template({}))
        self.assertFalse(pre_update_values.gives_back(kept, 'size', none))
        self.assertTrue(pre_update_values.gives_back({}, 'size', none))

    def test_what_had_to_stay_is_kept_with_the_value(self):
        stack = mock.Mock(parameters=_parameters(3, updatable=False))
        with mock.patch.object(pre_update_values.baseline, 'keep',
                               side_effect=lambda
                               *args: args[-1]()):
            self.assertEqual({'size'}, pre_update_values.restricted(
                pre_update_values.keep(stack, 'update')))
