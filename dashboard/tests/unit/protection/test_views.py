# SPDX-License-Identifier: Apache-2.0

"""The pages of locks and delete protection."""

from django import urls

from tests.unit import base


def link(view):
    return urls.reverse(f'horizon:project:protection:{view}')


class LocksTest(base.HeatTestCase):
    def test_lock_is_shown_with_user_time_and_reason(self):
        self.answer('GET', '/locks', {'locks': [base.lock(
            expires_at='2026-12-24T18:00:00Z')]})
        text = self.text(self.get(base.INDEX))
        for each in ('web', 'Lock Complete', 'db move', 'alice',
                     '2026-11-20 10:02 UTC', '2026-12-24 18:00 UTC'):
            self.assertIn(each, text)

    def test_page_sends_one_request(self):
        self.answer('GET', '/locks', {'locks': [base.lock()]})
        self.get(base.INDEX)
        self.assertEqual([('GET', '/locks', None)], self.requests())

    def test_page_size_is_taken_from_user_settings(self):
        self.answer('GET', '/locks', {'locks': [
            base.lock(f's{number}', f'id{number}', id=f'lock{number:02}')
            for number in range(21)]})
        answer = self.get(base.INDEX)
        self.assertEqual(['21'],
                         self.heat.request_history[0].qs['limit'])
        self.assertEqual(20, len(answer.context['table'].data))
        self.assertContains(answer, 'lock_marker=lock19')

    def test_next_page_starts_after_marker(self):
        self.answer('GET', '/locks', {'locks': []})
        self.get(base.INDEX, lock_marker='lock19')
        self.assertEqual(['lock19'],
                         self.heat.request_history[0].qs['marker'])

    def test_filter_is_sent_to_heat(self):
        self.answer('GET', '/locks', {'locks': []})
        self.client.post(base.INDEX, {
            'locks__filter__q': 'all', 'locks__filter__q_field': 'level'})
        self.get(base.INDEX)
        self.assertEqual(['all'], self.heat.request_history[-1].qs['level'])

    def test_error_of_invalid_filter_is_shown(self):
        self.answer('GET', '/locks', **base.fault(
            400, 'Invalid query: level none is not valid'))
        self.assertContains(self.get(base.INDEX),
                            'level none is not valid')

    def test_message_if_heat_cannot_list_locks(self):
        self.answer('GET', '/locks', status_code=404)
        self.assertContains(self.get(base.INDEX),
                            'this Heat cannot list locks')

    def test_unlock_removes_shown_lock(self):
        self.answer('GET', '/locks', {'locks': [base.lock()]})
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        answer = self.press(base.INDEX, 'locks__unlock__5c0e41d0')
        self.assertIn('Unlocked Stack: web', self.messages(answer))
        self.assertIn(('POST', f'/stacks/{base.WEB}/actions',
                       {'unlock': {'id': 'l0c4'}}), self.requests())

    def test_unlock_does_not_remove_later_lock(self):
        self.heat.register_uri('GET', base.HEAT + '/locks', [
            {'headers': {'content-type': 'application/json'},
             'json': {'locks': [base.lock(id=each)]}}
            for each in ('l0c4', 'l0c5')])
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.press(base.INDEX, 'locks__unlock__5c0e41d0')
        self.assertIn(('POST', f'/stacks/{base.WEB}/actions',
                       {'unlock': {'id': 'l0c4'}}), self.requests())

    def test_error_is_shown_without_response(self):
        self.break_off('GET', '/locks')
        self.assertIn('Error: ', self.text(self.get(base.INDEX)))

    def test_unlock_of_several_stacks_shows_each_error(self):
        self.answer('GET', '/locks', {'locks': [
            base.lock(), base.lock('db', 'd0b0')]})
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(403, 'An administrator has locked it.'))
        self.answer('POST', '/stacks/db/d0b0/actions')
        shown = self.messages(self.press(
            base.INDEX, 'locks__unlock', '5c0e41d0', 'd0b0'))
        self.assertIn('Unlocked Stack: db', shown)
        self.assertIn('Unable to unlock stack: web. An administrator has '
                      'locked it.', shown)

    def test_lock_pass_is_shown_and_revoked(self):
        self.answer('GET', '/locks', {'locks': [base.lock(**{'pass': {
            'user': {'id': '0bd8'}, 'expires_at': '2026-12-24T18:00:00Z',
            'used_at': None}})]})
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.assertContains(self.get(base.INDEX),
                            '0bd8, until 2026-12-24 18:00 UTC')
        self.client.post(base.INDEX,
                         {'action': 'locks__revoke_pass__5c0e41d0'})
        self.assertIn(('POST', f'/stacks/{base.WEB}/actions',
                       {'lock_pass': None}), self.requests())

    def test_used_lock_pass_cannot_be_revoked(self):
        self.answer('GET', '/locks', {'locks': [base.lock(**{'pass': {
            'user': {'id': '0bd8'}, 'expires_at': '2026-12-24T18:00:00Z',
            'used_at': '2026-12-24T17:00:00Z'}})]})
        self.assertNotContains(self.get(base.INDEX),
                               'locks__revoke_pass__5c0e41d0')

    def test_pass_user_of_other_project_is_shown_as_unknown(self):
        self.answer('GET', '/locks', {'locks': [base.lock(**{'pass': {
            'user': None, 'expires_at': '2026-12-24T18:00:00Z',
            'used_at': None}})]})
        self.assertContains(self.get(base.INDEX), 'unknown user, until')


class ReaderTest(base.HeatTestCase):
    role = 'reader'

    def test_reader_sees_locks_without_buttons(self):
        self.answer('GET', '/locks', {'locks': [base.lock()]})
        answer = self.get(base.INDEX)
        self.assertIn('db move', self.text(answer))
        table = answer.context['table']
        self.assertEqual([], table.get_row_actions(table.data[0]))
        self.assertEqual(['filter'], [
            each.name for each in table.get_table_actions()])


class ProtectedTest(base.HeatTestCase):
    def test_protected_stacks_are_shown(self):
        self.answer_stacks(
            base.stack(delete_protected=True, delete_protected_by='bob',
                       delete_protection_reason='the only copy'),
            base.stack('db', 'd0b0'))
        text = self.text(self.get(link('deletion')))
        self.assertIn('the only copy', text)
        self.assertNotIn(' db ', text)

    def test_protection_is_removed(self):
        self.answer_stacks(
            base.stack(delete_protected=True))
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.client.post(link('deletion'),
                         {'action': 'protected__unprotect__5c0e41d0'})
        self.assertIn(('POST', f'/stacks/{base.WEB}/actions',
                       {'unprotect': None}), self.requests())


class StacksFormTest(base.HeatTestCase):
    def submit(self, view, stacks=(base.WEB,), only=None, **fields):
        url = link(view) + (f'?stack={only}' if only else '')
        return self.client.post(url, {'stacks': list(stacks), **fields})

    def sent(self):
        return [each for each in self.requests() if each[0] == 'POST']

    def test_only_unlocked_stacks_can_be_selected(self):
        self.answer_stacks(
            base.locked(), base.stack('db', 'd0b0'))
        form = self.get(link('lock')).context['form']
        self.assertEqual([('db/d0b0', 'db')], form.fields['stacks'].choices)

    def test_form_for_one_stack_sends_no_request(self):
        form = self.get(link('lock'), stack=base.WEB).context['form']
        self.assertEqual([(base.WEB, 'web')], form.fields['stacks'].choices)
        self.assertEqual([], self.requests())

    def test_invalid_stack_in_url_is_ignored(self):
        self.answer_stacks()
        form = self.get(link('lock'), stack='../../x?').context['form']
        self.assertEqual([], form.fields['stacks'].choices)

    def test_lock_does_not_replace_existing_lock(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions', {'lock': {}})
        answer = self.submit('lock', only=base.WEB, level='stacks',
                             reason='db move')
        self.assertRedirectsNoFollow(answer, str(base.INDEX))
        self.assertEqual([('POST', f'/stacks/{base.WEB}/actions', {
            'lock': {'level': 'stacks', 'reason': 'db move', 'id': None}})],
            self.sent())

    def test_lock_duration_is_sent_as_expiration(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions', {'lock': {}})
        self.submit('lock', only=base.WEB, level='stacks', duration='2h')
        self.assertRegex(self.sent()[0][2]['lock']['expires_at'],
                         r'^20\d\d-.*Z$')

    def test_invalid_duration_is_not_sent(self):
        answer = self.submit('lock', only=base.WEB, level='stacks',
                             duration='soon')
        self.assertContains(answer, 'expected days, hours')
        self.assertEqual([], self.sent())

    def test_edit_sends_lock_id_and_same_expiration(self):
        self.answer('GET', f'/stacks/{base.WEB}', {'stack': base.locked(
            lock_expires_at='2099-12-24T18:00:00Z')})
        only = base.WEB + '@l0c4'
        form = self.get(link('lock'), stack=only).context['form']
        self.assertEqual('db move', form['reason'].initial)
        self.answer('POST', f'/stacks/{base.WEB}/actions', {'lock': {}})
        self.submit('lock', [only], only, level='stacks',
                    expires_at=form['expires_at'].initial)
        self.assertEqual({'lock': {
            'level': 'stacks', 'replace': True, 'id': 'l0c4',
            'expires_at': '2099-12-24T18:00:00Z'}}, self.sent()[0][2])

    def test_edit_form_states_that_expiration_is_not_changed(self):
        self.answer('GET', f'/stacks/{base.WEB}', {'stack': base.locked(
            lock_expires_at='2099-12-24T18:00:00Z')})
        text = self.text(self.get(link('lock'), stack=base.WEB + '@l0c4'))
        self.assertIn('If empty, the expiration is not changed', text)
        self.assertIn('Edit Lock', text)

    def test_lock_of_deleted_stack_cannot_be_edited(self):
        self.answer('GET', f'/stacks/{base.WEB}',
                    **base.fault(404, 'The Stack (web) could not be found.'))
        answer = self.client.get(link('lock'), {'stack': base.WEB + '@l0c4'})
        self.assertRedirectsNoFollow(answer, str(base.INDEX))

    def test_lock_of_stack_locked_after_page_load_is_rejected(self):
        self.answer_stacks(base.locked(), base.stack('db', 'd0b0'))
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(409, base.REFUSED))
        self.answer('POST', '/stacks/db/d0b0/actions', {'lock': {}})
        self.answer('GET', '/locks', {'locks': []})
        shown = self.messages(self.submit(
            'lock', [base.WEB, 'db/d0b0'], level='stacks'))
        self.assertIn('Locked Stacks: db', shown)
        self.assertIn(f'Unable to lock stack: web. {base.REFUSED}', shown)

    def test_invalid_stack_is_not_sent(self):
        self.answer_stacks()
        self.submit('lock', ['../x?'], level='stacks')
        self.assertEqual([], self.sent())

    def test_level_all_is_not_confirmed_if_dry_run_is_rejected(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(403, base.REFUSED))
        answer = self.submit('lock', only=base.WEB, level='all')
        text = self.text(answer)
        self.assertIn(f'Unable to lock stack: web. {base.REFUSED}', text)
        self.assertNotIn('have no resources', text)
        self.assertFalse(answer.context['form']['confirmed'].value())

    def test_only_stacks_with_successful_dry_run_are_confirmed(self):
        self.answer_stacks(base.stack(), base.stack('db', 'd0b0'))
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(403, base.REFUSED))
        self.answer('POST', '/stacks/db/d0b0/actions', {'lock': {
            'level': 'all', 'resources': []}})
        answer = self.submit('lock', [base.WEB, 'db/d0b0'], level='all')
        self.assertEqual(['db/d0b0'],
                         answer.context['form']['stacks'].value())

    def test_level_all_must_be_confirmed_again_after_error(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(409, base.REFUSED))
        answer = self.submit('lock', only=base.WEB, level='all',
                             confirmed='yes')
        self.assertFalse(answer.context['form']['confirmed'].value())

    def test_locked_stacks_are_shown_after_lost_connection(self):
        self.answer_stacks(base.stack(), base.stack('db', 'd0b0'))
        self.answer('POST', '/stacks/db/d0b0/actions', {'lock': {}})
        self.break_off('POST', f'/stacks/{base.WEB}/actions')
        self.answer('GET', '/locks', {'locks': []})
        shown = self.messages(self.submit(
            'lock', ['db/d0b0', base.WEB], level='stacks'))
        self.assertIn('Locked Stacks: db', shown)
        self.assertIn('Unable to lock stack: web', str(shown))

    def test_level_all_shows_resources_before_lock(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions', {'lock': {
            'level': 'all', 'resources': [
                {'resource_name': 'server', 'resource_type':
                 'OS::Nova::Server', 'stack_name': 'web',
                 'lock_protection': 'protected',
                 'lock_protection_reason': None},
                {'resource_name': 'port', 'resource_type':
                 'OS::Neutron::Port', 'stack_name': 'web',
                 'lock_protection': 'no_lock_api',
                 'lock_protection_reason': 'Neutron has no lock'}]}})
        answer = self.submit('lock', only=base.WEB, level='all',
                             reason='db move')
        text = self.text(answer)
        self.assertIn('server OS::Nova::Server Protected', text)
        self.assertIn('port OS::Neutron::Port Not protected Neutron has no '
                      'lock', text)
        self.assertEqual([{'lock': {'level': 'all', 'dry_run': True}}],
                         [body for _method, _path, body in self.sent()])
        form = answer.context['form']
        self.submit('lock', only=base.WEB, **{
            name: form[name].value() or '' for name in form.fields
            if name != 'stacks'})
        self.assertEqual({'lock': {'level': 'all', 'reason': 'db move',
                                   'id': None}}, self.sent()[-1][2])

    def test_each_of_several_stacks_has_message(self):
        self.answer_stacks(
            base.stack(), base.stack('db', 'd0b0'))
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(409, base.REFUSED))
        self.answer('POST', '/stacks/db/d0b0/actions', {'lock': {}})
        self.answer('GET', '/locks', {'locks': []})
        shown = self.messages(self.submit(
            'lock', [base.WEB, 'db/d0b0'], level='stacks'))
        self.assertIn('Locked Stacks: db', shown)
        self.assertIn(f'Unable to lock stack: web. {base.REFUSED}', shown)

    def test_form_is_shown_again_if_lock_is_rejected(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions',
                    **base.fault(409, base.REFUSED))
        answer = self.submit('lock', only=base.WEB, level='stacks')
        self.assertEqual(200, answer.status_code)
        self.assertIn(base.REFUSED, self.text(answer))

    def test_empty_duration_removes_expiration(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        only = base.WEB + '@l0c4'
        self.submit('extend', [only], only)
        self.assertEqual({'extend_lock': {'expires_at': None,
                                          'id': 'l0c4'}}, self.sent()[0][2])

    def test_lock_pass_form_lists_only_eligible_stacks(self):
        self.answer_stacks(
            base.stack(), base.locked('a', 'a1', lock_level='all'),
            base.locked('b', 'b1', lock_pass={'user': None}),
            base.locked('c', 'c1'))
        form = self.get(link('pass')).context['form']
        self.assertEqual([('c/c1@l0c4', 'c')],
                         form.fields['stacks'].choices)

    def test_lock_pass_for_user_name_has_domain(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.submit('pass', only=base.WEB, user='ann', domain='Default',
                    duration='30m', reason='CHG-1')
        lock_pass = self.sent()[0][2]['lock_pass']
        self.assertEqual({'name': 'ann', 'domain': 'Default'},
                         lock_pass['user'])
        self.assertEqual('CHG-1', lock_pass['reason'])

    def test_protect_sends_reason(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.submit('protect', only=base.WEB, reason='the only copy')
        self.assertEqual({'protect': {'reason': 'the only copy'}},
                         self.sent()[0][2])

    def test_protect_sends_resources(self):
        self.answer('POST', f'/stacks/{base.WEB}/actions')
        self.submit('protect', only=base.WEB, resources='on')
        self.assertEqual({'protect': {'resources': True}}, self.sent()[0][2])
