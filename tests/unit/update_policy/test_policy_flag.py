# SPDX-License-Identifier: Apache-2.0

"""Tests of the column that marks stacks with an update policy."""

from heat.engine import template
import testtools

from heat_extras.update_policy import policy_flag

_VERSION = {'heat_template_version': '2018-08-31'}


class HasAllowTest(testtools.TestCase):

    def has_allow(self, **resources):
        return policy_flag.has_allow(template.Template(
            dict(_VERSION, resources=resources)))

    def test_has_allow_finds_allow_in_any_resource(self):
        plain = {'type': 'a'}
        guarded = {'type': 'a', 'update_policy': {'allow': {}}}
        self.assertTrue(self.has_allow(a=plain, b=guarded))
        self.assertFalse(self.has_allow(a=plain))
        self.assertFalse(self.has_allow(
            a={'type': 'a', 'update_policy': {'rolling_update': {}}}))
        self.assertFalse(self.has_allow())

    def test_invalid_templates_have_no_allow(self):
        for resources in (None, [], 'text', {'a': None},
                          {'a': {'update_policy': {'get_param': 'b'}}}):
            self.assertFalse(policy_flag.has_allow(template.Template(
                dict(_VERSION, resources=resources))))
        self.assertFalse(policy_flag.has_allow(None))
