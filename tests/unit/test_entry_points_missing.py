# SPDX-License-Identifier: Apache-2.0

"""The message about an import that fails."""

import testtools

from heat_extras import entry_points


class DescribeTest(testtools.TestCase):
    def test_message_names_module_and_extra(self):
        try:
            import no_such_thing  # noqa: F401
        except ImportError as error:
            text = entry_points.describe_import_error(error, 'engine')
        self.assertRegex(
            text, r"^ModuleNotFoundError: No module named 'no_such_thing' "
            r'\(.*:\d+\). Install heat-extras\[engine\]\. If it is '
            'already installed, run "pip check"$')


class LocateTest(testtools.TestCase):
    def test_error_without_traceback_has_no_location(self):
        self.assertEqual('KeyError: no further details',
                         entry_points.locate_error(KeyError()))

    def test_raised_error_has_location(self):
        try:
            raise ValueError('one\n  two')
        except ValueError as error:
            self.assertRegex(entry_points.locate_error(error),
                             r'^ValueError: one two \(.*test_entry_points_'
                             r'missing.py:\d+')
