# SPDX-License-Identifier: Apache-2.0

"""The message about an import that fails."""

import testtools

from heat_extras import missing_dependency


class DescribeTest(testtools.TestCase):
    def test_message_names_module_and_extra(self):
        try:
            import no_such_thing  # noqa: F401
        except ImportError as error:
            text = missing_dependency.describe(error, 'engine')
        self.assertRegex(
            text, r"^ModuleNotFoundError: No module named 'no_such_thing' "
            r'\(.*:\d+\). Install heat-extras\[engine\]\. If it is '
            'already installed, run "pip check"$')


class LocateTest(testtools.TestCase):
    def test_error_without_traceback_has_no_location(self):
        self.assertEqual('KeyError: no further details',
                         missing_dependency.locate(KeyError()))

    def test_raised_error_has_location(self):
        try:
            raise ValueError('one\n  two')
        except ValueError as error:
            self.assertRegex(missing_dependency.locate(error),
                             r'^ValueError: one two \(.*test_missing_depend'
                             r'ency.py:\d+')
