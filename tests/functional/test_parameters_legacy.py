# SPDX-License-Identifier: Apache-2.0

"""Tests of parameters with Heat's legacy engine.

``convergence_engine = false``: a restore looks at the snapshot in a thread,
and a rollback is an update like any other.
"""

from tests.functional import base
from tests.functional import test_parameters
from tests.functional import test_parameters_nested


class LegacyOperationTest(test_parameters.OperationTest):
    settings = test_parameters.OperationTest.settings + base.LEGACY


class LegacyNestedTest(test_parameters_nested.NestedTest):
    settings = test_parameters_nested.NestedTest.settings + base.LEGACY
