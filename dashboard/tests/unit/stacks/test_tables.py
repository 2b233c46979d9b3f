# SPDX-License-Identifier: Apache-2.0

"""The list of stacks."""

from tests.unit import base


class StacksTest(base.HeatTestCase):
    def show(self, *stacks):
        self.answer_stacks(*stacks)
        return self.get(base.STACKS)

    def row_actions(self, stack):
        table = self.show(stack).context['table']
        return [each.name for each in table.get_row_actions(table.data[0])]

    def test_lock_is_shown_with_user_time_and_reason(self):
        answer = self.show(base.locked())
        self.assertContains(answer, 'fa-lock')
        self.assertContains(
            answer, 'Locked (level stacks) by alice since 2026-11-20 10:02 '
                    'UTC: db move')
        self.assertContains(answer, 'Lock Complete')

    def test_failed_lock_is_shown(self):
        self.assertContains(
            self.show(base.locked(lock_status='LOCK_FAILED')),
            'Lock Failed (level stacks) by alice')

    def test_reason_is_escaped(self):
        answer = self.show(base.locked(lock_reason='<b>"x"</b>'))
        self.assertNotContains(answer, '<b>"x')

    def test_delete_protection_is_shown(self):
        answer = self.show(base.stack(
            delete_protected=True, delete_protected_by='bob',
            delete_protection_reason='the only copy'))
        self.assertContains(answer, 'fa-shield')
        self.assertContains(
            answer, 'Protected from deletion by bob: the only copy')

    def test_list_sends_same_requests_as_horizon(self):
        self.show(base.locked(), base.stack('db', 'd0b0'))
        self.assertEqual([('GET', '/stacks', None)] * 2, self.requests())

    def test_unlocked_stack_can_be_locked_and_protected(self):
        self.assertEqual(
            ['check', 'suspend', 'resume', 'edit', 'delete', 'lock',
             'protect'], self.row_actions(base.stack()))

    def test_locked_stack_has_actions_of_locks(self):
        self.assertEqual(
            ['unlock', 'extend_lock', 'edit_lock', 'grant_pass',
             'protect'], self.row_actions(base.locked())[5:])

    def test_without_heat_extras_only_actions_of_horizon_are_shown(self):
        bare = {name: value for name, value in base.stack().items()
                if not name.startswith(('lock', 'delete_prot'))}
        self.assertEqual(['check', 'suspend', 'resume', 'edit', 'delete'],
                         self.row_actions(bare))


class UnlockTest(base.HeatTestCase):
    def setUp(self):
        super().setUp()
        self.answer('POST', f'/stacks/{base.WEB}/actions')

    def unlock(self, shown, since):
        pages = [[shown], [], [since], []]
        self.heat.register_uri('GET', base.HEAT + '/stacks', [
            {'headers': {'content-type': 'application/json'},
             'json': {'stacks': page}} for page in pages])
        answer = self.press(base.STACKS, 'stacks__unlock', '5c0e41d0')
        self.answer_stacks()
        return self.messages(answer)

    def sent(self):
        return [body for method, _path, body in self.requests()
                if method == 'POST']

    def test_unlock_removes_shown_lock(self):
        self.assertEqual(['Unlocked Stack: web'],
                         self.unlock(base.locked(), base.locked()))
        self.assertEqual([{'unlock': {'id': 'l0c4'}}], self.sent())

    def test_unlock_does_not_remove_later_lock(self):
        self.unlock(base.locked(), base.locked(lock_id='l0c5'))
        self.assertEqual([{'unlock': {'id': 'l0c4'}}], self.sent())

    def test_stack_that_was_shown_as_unlocked_is_not_unlocked(self):
        message, = self.unlock(base.stack(), base.locked())
        self.assertIn('Unable to unlock stack: web. The stack was locked '
                      'after this page was loaded', message)
        self.assertEqual([], self.sent())


class RejectedTest(base.HeatTestCase):
    def messages_of(self, action, **answers):
        self.answer_stacks(base.locked())
        self.answer('DELETE', '/stacks/5c0e41d0', **answers)
        self.answer('POST', '/stacks/5c0e41d0/actions', **answers)
        return self.messages(self.client.post(
            base.STACKS, {'action': f'stacks__{action}__5c0e41d0'}))

    def test_each_action_shows_error_of_heat(self):
        for name in ('delete', 'suspend', 'resume', 'check'):
            self.assertEqual(
                [f'Unable to {name} stack: web. {base.REFUSED}'],
                self.messages_of(name, **base.fault(409, base.REFUSED)), name)

    def test_reason_with_ellipsis_is_shown_completely(self):
        # Horizon hides the text after an ellipsis behind a link.
        self.assertEqual(
            ['Unable to delete stack: web. db move... wait for bob'],
            self.messages_of('delete', **base.fault(
                409, 'db move\u2026 wait for bob')))

    def test_one_error_is_shown_without_response(self):
        self.answer_stacks(base.locked())
        self.break_off('DELETE', '/stacks/5c0e41d0')
        message, = self.messages(self.client.post(
            base.STACKS, {'action': 'stacks__delete__5c0e41d0'}))
        self.assertIn('Unable to delete stack: web. ', message)

    def test_success_message_is_same_as_in_horizon(self):
        self.assertEqual(['Deleted Stack: web'],
                         self.messages_of('delete', status_code=204))

    def test_each_of_several_stacks_has_message(self):
        self.answer_stacks(
            base.locked(), base.stack('db', 'd0b0'))
        self.answer('DELETE', '/stacks/5c0e41d0',
                    **base.fault(409, base.REFUSED))
        self.answer('DELETE', '/stacks/d0b0', status_code=204)
        shown = self.messages(self.client.post(base.STACKS, {
            'action': 'stacks__delete', 'object_ids': ['5c0e41d0', 'd0b0']}))
        self.assertIn('Deleted Stack: db', shown)
        self.assertIn(f'Unable to delete stack: web. {base.REFUSED}', shown)


class ReaderTest(base.HeatTestCase):
    role = 'reader'

    def test_reader_has_no_buttons(self):
        self.answer_stacks(base.locked())
        table = self.get(base.STACKS).context['table']
        names = {each.name for each in table.get_row_actions(table.data[0])}
        self.assertEqual(set(), names & {
            'lock', 'unlock', 'extend_lock', 'edit_lock', 'grant_pass',
            'protect', 'unprotect'})
