# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.stack_lock import messages


class MessagesTest(testtools.TestCase):

    def test_a_reason_is_reported_where_there_is_one(self):
        self.assertEqual('Stack LOCK completed successfully (level all)',
                         messages.completed('all', None))
        self.assertEqual('Signal ignored: the stack is locked (level all): x',
                         messages.signal_ignored('all', 'x'))

    def test_resources_whose_signals_are_not_named_are_counted(self):
        self.assertEqual(
            '7 signals were ignored while the stack was locked (a: 4)',
            messages.signals_ignored(7, 'a: 4', 0))
        self.assertEqual(
            '7 signals were ignored while the stack was locked (a: 4, and 2 '
            'more resources)', messages.signals_ignored(7, 'a: 4', 2))
