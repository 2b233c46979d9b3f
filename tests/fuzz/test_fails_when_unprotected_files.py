# SPDX-License-Identifier: Apache-2.0

"""Fuzz tests of files detect loaders with a missing check."""

import traceback
from unittest import mock

from hypothesis import strategies as st

from heat_extras.freeze import file_parser
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras import yaml_file
from tests.fuzz import case_count
from tests.fuzz import operator_files
from tests.fuzz import test_freezes
from tests.fuzz import test_limits

_CASES = 1000


class _OfFiles:
    """The same files in each run, for a loader with a missing check."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files = case_count.first(_CASES, *cls.cases)

    def found(self, place, name, instead):
        """Return the error of the first file that fails."""
        file_parser.parse.cache_clear()
        self.addCleanup(file_parser.parse.cache_clear)
        with mock.patch.object(place, name, instead):
            for case in self.files:
                try:
                    self.check(*case)
                except Exception:
                    return traceback.format_exc()
        self.fail(f'{_CASES} files saw nothing')

    def test_no_error_with_all_checks(self):
        for case in self.files:
            self.check(*case)


class _Freezes(test_freezes.FileParserTest):
    test_freezes_file_is_rejected_with_error_or_works = None
    test_accepted_rrule_has_alternating_spans = None


class FreezesFailsWhenUnprotectedTest(_OfFiles, _Freezes):
    cases = (operator_files.contents(test_freezes.FREEZES),
             st.lists(st.datetimes(), max_size=3))

    def test_missing_check_of_reason_is_detected(self):
        message = self.found(file_parser, '_reason', lambda value: value)
        self.assertIn('refusal', message)

    def test_missing_check_of_freeze_end_is_detected(self):
        message = self.found(file_parser._Entry, '_checked', lambda entry,
                             made: made)
        self.assertIn('is_frozen', message)

    def test_missing_check_of_rrule_is_detected(self):
        message = self.found(file_parser.recurrence, 'parse', lambda text,
                             begin, zone: text)
        self.assertIn('window.span(', message)


class _Limits(test_limits.LimitsFileTest):
    test_limits_file_is_rejected_with_error_or_works = None


class LimitsFailsWhenUnprotectedTest(_OfFiles, _Limits):
    cases = (operator_files.contents(test_limits.RULES), test_limits.SUBJECTS)

    def test_missing_check_of_pattern_is_detected(self):
        # Few files have a pattern, and which ones depends on the constants
        # of the source, which hypothesis reads.
        self.files = case_count.first(_CASES, operator_files.contents(
            st.fixed_dictionaries({'rules': st.lists(
                test_limits.ENTRIES['property'], min_size=1, max_size=3)})),
            test_limits.SUBJECTS)
        message = self.found(rules_file, '_property_problems', lambda place,
                             value: ())
        self.assertIn('evaluate.find_violations', message)

    def test_missing_check_of_schema_is_detected(self):
        message = self.found(yaml_file.YamlFile, 'schema_problems',
                             lambda self, schema: ())
        self.assertNotIn('ActivationError', message.splitlines()[-1])
