# SPDX-License-Identifier: Apache-2.0

"""Tests of the reasons of changes; the functional tests have the rest."""

from unittest import mock

import testtools

from heat_extras.plan import change
from heat_extras.plan import reasons
from heat_extras.plan import resource_plan
from heat_extras.plan import unknown


class ReasonsTest(testtools.TestCase):

    def kinds(self, predicted, **plan):
        plan = mock.MagicMock(**{'new_names': {'a'}, **plan})
        return [each.kind for each in reasons._own_reasons(
            plan, 'a', predicted)]

    def test_unchanged_resource_has_no_reasons(self):
        self.assertEqual([], self.kinds(change.Change()))

    def test_unknown_change_has_reason_not_planned(self):
        self.assertEqual(['not_planned'], self.kinds(resource_plan.UNKNOWN))
        self.assertEqual(['not_planned'], self.kinds(
            change.Change(change.UPDATE),
            **{'is_enabled_for_certain.side_effect': KeyError}))

    def test_removal_has_reason_not_in_template_or_condition(self):
        for document, kind in (({}, 'not_in_template'),
                               ({'resources': {'a': {}}}, 'condition')):
            self.assertEqual([kind], self.kinds(
                change.Change(change.REMOVE), new_names=(), **{
                    'planned.t.t': document,
                    'planned.t.RESOURCES': 'resources'}))

    def test_description_names_sources_of_unknown_value(self):
        self.assertEqual(
            'property "p" depends on parameter q, output of r, s (not known '
            'yet)', reasons._describe('p', [
                unknown.Source(unknown.PARAMETER, 'q'),
                unknown.Source(unknown.RESOURCE, 'r', 'output'),
                unknown.Source(unknown.RESOURCE, 's')]))
        self.assertEqual('the properties depend on a value (not known yet)',
                         reasons._describe(unknown.ALL, []))
