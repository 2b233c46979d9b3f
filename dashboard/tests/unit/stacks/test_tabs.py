# SPDX-License-Identifier: Apache-2.0

"""The tab of guards, and the page of a stack that it is on."""

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

    def asked(self, path):
        return [each for each in self.requests() if each[1].endswith(path)]

    def test_it_tells_what_by_whom_why_and_who_lifts_it(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [GUARD]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': []})
        self.assertIn(
            'Lock web - db move alice 2026-11-20 10:02 UTC - update, delete '
            'openstack stack unlock web actions:unlock',
            self.open(base.locked()))

    def test_what_a_plugin_may_stop(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': [
            {**GUARD, 'kind': 'plugin', 'stops': [],
             'may_stop': ['update', 'suspend']}]})
        self.answer('GET', f'/stacks/{base.WEB}/events', {'events': []})
        self.assertIn(' may stop: update, suspend openstack ',
                      self.open(base.locked()))

    def test_heat_is_not_asked_before_it_is_opened(self):
        self.show(base.locked())
        self.assertEqual([], self.asked('/guards') + self.asked('/events'))

    def test_a_free_stack_costs_one_request(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', {'guards': []})
        self.open(base.stack())
        self.assertEqual(1, len(self.asked('/guards')))
        self.assertEqual([], self.asked('/events'))

    def test_signals_that_the_lock_has_ignored_are_told(self):
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

    def test_resources_that_could_not_be_protected_are_told(self):
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

    def test_a_heat_that_lists_none_is_told(self):
        self.answer('GET', f'/stacks/{base.WEB}/guards', status_code=404)
        self.assertIn('this Heat cannot list guards',
                      self.open(base.stack()))

    def test_a_heat_that_is_not_reached_is_told(self):
        self.break_off('GET', f'/stacks/{base.WEB}/guards')
        self.assertIn('Error: ', self.open(base.stack()))

    def test_the_page_has_our_buttons(self):
        self.assertIn('Unlock Stack', self.text(self.show(base.locked())))


class AnybodyTest(base.HeatTestCase):
    role = 'reader'

    def test_a_reader_may_ask_what_stops_others(self):
        self.answer('GET', '/stacks/5c0e41d0', {'stack': base.stack()})
        self.answer('GET', '/stacks/5c0e41d0/template', {'resources': {}})
        self.answer('GET', f'/stacks/{base.WEB}/resources',
                    {'resources': []})
        self.assertIn('Guards', self.text(self.get(urls.reverse(
            'horizon:project:stacks:detail', args=('5c0e41d0',)))))
