# SPDX-License-Identifier: Apache-2.0

import collections

import testtools

from heat_extras.heat_internals import resource_rows

_Row = collections.namedtuple('_Row', 'id action status physical_resource_id')


def _row(row_id, state, physical_id=None):
    return _Row(row_id, *state.split('_', 1), physical_id)


class FailedCreateTest(testtools.TestCase):

    def test_failed_create_was_never_created(self):
        for state, physical_id, wanted in (
                ('CREATE_FAILED', None, True),
                ('CREATE_FAILED', 'x', True),
                ('ADOPT_FAILED', None, True),
                ('ADOPT_FAILED', '', True),
                ('ADOPT_FAILED', 'x', False),
                ('UPDATE_FAILED', None, False),
                ('CREATE_COMPLETE', 'x', False)):
            self.assertIs(wanted, resource_rows.row_was_never_created(
                _row(1, state, physical_id)), state)

    def test_failed_create_may_be_in_place_of_other_row(self):
        failed = _row(2, 'CREATE_FAILED')
        for state, wanted in (
                ('CHECK_FAILED', True), ('CREATE_COMPLETE', True),
                ('UPDATE_FAILED', True), ('CREATE_FAILED', False),
                ('INIT_COMPLETE', False), ('DELETE_FAILED', False),
                ('DELETE_IN_PROGRESS', False)):
            others = [failed, _row(1, state, 'x')]
            self.assertIs(wanted, resource_rows.is_in_place_of_another(
                failed, others), state)
        self.assertFalse(
            resource_rows.is_in_place_of_another(failed, [failed]))

    def test_complete_replacement_is_not_in_place_of_other_row(self):
        new = _row(2, 'CREATE_COMPLETE', 'y')
        self.assertFalse(resource_rows.is_in_place_of_another(
            new, [new, _row(1, 'CREATE_COMPLETE', 'x')]))
