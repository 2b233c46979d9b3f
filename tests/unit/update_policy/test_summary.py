# SPDX-License-Identifier: Apache-2.0

"""Tests of what is known without looking."""

from heat.engine import template
import testtools

from heat_extras.update_policy import summary

_VERSION = {'heat_template_version': '2018-08-31'}


class SummaryTest(testtools.TestCase):

    def mentions(self, **resources):
        return summary.mentions(template.Template(
            dict(_VERSION, resources=resources)))

    def test_an_allow_is_found_in_any_resource(self):
        plain = {'type': 'a'}
        guarded = {'type': 'a', 'update_policy': {'allow': {}}}
        self.assertTrue(self.mentions(a=plain, b=guarded))
        self.assertFalse(self.mentions(a=plain))
        self.assertFalse(self.mentions(
            a={'type': 'a', 'update_policy': {'rolling_update': {}}}))
        self.assertFalse(self.mentions())

    def test_templates_of_other_shapes_have_none(self):
        for resources in (None, [], 'text', {'a': None},
                          {'a': {'update_policy': {'get_param': 'b'}}}):
            self.assertFalse(summary.mentions(template.Template(
                dict(_VERSION, resources=resources))))
        self.assertFalse(summary.mentions(None))

    def test_a_nested_stack_is_told_while_it_is_made(self):
        self.assertFalse(summary.is_around())
        with summary.around(True):
            self.assertTrue(summary.is_around())
            with summary.around(None):
                self.assertFalse(summary.is_around())
            self.assertTrue(summary.is_around())
        self.assertFalse(summary.is_around())
