# SPDX-License-Identifier: Apache-2.0

"""heat-dashboard's page of stacks, with what is ours."""

from tests.unit import base


class StacksTest(base.HeatTestCase):
    def show(self, *stacks):
        self.answer_stacks(*stacks)
        return self.get(base.STACKS)

    def row_actions(self, found):
        table = self.show(found).context['table']
        return [each.name for each in table.get_row_actions(table.data[0])]

    def test_a_lock_is_seen_with_who_when_and_why(self):
        answer = self.show(base.locked())
        self.assertContains(answer, 'fa-lock')
        self.assertContains(
            answer, 'Locked (level stacks) by alice since 2026-11-20 10:02 '
                    'UTC: db move')
        self.assertContains(answer, 'Lock Complete')

    def test_a_lock_that_has_failed_is_seen(self):
        self.assertContains(
            self.show(base.locked(lock_status='LOCK_FAILED')),
            'Lock Failed (level stacks) by alice')

    def test_a_reason_is_no_markup(self):
        answer = self.show(base.locked(lock_reason='<b>"x"</b>'))
        self.assertNotContains(answer, '<b>"x')

    def test_protection_from_deletion_is_seen(self):
        answer = self.show(base.stack(
            delete_protected=True, delete_protected_by='bob',
            delete_protection_reason='the only copy'))
        self.assertContains(answer, 'fa-shield')
        self.assertContains(
            answer, 'Protected from deletion by bob: the only copy')

    def test_what_is_asked_of_heat_is_what_heat_dashboard_asks(self):
        self.show(base.locked(), base.stack('db', 'd0b0'))
        self.assertEqual([('GET', '/stacks', None)] * 2, self.requests())

    def test_a_free_stack_can_be_locked_and_protected(self):
        self.assertEqual(
            ['check', 'suspend', 'resume', 'edit', 'delete', 'lock',
             'protect'], self.row_actions(base.stack()))

    def test_a_locked_stack_can_be_unlocked(self):
        self.assertEqual(
            ['unlock', 'extend_lock', 'edit_lock', 'grant_pass',
             'protect'], self.row_actions(base.locked())[5:])

    def test_a_heat_without_heat_extras_is_as_before(self):
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

    def test_the_lock_that_was_shown_is_lifted(self):
        self.assertEqual(['Unlocked Stack: web'],
                         self.unlock(base.locked(), base.locked()))
        self.assertEqual([{'unlock': {'id': 'l0c4'}}], self.sent())

    def test_no_other_lock_is_lifted(self):
        self.unlock(base.locked(), base.locked(lock_id='l0c5'))
        self.assertEqual([{'unlock': {'id': 'l0c4'}}], self.sent())

    def test_what_was_shown_as_free_is_not_unlocked(self):
        told, = self.unlock(base.stack(), base.locked())
        self.assertIn('Unable to unlock stack: web. It was locked after '
                      'this page was loaded', told)
        self.assertEqual([], self.sent())


class RefusedTest(base.HeatTestCase):
    def told(self, action, **answers):
        self.answer_stacks(base.locked())
        self.answer('DELETE', '/stacks/5c0e41d0', **answers)
        self.answer('POST', '/stacks/5c0e41d0/actions', **answers)
        return self.messages(self.client.post(
            base.STACKS, {'action': f'stacks__{action}__5c0e41d0'}))

    def test_each_action_says_why(self):
        for name in ('delete', 'suspend', 'resume', 'check'):
            self.assertEqual(
                [f'Unable to {name} stack: web. {base.REFUSED}'],
                self.told(name, **base.fault(409, base.REFUSED)), name)

    def test_a_reason_with_an_ellipsis_is_not_cut(self):
        # Horizon hides what comes after one behind a link.
        self.assertEqual(
            ['Unable to delete stack: web. db move... wait for bob'],
            self.told('delete', **base.fault(409, 'db move\u2026 wait for '
                                                  'bob')))

    def test_a_heat_that_is_not_reached_is_told_once(self):
        self.answer_stacks(base.locked())
        self.break_off('DELETE', '/stacks/5c0e41d0')
        told, = self.messages(self.client.post(
            base.STACKS, {'action': 'stacks__delete__5c0e41d0'}))
        self.assertIn('Unable to delete stack: web. ', told)

    def test_what_is_accepted_is_told_as_before(self):
        self.assertEqual(['Deleted Stack: web'],
                         self.told('delete', status_code=204))

    def test_several_are_told_one_by_one(self):
        self.answer_stacks(
            base.locked(), base.stack('db', 'd0b0'))
        self.answer('DELETE', '/stacks/5c0e41d0',
                    **base.fault(409, base.REFUSED))
        self.answer('DELETE', '/stacks/d0b0', status_code=204)
        told = self.messages(self.client.post(base.STACKS, {
            'action': 'stacks__delete', 'object_ids': ['5c0e41d0', 'd0b0']}))
        self.assertIn('Deleted Stack: db', told)
        self.assertIn(f'Unable to delete stack: web. {base.REFUSED}', told)


class ReaderTest(base.HeatTestCase):
    role = 'reader'

    def test_a_reader_has_no_button_of_ours(self):
        self.answer_stacks(base.locked())
        table = self.get(base.STACKS).context['table']
        names = {each.name for each in table.get_row_actions(table.data[0])}
        self.assertEqual(set(), names & {
            'lock', 'unlock', 'extend_lock', 'edit_lock', 'grant_pass',
            'protect', 'unprotect'})
