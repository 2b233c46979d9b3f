# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.sandbox import tokens


class ParseTest(testtools.TestCase):

    def test_valid_tokens_are_parsed(self):
        demo = tokens.Token('demo', ('member', 'reader'))
        for text, token in (
                ('alice:member', tokens.Token('alice', ('member', 'reader'))),
                ('ops:admin,member', tokens.Token(
                    'ops', ('admin', 'member', 'manager', 'reader'))),
                ('eve:reader', tokens.Token('eve', ('reader',))),
                ('eve:reader:is_admin_project=False', tokens.Token(
                    'eve', ('reader',), is_admin_project=False)),
                ('bob', tokens.Token('bob', ('member', 'reader'))),
                ('', demo), ('notused', demo),
                ('agent:heat_stack_user', tokens.Token(
                    'agent', ('heat_stack_user',)))):
            self.assertEqual(token, tokens.parse_token(text), text)
            self.assertEqual(
                token, tokens.parse_token(tokens.format_token(token)), text)

    def test_invalid_token_is_rejected(self):
        for token in (':', ':member', 'alice:', 'alice:member,',
                      'alice:,member', 'alice:member:admin', 'two words',
                      'alice: member', 'alice\n', 'x' * 65, '\xe9ve',
                      'alice:is_admin_project=False',
                      'alice:member:is_admin_project=True'):
            self.assertRaises(tokens.BadToken, tokens.parse_token, token)

    def test_error_has_token_and_expected_format(self):
        error = self.assertRaises(tokens.BadToken, tokens.parse_token, 'a:b:c')
        self.assertIn("'a:b:c'", str(error))
        self.assertIn('USER:ROLE', str(error))

    def test_error_truncates_long_token(self):
        error = self.assertRaises(tokens.BadToken, tokens.parse_token,
                                  'g' * 200)
        self.assertNotIn('g' * 41, str(error))


class ProjectTest(testtools.TestCase):

    def test_project_is_read_from_path(self):
        arn = 'arn:openstack:heat::blue:stacks/web/1'
        for path, project in (
                ('/v1/blue/stacks/web', 'blue'), (f'/v1/signal/{arn}', 'blue'),
                (f'/v1/waitcondition/{arn}', 'blue'), ('', 'demo'),
                ('/', 'demo'), ('/v1', 'demo'), ('/v1/', 'demo'),
                ('/other/blue', 'demo')):
            self.assertEqual(project, tokens.project_of_path(path), path)
