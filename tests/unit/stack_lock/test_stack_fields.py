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
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import stack_fields

CONTEXT = types.SimpleNamespace(project_id='p1', is_admin=False)
LOCK = lock_record.Lock(
    id='a1', level='all', action='LOCK', status='COMPLETE',
    status_reason='done', reason='move', set_by='alice', set_by_project='p1',
    set_at=datetime.datetime(2026, 11, 22, 9, 5),
    expires_at=datetime.datetime(2026, 12, 24, 18))
UNPROTECTED = {'delete_protected': False, 'delete_protection_reason': None,
               'delete_protected_by': None, 'delete_protected_at': None}
SHOWN = {'lock_level': 'all', 'lock_status': 'LOCK_COMPLETE',
         'lock_status_reason': 'done', 'lock_id': 'a1',
         'lock_reason': 'move', 'locked_by': 'alice',
         'locked_at': '2026-11-22T09:05:00Z',
         'lock_expires_at': '2026-12-24T18:00:00Z', 'lock_pass': None,
         **UNPROTECTED}
UNLOCKED = {**dict.fromkeys(SHOWN), **UNPROTECTED}


def body(name, **marks):
    """Return the body of a stack without the fields of heat-extras."""
    return {'stack_name': name, 'stack_identity': {'stack_id': name}, **marks}


LOCKED = body('locked', lock_level='all')


class StackFieldsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(config_fixture.Config())
        conf.register_opts(cfg.CONF)
        self.read = self.useFixture(fixtures.MockPatchObject(
            guard_row, 'read_all', side_effect=lambda context, ids: {
                id: {'lock': LOCK} for id in ids})).mock

    def answer(self, *stacks):
        """Return the response of the API, and the response of the engine."""
        shown = stack_fields.add_fields_to_list(
            CONTEXT, [dict(stack) for stack in stacks])
        bodies = [dict(info) for info in shown]
        answer = stack_fields.add_fields_in_api({'stacks': bodies})
        return answer['stacks'], shown

    def test_stacks_in_list_have_all_fields(self):
        free, idle = body('free'), body('idle')
        for stacks in ([free], [free, idle], [LOCKED, free, idle],
                       [free, LOCKED], [idle, free, LOCKED]):
            self.assertEqual(
                [{**UNLOCKED, **stack,
                  **(SHOWN if stack is LOCKED else {})} for stack in stacks],
                self.answer(*stacks)[0])

    def test_engine_adds_marker_field_to_first_stack_only(self):
        shown = self.answer(*map(body, 'abc'))[1]
        self.assertEqual([body('a', lock_level=None), body('b'), body('c')],
                         shown)
        self.read.assert_not_called()

    def test_list_of_engine_without_locks_is_unchanged(self):
        bodies = [{'stack_name': 'free'}, {'stack_name': 'idle'}]
        self.assertEqual(
            {'stacks': bodies, 'count': 2}, stack_fields.add_fields_in_api(
                {'stacks': [dict(body) for body in bodies], 'count': 2}))

    def test_empty_list_stays_empty(self):
        self.assertEqual(([], []), self.answer())

    def test_shown_stack_has_all_fields(self):
        self.assertEqual([{**body('free'), **UNLOCKED}, {**LOCKED, **SHOWN}],
                         stack_fields.add_fields_to_show(
                             CONTEXT, [body('free'), dict(LOCKED)]))


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
        return ' '.join(str(query.statement).split()), rest

    def test_status_filter_follows_status_overlay(self):
        for overlay, wanted in (
                ('full', 'coalesce((SELECT heat_extras_guard.status '
                         'FROM heat_extras_guard WHERE heat_extras_guard.id '
                         '= stack.lock_id), CASE WHEN (stack.lock_id IS NOT '
                         'NULL AND NOT (stack.lock_level IS NOT NULL OR '
                         'stack.lock_passing IS NOT NULL)) THEN :param_1 END, '
                         'stack.status) IN'),
                ('off', 'stack.status IN')):
            criteria, _ = self.narrow(overlay, {'status': 'COMPLETE'})
            self.assertIn(f' FROM stack WHERE {wanted}', criteria)

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
