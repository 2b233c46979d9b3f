# SPDX-License-Identifier: Apache-2.0

"""Walkthroughs of a member, a reader and an administrator."""

import json

from tests.dashboard import base
from tests.dashboard.base import FORM
from tests.dashboard.base import LOCKS
from tests.dashboard.base import STACKS
from tests.dashboard.base import TABLE

REASON = 'the database moves'


class MemberWalkthroughTest(base.DashboardTestCase):
    template = base.TEMPLATE

    def setUp(self):
        super().setUp()
        self.path = self.make('web', self.template)
        self.log_in('alice')

    def since(self):
        return self.shown('locked_at')[:16].replace('T', ' ') + ' UTC'

    def shown(self, field):
        return self.alice.show_stack(self.path)[field]


class LockWalkthroughTest(MemberWalkthroughTest):
    template = base.WITH_SERVER

    def test_lock_and_unlock_stack(self):
        page = self.browser
        page.go(STACKS)
        page.act('web', 'Lock Stack')
        page.fill(level='all', reason=REASON, duration='2h')
        page.picture('lock')
        self.assert_clean(FORM)
        page.submit()
        # The form first lists the resources.
        page.wait_for_text('OS::Nova::Server Protected', FORM)
        page.wait_for_text('OS::Heat::RandomString Not protected', FORM)
        page.picture('coverage')
        self.assert_clean(FORM)
        page.submit()
        page.wait_for_text('Locked Stacks: web')
        self.wait_for('the lock', lambda: self.shown('lock_status'),
                      lambda value: value == 'LOCK_COMPLETE')
        page.go(STACKS)
        icon = page.find('td .fa-lock')
        self.assertIn(f'by alice since {self.since()}: {REASON}', (
            icon.get_attribute('data-original-title')
            or icon.get_attribute('title')))
        page.picture('stacks')
        self.assert_clean(TABLE)
        for action, text in (
                ('Delete Stack', 'Unable to delete stack: web.'),
                ('Suspend Stack', 'Unable to suspend stack: web.'),
                ('Check Stack', 'Unable to check stack: web.')):
            page.act('web', action)
            if action == 'Delete Stack':
                page.confirm()
            page.wait_for_text(text)
            message = page.message()
            self.assertIn('by alice since', message)
            self.assertIn(REASON, message)
            self.assertIn('openstack stack unlock web', message)
            if action == 'Delete Stack':
                page.picture('refused')
            page.go(STACKS)
        page.go(LOCKS)
        for text in (REASON, 'alice', 'Lock Complete'):
            page.wait_for_text(text)
        page.picture('locks')
        self.assert_clean(TABLE)
        page.act('web', 'Unlock Stack')
        page.wait_for_text('Unlocked Stack: web')
        self.wait_for('the end of the lock', lambda: self.shown('lock_level'),
                      lambda value: value is None)


class GuardsWalkthroughTest(MemberWalkthroughTest):
    def test_guards_tab_of_stack(self):
        self.act(self.path, 'protect', {'reason': 'the only copy'})
        self.act(self.path, 'lock', {'level': 'stacks', 'reason': REASON})
        page = self.browser
        page.go(STACKS)
        page.row('web').find_element('link text', 'web').click()
        page.find('a[href*="stack_details__guards"]').click()
        page.wait_for_text('openstack stack unlock web')
        for text in ('Lock', 'Delete Protection', REASON, 'the only copy',
                     'actions:unlock', 'actions:unprotect'):
            self.assertIn(text, page.text())
        page.picture('guards')
        self.assert_clean(TABLE)

    def test_change_lock_and_grant_and_revoke_lock_pass(self):
        self.act(self.path, 'lock', {'level': 'stacks', 'reason': REASON})
        page = self.browser
        page.go(LOCKS)
        page.act('web', 'Change Expiration of Lock')
        page.fill(duration='1d')
        page.submit()
        page.wait_for_text('Changed Expiration of Locks: web')
        self.assertIsNotNone(self.shown('lock_expires_at'))
        page.act('web', 'Grant Lock Pass')
        page.fill(user='bob', domain='Default', duration='2h',
                  reason='CHG-1042')
        page.picture('pass')
        self.assert_clean(FORM)
        page.submit()
        page.wait_for_text('Granted Lock Passes: web')
        page.wait_for_text('bob, until')
        page.act('web', 'Revoke Lock Pass')
        page.wait_for_text('Revoked Lock Pass: web')
        before = self.shown('lock_expires_at')
        page.act('web', 'Edit Lock')
        page.fill(reason='it still moves')
        page.submit()
        page.wait_for_text('it still moves')
        self.assertEqual(before, self.shown('lock_expires_at'))

    def test_protect_stack_from_deletion(self):
        page = self.browser
        page.go(LOCKS + 'deletion')
        page.find('#protected__action_protect_several').click()
        page.fill(stacks='web/' + self.path.rpartition('/')[2],
                  reason='the only copy')
        self.assert_clean(FORM)
        page.submit()
        page.wait_for_text('Protected Stacks from Deletion: web')
        page.wait_for_text('the only copy')
        page.picture('protected')
        self.assert_clean(TABLE)
        page.go(STACKS)
        page.act('web', 'Delete Stack')
        page.confirm()
        page.wait_for_text('is protected from deletion by alice')
        page.act('web', 'Allow Deletion')
        page.wait_for_text('Allowed Deletion: web')


class PlanWalkthroughTest(MemberWalkthroughTest):
    # The fields between are Horizon's: its spinners have buttons without name.
    parts = ('.modal-header', '#update_plan', '.modal-footer')
    changed = {**base.TEMPLATE, 'resources': {
        **base.TEMPLATE['resources'],
        'other': {'type': 'OS::Heat::RandomString'}}}

    def open_form(self):
        """Open the second form of *Change Stack Template*."""
        page = self.browser
        page.go(STACKS)
        page.act('web', 'Change Stack Template')
        page.fill(template_source='raw',
                  template_data=json.dumps(self.changed))
        page.submit()
        page.wait_for_text('Update Stack', FORM)

    def press(self, label='Update'):
        self.browser.find(f'input[value="{label}"]').click()

    def test_update_is_planned_and_started_as_planned(self):
        page = self.browser
        self.open_form()
        page.fill(__param_length='9')
        self.press()
        page.wait_for_text('+ Added other OS::Heat::RandomString', FORM)
        page.wait_for_text('-/+ Replaced password', FORM)
        page.wait_for_text('Plan: 1 to add, 0 to update, 1 to replace', FORM)
        page.picture('plan')
        self.assert_clean(*self.parts)
        page.fill(__param_length='10', password='alice-secret')
        self.press()
        page.wait_for_text('The update has not started', FORM)
        self.assertIsNone(self.shown('updated_time'))
        self.assert_clean(*self.parts)
        page.fill(password='alice-secret')
        self.press()
        page.wait_for_text('Stack update started.')
        self.wait_for('the update', lambda: self.shown('stack_status'),
                      lambda value: value == 'UPDATE_COMPLETE')

    def test_plan_shows_that_lock_rejects_update(self):
        self.act(self.path, 'lock', {'level': 'stacks', 'reason': REASON})
        page = self.browser
        self.open_form()
        self.press()
        page.wait_for_text('The update would be rejected', FORM)
        page.wait_for_text(REASON, FORM)
        self.assertIn('by alice since', page.text(FORM))
        self.assertEqual(['Update'], [
            each.text for each in page.shown('.modal button[disabled]')])
        self.assert_clean(*self.parts)
        # An unlocked stack can be updated with the same form.
        self.act(self.path, 'unlock')
        self.press('Plan Again')
        page.wait_for_text('Nothing has been changed yet.', FORM)


class ReaderWalkthroughTest(base.DashboardTestCase):
    def test_reader_sees_locks_without_buttons(self):
        path = self.make('web')
        self.act(path, 'lock', {'level': 'stacks', 'reason': REASON})
        self.log_in('eve')
        page = self.browser
        page.go(STACKS)
        page.find('td .fa-lock')
        self.assertEqual(set(), set(page.actions('web')) & {
            'Unlock Stack', 'Edit Lock', 'Change Expiration of Lock',
            'Grant Lock Pass',
            'Delete Stack', 'Protect from Deletion'})
        page.go(LOCKS)
        page.wait_for_text(REASON)
        self.assertEqual({}, page.actions('web'))
        self.assertEqual([], page.shown('#locks__action_lock_several'))
        page.picture('reader')
        self.assert_clean(TABLE)


class AdministratorWalkthroughTest(base.DashboardTestCase):
    def test_administrator_sees_locks_of_all_projects(self):
        path = self.make('web')
        self.act(path, 'lock', {'level': 'stacks', 'reason': REASON},
                 client=self.client('ops'))
        self.log_in('ops')
        page = self.browser
        page.go('/admin/protection/')
        for text in ('demo', 'web', REASON, 'ops'):
            page.wait_for_text(text)
        page.picture('admin')
        self.assert_clean(TABLE)

    def test_member_cannot_remove_administrator_lock(self):
        path = self.make('web')
        self.act(path, 'lock', {'level': 'stacks', 'reason': REASON},
                 client=self.client('ops'))
        self.log_in('alice')
        page = self.browser
        page.go(LOCKS)
        page.act('web', 'Unlock Stack')
        page.wait_for_text('Unable to unlock stack: web.')
        self.assertIn('administrator', page.message())
