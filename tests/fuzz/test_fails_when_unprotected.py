# SPDX-License-Identifier: Apache-2.0

"""A few fixed cases of the fuzz tests detect injected defects."""

import pathlib

from hypothesis import strategies as st

from tests.fuzz import case_count
from tests.fuzz import requests
from tests.fuzz import test_requests
from tests.harness import environment

_PLACE = pathlib.Path(__file__).parent / 'process_faults'
_CASES = 800


class _WithFault(test_requests.OnSandbox):
    """A sandbox with a defect.

    :cvar fault: a function of process_faults/sitecustomize.py.
    """

    fault = None

    @classmethod
    def setUpClass(cls):
        with environment.Environment(_PLACE,
                                     HEAT_EXTRAS_FAULT=cls.fault):
            super().setUpClass()

    def found(self):
        """Return the error of the first case that fails."""
        for request, name in case_count.first(
                _CASES, requests.all_of_them(),
                st.sampled_from(['free', 'locked'])):
            try:
                self.check(request, name)
            except AssertionError as error:
                return str(error)
        self.fail(f'{_CASES} cases saw nothing: {self.answers}')


class ErrorFailsWhenUnprotectedTest(_WithFault):
    fault = 'error'

    def test_server_error_is_detected(self):
        self.assertIn('gave 500', self.found())


class TraceFailsWhenUnprotectedTest(_WithFault):
    fault = 'trace'

    def test_change_by_rejected_request_is_detected(self):
        self.assertRegex(self.found(), r'gave 4\d\d: ')


class LateFailsWhenUnprotectedTest(_WithFault):
    fault = 'late'

    def test_change_after_response_is_detected(self):
        # This request, or the next one, which waited for the database.
        self.assertIn('late', self.found())
