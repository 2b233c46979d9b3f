# SPDX-License-Identifier: Apache-2.0

import contextvars

import testtools

from heat_extras import rpc_request


class OverrideTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.variable = contextvars.ContextVar('of_the_test', default='none')

    def test_nested_overrides_are_restored(self):
        with rpc_request.override(self.variable, 'outer') as given:
            self.assertEqual('outer', given)
            with rpc_request.override(self.variable, 'inner'):
                self.assertEqual('inner', self.variable.get())
            self.assertEqual('outer', self.variable.get())
        self.assertEqual('none', self.variable.get())

    def test_override_is_restored_after_error(self):
        def fail():
            with rpc_request.override(self.variable, 'one'):
                raise ValueError('no')
        self.assertRaises(ValueError, fail)
        self.assertEqual('none', self.variable.get())
