# SPDX-License-Identifier: Apache-2.0

import threading

from heatclient import exc
import testtools

from heat_extras.client import error_message
from tests.unit.client import answers
from tests.unit.client import base


class AddNameTest(testtools.TestCase):

    def test_add_name_does_not_repeat_name(self):
        for text in ('Stack web (1f3a) is locked.', 'Stack web: no.',
                     'The Stack (web) could not be found.',
                     'Stack other (web) is locked.', 'Stack web.'):
            self.assertEqual(text,
                             error_message.add_name('stack', 'web', text))
        text = 'Stack web (1f3a) has no lock pass.'
        self.assertEqual(text, error_message.add_name('stack', 'web', text))
        text = 'Stack web (1f3a) is locked.'
        for name in '1f3a', 'web/1f3a':
            self.assertEqual(text, error_message.add_name('stack', name, text))

    def test_add_name_adds_missing_name(self):
        for name, text in (
                ('web', 'Busy.'), ('web', 'Stack web-2 is locked.'),
                ('w.b', 'Stack web is locked.'),
                ('(', 'Stack web is locked.')):
            self.assertEqual(f'stack {name}: {text}',
                             error_message.add_name('stack', name, text))

    def test_add_name_to_message_about_resource(self):
        text = 'The Resource (disk) could not be found in Stack web.'
        self.assertEqual(text,
                         error_message.add_name('resource', 'disk', text))
        self.assertEqual(f'resource 1: {text}',
                         error_message.add_name('resource', '1', text))


class DescribeTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(base.HeatServer())
        self.web = self.heat.add('web')

    def described(self, code, body, *explanations):
        self.web.refusal = code, body
        client = self.heat.session_client()
        error = self.assertRaises(
            exc.HTTPException, client.actions.suspend, 'web/' + self.web.id)
        return error_message.describe(error, *explanations)

    def test_fault_message_is_shown(self):
        self.assertEqual(
            'Stack web is locked (level all) by alice: "größer".',
            self.described(*base.fault(
                409, 'StackLocked',
                'Stack web is locked (level all) by alice: "größer".')))

    def test_control_sequences_are_escaped(self):
        self.assertEqual(r'a\x1b[2J b\u202ec', self.described(*base.fault(
            409, 'StackLocked', 'a\x1b[2J\n b\u202ec')))

    def test_fault_without_message_shows_explanation(self):
        code, body = base.fault(500, 'SomeError', '')
        self.assertEqual('A general sentence.', self.described(code, body))

    def test_missing_locks_are_reported_in_any_language(self):
        for name in ('Heat', 'Heat, of a protection',
                     'a Heat that speaks German',
                     'a Heat that speaks Japanese'):
            self.assertIn(error_message.MISSING_LOCKS,
                          self.described(*answers.OF_ACTIONS[name]), name)

    def test_missing_path_is_reported_as_missing_feature(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            text = self.described(*answer, 'missing')
            self.assertEqual(is_sure, 'missing' in text, name)
            self.assertNotIn('<', text)

    def test_unavailable_heat_is_not_a_missing_feature(self):
        for name, answer in answers.OF_NOBODY.items():
            text = self.described(*answer, 'missing')
            self.assertNotIn('(', text, name)
            self.assertNotIn('Base exception', text, name)

    def test_fault_of_request_is_not_a_missing_feature(self):
        for code in (400, 403, 404, 409):
            self.assertEqual('No.', self.described(
                *base.fault(code, 'SomeError', 'No.'), 'missing'))

    def test_html_page_of_proxy_is_shown_as_text(self):
        self.assertEqual('Bad gateway nginx', self.described(
            502, '<html><head><title>502</title></head>\n<body>'
                 '<h1>Bad gateway</h1><hr>nginx</body></html>'))

    def test_html_page_with_unclosed_tags_is_parsed_in_time(self):
        # To parse the whole text would take hours.
        thread = threading.Thread(target=error_message._without_tags,
                                  args=('<head' * 10 ** 6,), daemon=True)
        thread.start()
        thread.join(60)
        self.assertFalse(thread.is_alive())

    def test_empty_response_shows_http_status(self):
        self.assertEqual('the server answered with HTTP 503 and no message',
                         self.described(503, ''))

    def test_empty_response_shows_explanation_only(self):
        self.assertEqual('missing', self.described(404, '', 'missing'))
        self.assertEqual('the server answered with HTTP 404 and no message',
                         self.described(404, ''))

    def test_json_not_from_heat_shows_http_status(self):
        self.assertEqual('the server answered with HTTP 409 and no message',
                         self.described(409, {'reason': 'x'}))

    def test_connection_error_is_one_line(self):
        self.assertEqual('Cannot connect.', error_message.describe(
            exc.CommunicationError('Cannot\nconnect.')))
