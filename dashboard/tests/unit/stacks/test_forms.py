# SPDX-License-Identifier: Apache-2.0

"""The form of an update: its plan, and why an update is rejected."""

import json
import re
from unittest import mock

from django import urls

from heat_extras_dashboard.stacks import forms
from tests.unit import base

TEMPLATE = {'heat_template_version': '2018-08-31'}
SECRET = 'hunter2-never-shown'
PREVIEW = f'/stacks/{base.WEB}/preview'
URL = '/stacks/5c0e41d0'
UPDATE = f'/stacks/{base.WEB}'
UPDATE_REFUSED = f'Unable to update stack: web. {base.REFUSED}'


def entry(path, action='updated', certainty='will', **more):
    return {'path': path, 'resource_name': path.rpartition('/')[2],
            'resource_type': 'OS::Heat::TestResource',
            'physical_resource_id': None, 'action': action,
            'certainty': certainty, 'order': None, 'reasons': [],
            'stops': [], **more}


def stop(kind='StackLocked', certainty='will', when='before_start',
         message=base.REFUSED):
    return {'type': kind, 'certainty': certainty, 'when': when,
            'message': message}


class UpdateTestCase(base.HeatTestCase):
    def setUp(self):
        super().setUp()
        self.answer('GET', URL, {'stack': base.stack()})
        self.answer('GET', URL + '/template', TEMPLATE)
        self.updated = self.answer('PUT', UPDATE, {}, 202)

    def plan(self, *entries, stops=(), **more):
        """Let Heat plan the update."""
        return self.answer('PUT', PREVIEW, {'resource_changes': {
            'updated': [], 'plan': entries, 'plan_stops': stops, **more}})

    def send(self, headers=None, **fields):
        """Press the button of the form."""
        return self.client.post(
            urls.reverse('horizon:project:stacks:edit_stack',
                         args=('5c0e41d0',)),
            {'stack_id': '5c0e41d0', 'stack_name': 'web',
             'timeout_mins': '60', 'password': 'secret',
             'parameters': json.dumps({
                 'Description': '', 'template': TEMPLATE, 'files': {},
                 'Parameters': {
                     'size': {'Type': 'Number', 'Default': 1},
                     'token': {'Type': 'String', 'NoEcho': 'true'}}}),
             '__param_size': '2', '__param_token': SECRET, **fields},
            **headers or {})

    def show_plan(self):
        """Press the button of the form; return the fingerprint."""
        plan, = re.findall('name="shown_plan" value="([^"]*)"',
                           self.send().content.decode())
        return plan

    def press_twice(self, **changed):
        """Press the button of the form, and of the form with the plan."""
        return self.send(shown_plan=self.show_plan(), **changed)


class PlanTest(UpdateTestCase):
    def test_first_submit_shows_plan_without_update(self):
        self.plan(
            entry('db', 'replaced', order='create_before_delete', reasons=[
                {'message': 'property "size" changes'}]),
            entry('nodes', 'unchanged'), entry('nodes/a', certainty='may'),
            entry('x', certainty='unknown'), entry('same', 'unchanged'))
        answer = self.send()
        text = self.text(answer)
        for each in (
                'Plan of the Update',
                '-/+ Replaced db OS::Heat::TestResource property "size" '
                'changes the new resource is created first',
                'Unchanged nodes ', '~? May be updated nodes/ a ',
                '? Not known x ', 'Nothing has been changed yet.',
                'Plan: 0 to add, 0 to update, 1 to replace, 0 to remove; '
                'possibly 1 to update; 2 unchanged, 1 unknown.'):
            self.assertIn(each, text)
        self.assertNotIn('same', text)
        self.assertContains(answer, 'type="submit" value="Update"')
        self.assertFalse(self.updated.called)

    def test_second_submit_starts_planned_update(self):
        planned = self.plan(entry('db'))
        answer = self.press_twice()
        self.assertRedirectsNoFollow(answer, str(base.STACKS))
        sent = self.updated.last_request
        self.assertEqual(planned.last_request.json(), sent.json())
        self.assertEqual({'size': 2, 'token': SECRET},
                         sent.json()['parameters'])
        self.assertEqual('secret', sent.headers['X-Auth-Key'])
        self.assertNotIn('X-Auth-Key', planned.last_request.headers)

    def test_update_contains_plan_if_all_engines_can_apply_it(self):
        source = {'revision': '7', 'salt': 's', 'hidden_parameters': {},
                  'seal': 'l'}
        planned = self.plan(entry('db', 'replaced'), entry('x', 'unchanged'),
                            plan_source=source)
        self.press_twice()
        self.assertEqual(
            {**planned.last_request.json(), 'converge': 'false with plan',
             'plan': {**source, 'digest': mock.ANY, 'changes': [
                 {'path': 'db', 'action': 'replaced', 'certainty': 'will'}]}},
            self.updated.last_request.json())

    def test_plan_includes_environment_and_rollback(self):
        more = {'environment_data': '{"parameters": {}}',
                'enable_rollback': 'on'}
        planned = self.plan(entry('db'))
        self.send(**more)
        body = planned.last_request.json()
        self.assertEqual((False, '{"parameters": {}}'),
                         (body['disable_rollback'], body['environment']))

    def test_changed_value_requires_new_plan(self):
        self.plan(entry('db'))
        self.assertIn('the values or the stack have changed', self.text(
            self.press_twice(__param_size='3')))
        self.assertFalse(self.updated.called)

    def test_changed_plan_is_shown_before_update(self):
        self.plan(entry('db'))
        plan = self.show_plan()
        self.plan(entry('db', 'replaced'))
        text = self.text(self.send(shown_plan=plan))
        self.assertIn('the values or the stack have changed', text)
        self.assertIn('-/+ Replaced db', text)
        self.assertFalse(self.updated.called)

    def test_different_message_does_not_change_plan(self):
        self.plan(entry('db', stops=[stop(certainty='may', message='at 1')]))
        plan = self.show_plan()
        self.plan(entry('db', stops=[stop(certainty='may', message='at 2')]))
        self.send(shown_plan=plan)
        self.assertTrue(self.updated.called)

    def test_invalid_fingerprint_of_plan_is_not_accepted(self):
        self.plan(entry('db'))
        self.send(shown_plan='yes')
        self.assertFalse(self.updated.called)

    def test_password_is_required_only_for_update(self):
        self.plan(entry('db'))
        self.assertIn('Updated db', self.text(self.send(password='')))
        answer = self.press_twice(password='')
        self.assertIn('This field is required.', self.text(answer))
        # The plan stays on the page.
        self.assertIn('Updated db', self.text(answer))
        self.assertFalse(self.updated.called)

    def test_password_is_not_in_page(self):
        self.plan(entry('db'))
        self.assertNotContains(self.send(password='pass-of-alice'),
                               'pass-of-alice')

    def test_hidden_values_are_only_in_their_field(self):
        self.plan(entry('db'))
        matches = re.findall('<[^<]*' + SECRET, self.send().content.decode())
        self.assertEqual(1, len(matches))
        self.assertIn('type="password" name="__param_token"', matches[0])

    def test_texts_are_escaped(self):
        self.plan(entry('<b>x', reasons=[{'message': '<i>y'}], stops=[
            stop(message='<u>z', certainty='may')]), stops=[
                stop(message='<s>w\x1b\u202e', certainty='may')])
        answer = self.send()
        for each in ('<b>x', '<i>y', '<u>z', '<s>w', '\x1b', '\u202e'):
            self.assertNotContains(answer, each)
        self.assertContains(answer, '&lt;b&gt;x')

    def test_message_if_update_has_no_changes(self):
        self.plan(entry('db', 'unchanged'))
        answer = self.send()
        self.assertIn('No resource would change. Plan: 0 to add, 0 to update, '
                      '0 to replace, 0 to remove; 1 unchanged.',
                      self.text(answer))
        self.assertNotIn('Change Resource Type Why', self.text(answer))

    def test_plan_is_shown_in_modal_window(self):
        self.plan(entry('db'))
        answer = self.send({'HTTP_X_REQUESTED_WITH': 'XMLHttpRequest'})
        self.assertContains(answer, 'Plan of the Update')
        self.assertNotContains(answer, '<html')


class StopsTest(UpdateTestCase):
    def test_update_that_would_be_rejected_cannot_be_started(self):
        self.plan(entry('db'), stops=[stop()])
        answer = self.press_twice()
        text = self.text(answer)
        self.assertIn('The update would be rejected before it starts. '
                      f'Stopped by StackLocked: {base.REFUSED}', text)
        self.assertContains(answer, 'type="submit" value="Plan Again"')
        self.assertContains(answer, 'disabled>Update</button>')
        self.assertFalse(self.updated.called)

    def test_reason_of_resource_that_stops_update_is_shown(self):
        self.plan(entry('db', stops=[stop('UpdatePolicyRestricted', message=(
            'not allowed'))]))
        answer = self.send()
        self.assertIn('Stopped by UpdatePolicyRestricted: not allowed',
                      self.text(answer))
        self.assertContains(answer, 'value="Plan Again"')

    def test_update_that_would_fail_has_button_update_anyway(self):
        self.plan(entry('db', stops=[stop('ResourceActionRestricted',
                                          when='during')]))
        answer = self.send()
        self.assertIn('The update would fail.', self.text(answer))
        self.assertContains(answer, 'value="Update Anyway"')
        self.press_twice()
        self.assertTrue(self.updated.called)

    def test_update_that_may_fail_can_be_started(self):
        self.plan(entry('db'), stops=[stop('LifecyclePluginNotAsked', 'may')])
        answer = self.send()
        self.assertIn('may be rejected, or may fail. May be stopped by '
                      'LifecyclePluginNotAsked', self.text(answer))
        self.press_twice()
        self.assertTrue(self.updated.called)


class RejectedTest(UpdateTestCase):
    def reject(self, **headers):
        self.plan(entry('db'))
        self.answer('PUT', UPDATE, **base.fault(409, base.REFUSED))
        plan = self.show_plan()
        return self.send(headers, shown_plan=plan)

    def test_page_shows_error_of_heat(self):
        answer = self.reject()
        self.assertEqual([UPDATE_REFUSED], [
            str(each) for each in answer.context['messages']])
        # The next press shows the plan anew.
        self.assertNotContains(answer, 'shown_plan')

    def test_modal_window_shows_error_of_heat(self):
        answer = self.reject(HTTP_X_REQUESTED_WITH='XMLHttpRequest')
        (tag, shown, _extra), = json.loads(answer['X-Horizon-Messages'])
        self.assertEqual(('error', UPDATE_REFUSED), (tag, shown))

    def test_error_of_rejected_preview_is_shown_without_update(self):
        self.answer('PUT', PREVIEW, **base.fault(
            400, 'The following parameters are immutable: size'))
        answer = self.send()
        self.assertEqual(
            ['Unable to plan update of stack: web. The following parameters '
             'are immutable: size'],
            [str(each) for each in answer.context['messages']])
        self.assertFalse(self.updated.called)

    def test_update_is_not_started_without_response(self):
        self.break_off('PUT', PREVIEW)
        self.send()
        self.heat.register_uri('PUT', base.HEAT + PREVIEW, text='<html>',
                               headers={'content-type': 'text/html'})
        self.assertIn('A proxy might have answered', self.text(self.send()))
        self.assertFalse(self.updated.called)


class WithoutPlanTest(UpdateTestCase):
    def test_update_starts_at_once_if_heat_cannot_plan(self):
        self.answer('PUT', PREVIEW, {'resource_changes': {'updated': []}})
        self.assertRedirectsNoFollow(self.send(), str(base.STACKS))
        self.assertTrue(self.updated.called)

    def test_password_is_required_at_once_if_heat_cannot_plan(self):
        self.answer('PUT', PREVIEW, {'resource_changes': {'updated': []}})
        answer = self.send(password='')
        self.assertIn('This field is required.', self.text(answer))
        self.assertNotIn('Plan of the Update', self.text(answer))
        self.assertFalse(self.updated.called)

    def test_update_starts_at_once_if_preview_is_forbidden(self):
        with mock.patch.object(forms.policy_checks, 'is_allowed',
                               return_value=False):
            self.send()
        self.assertTrue(self.updated.called)
