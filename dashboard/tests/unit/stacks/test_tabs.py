# SPDX-License-Identifier: Apache-2.0

"""The tab *Guards* of a stack."""

from django import urls

from tests.unit import base

GUARD = {'kind': 'lock', 'stack_id': '5c0e41d0', 'stack_name': 'web',
         'name': None, 'stops': ['update', 'delete'], 'set_by': 'alice',
         'set_at': '2026-11-20T10:02:11Z', 'reason': 'db move',
         'lifted_by': 'actions:unlock',
         'how_to_lift': 'openstack stack unlock web', 'expires_at': None}


class GuardsTest(base.HeatTestCase):
    def show(self, stack, **query):
        self.answer('GET', '/stacks/5c0e41d0', {'stack': stack})
        self.answer('GET', '/stacks/5c0e41d0/template', {'resources': {}})
        self.answer('GET', f'/stacks/{base.WEB}/resources',
                    {'resources': []})
        return self.get(urls.reverse('horizon:project:stacks:detail',
                                     args=('5c0e41d0',)), **query)

    def open(self, stack):
        return self.text(self.show(stack, tab='stack_details__guards'))

    def requests_to(self, path):
        return [each for each in self.requests() if each[1].endswith(path)]

    def test_guard_is_shown_with_user_reason_and_remedy(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [GUARD]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': []})
        self.assertIn(
            'Lock web - db move alice 2026-11-20 10:02 UTC - update, delete '
            'openstack stack unlock web actions:unlock',
            self.open(base.locked()))

    def test_operations_that_plugin_may_stop_are_shown(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [
            {**GUARD, 'kind': 'plugin', 'stops': [],
             'may_stop': ['update', 'suspend']}]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': []})
        self.assertIn(' may stop: update, suspend openstack ',
                      self.open(base.locked()))

    def test_closed_tab_sends_no_request(self):
        self.show(base.locked())
        for path in ('/guards', '/events'):
            self.assertEqual([], self.requests_to(path))

    def test_tab_of_unlocked_stack_sends_one_request(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': []})
        self.open(base.stack())
        self.assertEqual(1, len(self.requests_to('/guards')))
        self.assertEqual([], self.requests_to('/events'))

    def test_ignored_signals_are_shown(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [GUARD]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': [
            {'id': '1', 'resource_name': 'scale_up', 'event_time':
             '2026-11-20T11:00:00Z', 'resource_status_reason':
             'Signal ignored: the stack is locked'},
            {'id': '2', 'resource_name': 'before', 'event_time':
             '2026-11-19T11:00:00Z', 'resource_status_reason': 'Signal'}]})
        text = self.open(base.locked())
        self.assertIn('scale_up 2026-11-20 11:00 UTC: Signal', text)
        self.assertNotIn('before', text)

    def test_unprotected_resources_are_shown(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [GUARD]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': []})
        stack = base.locked(lock_level='all')
        self.show(stack)
        self.answer('GET', f'/stacks/{base.WEB}/resources', {'resources': [
            {'resource_name': 'server', 'lock_protection': 'failed',
             'lock_protection_reason': 'Nova said no'},
            {'resource_name': 'other', 'lock_protection': 'protected',
             'lock_protection_reason': None}]})
        text = self.text(self.get(
            urls.reverse('horizon:project:stacks:detail',
                         args=('5c0e41d0',)), tab='stack_details__guards'))
        self.assertIn('server Nova said no', text)

    def test_message_if_heat_cannot_list_guards(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', status_code=404)
        self.assertIn('this Heat cannot list guards',
                      self.open(base.stack()))

    def test_error_is_shown_without_response(self):
        self.break_off('GET', f'/stacks/{base.WEB}/guards')
        self.assertIn('Error: ', self.open(base.stack()))

    def test_page_of_stack_has_buttons(self):
        self.assertIn('Unlock Stack', self.text(self.show(base.locked())))


class ReaderTest(base.HeatTestCase):
    role = 'reader'

    def test_reader_has_tab(self):
        self.answer('GET', '/stacks/5c0e41d0', {'stack': base.stack()})
        self.answer('GET', '/stacks/5c0e41d0/template', {'resources': {}})
        self.answer('GET', f'/stacks/{base.WEB}/resources',
                    {'resources': []})
        self.assertIn('Guards', self.text(self.get(urls.reverse(
            'horizon:project:stacks:detail', args=('5c0e41d0',)))))
