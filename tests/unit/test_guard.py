# SPDX-License-Identifier: Apache-2.0

"""Tests of the records that guards list."""

import datetime

import testtools

from heat_extras import guard


class StopTest(testtools.TestCase):

    def test_body_has_type_message_certainty_and_when(self):
        self.assertEqual(
            {'type': 'StackLocked', 'message': 'no', 'certainty': 'will',
             'when': 'before_start'},
            guard.Stop('StackLocked', 'no').body())
        body = guard.Stop('T', 'no', 'a/b', False, False).body()
        self.assertEqual(('may', 'during'),
                         (body['certainty'], body['when']))


class GuardTest(testtools.TestCase):
    def test_body_has_all_fields(self):
        at = datetime.datetime(2026, 11, 20, 10, 2, 11, 5)
        body = guard.GuardInfo('lock', 'id', ('update',),
                               set_at=at).to_body('web')
        self.assertEqual(
            {'kind': 'lock', 'stack_id': 'id', 'stack_name': 'web',
             'name': None, 'stops': ['update'], 'may_stop': [],
             'set_by': None,
             'set_at': '2026-11-20T10:02:11Z', 'reason': None,
             'lifted_by': None, 'how_to_lift': None, 'expires_at': None},
            body)
        self.assertEqual('2026-11-20T10:02:11Z', guard.GuardInfo(
            'lock', 'id', (), expires_at=at).to_body('web')['expires_at'])

    def test_may_stop_actions_are_blocked(self):
        plugin_guard = guard.GuardInfo('plugin', 'id', ('lock',),
                                       may_stop=('update',))
        self.assertEqual(['update', 'lock'], [
            action for action in guard.ACTIONS
            if plugin_guard.blocks(action)])
        self.assertEqual((['lock'], ['update']), (plugin_guard.to_body(
            'web')['stops'], plugin_guard.to_body('web')['may_stop']))
