# SPDX-License-Identifier: Apache-2.0

"""Fields of locks in lists of stacks, added by the engine and the API."""

import datetime
import types

import fixtures
from heat.db import models
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from sqlalchemy import orm
import testtools

from heat_extras import conf
from heat_extras.db import stack_columns
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import stack_fields

LOCKED = {'stack_name': 'locked', 'lock_level': 'all',
          'lock_status': 'LOCK_COMPLETE', 'lock_status_reason': 'done',
          'lock_id': 'a1',
          'lock_reason': 'move', 'locked_by': 'alice',
          'locked_at': '2026-11-22T09:05:00Z',
          'lock_expires_at': '2026-12-24T18:00:00Z', 'lock_pass': None}
UNPROTECTED = {'delete_protected': False, 'delete_protection_reason': None,
               'delete_protected_by': None, 'delete_protected_at': None}
LOCKED.update(UNPROTECTED)
UNLOCKED = {'lock_level': None, 'lock_status': None,
            'lock_status_reason': None, 'lock_id': None, 'lock_reason': None,
            'locked_by': None, 'locked_at': None, 'lock_expires_at': None,
            'lock_pass': None,
            **UNPROTECTED}


class StackFieldsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.asked = self.useFixture(fixtures.MockPatchObject(
            expiry, 'read_rows', side_effect=lambda context, ids: {
                id: types.SimpleNamespace(
                    expires_at=datetime.datetime(2026, 12, 24, 18),
                    has_pass=False) for id in ids})).mock

    def answer(self, *stacks):
        """Return the response of the API, and the response of the engine."""
        shown = stack_fields.add_fields_to_list(
            'context', [dict(stack) for stack in stacks])
        bodies = [dict(info) for info in shown]
        answer = stack_fields.add_fields_in_api({'stacks': bodies})
        return answer['stacks'], shown

    def test_unlocked_stacks_in_list_have_all_fields(self):
        free, idle = {'stack_name': 'free'}, {'stack_name': 'idle'}
        for stacks in ([free], [free, idle], [LOCKED, free, idle],
                       [free, LOCKED], [idle, free, LOCKED, LOCKED]):
            self.assertEqual(
                [{**UNLOCKED, **stack} for stack in stacks],
                self.answer(*stacks)[0])

    def test_engine_adds_marker_field_to_first_stack_only(self):
        shown = self.answer(*[{'stack_name': str(n)} for n in range(3)])[1]
        self.assertEqual(
            [{'stack_name': '0', 'lock_level': None}, {'stack_name': '1'},
             {'stack_name': '2'}], shown)

    def test_list_of_engine_without_locks_is_unchanged(self):
        bodies = [{'stack_name': 'free'}, {'stack_name': 'idle'}]
        self.assertEqual(
            {'stacks': bodies, 'count': 2}, stack_fields.add_fields_in_api(
                {'stacks': [dict(body) for body in bodies], 'count': 2}))

    def test_empty_list_stays_empty(self):
        self.assertEqual(([], []), self.answer())

    def test_shown_stack_has_all_fields(self):
        self.assertEqual([{'stack_name': 'free', **UNLOCKED}, LOCKED],
                         stack_fields.add_fields_to_show(
                             'context', [{'stack_name': 'free'},
                                         dict(LOCKED)]))


class FilterShownStatusTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config())
        conf.register_opts(cfg.CONF)
        stack_columns.map_stack_columns()

    def narrow(self, overlay, filters):
        self.conf.config(group='heat_extras', status_overlay=overlay)
        query, rest = stack_fields.filter_shown_status(
            orm.Query(models.Stack), filters)
        return str(query.whereclause), rest

    def test_status_filter_follows_status_overlay(self):
        for overlay, wanted in (
                ('full', 'coalesce(stack.lock_status, stack.status) IN'),
                ('off', 'stack.status IN')):
            criteria, _ = self.narrow(overlay, {'status': 'COMPLETE'})
            self.assertThat(criteria, testtools.matchers.StartsWith(wanted))

    def test_filter_by_several_actions_and_status(self):
        criteria, rest = self.narrow('full', {'action': ['A', 'B'],
                                              'status': 'C'})
        self.assertEqual(2, criteria.count(' IN '))
        self.assertEqual({}, rest)

    def test_other_filters_are_left_to_heat(self):
        given = {'name': 'x', 'status': 'C'}
        _, rest = self.narrow('off', given)
        self.assertEqual({'name': 'x'}, rest)
        self.assertIn('status', given)
