# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.sandbox import tokens


class ParseTest(testtools.TestCase):

    def test_user_and_role_are_parsed(self):
        self.assertEqual(tokens.Token('alice', ('member', 'reader')),
                         tokens.parse_token('alice:member'))

    def test_several_roles_are_parsed(self):
        self.assertEqual(
            tokens.Token('ops', ('admin', 'member', 'manager', 'reader')),
            tokens.parse_token('ops:admin,member'))

    def test_reader_implies_no_other_role(self):
        self.assertEqual(tokens.Token('eve', ('reader',)),
                         tokens.parse_token('eve:reader'))

    def test_is_admin_project_false_is_parsed(self):
        self.assertTrue(tokens.parse_token('ops:admin').is_admin_project)
        self.assertEqual(
            tokens.Token('eve', ('reader',), is_admin_project=False),
            tokens.parse_token('eve:reader:is_admin_project=False'))

    def test_token_without_roles_is_member(self):
        self.assertEqual(tokens.parse_token('bob:member'),
                         tokens.parse_token('bob'))

    def test_empty_token_is_user_demo(self):
        self.assertEqual(tokens.Token('demo', ('member', 'reader')),
                         tokens.parse_token(''))

    def test_notused_is_same_as_empty_token(self):
        self.assertEqual(tokens.parse_token(''), tokens.parse_token('notused'))

    def test_unknown_role_is_kept(self):
        self.assertEqual(tokens.Token('agent', ('heat_stack_user',)),
                         tokens.parse_token('agent:heat_stack_user'))

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

    def test_formatted_token_is_parsed_unchanged(self):
        for text in 'ops:admin', 'eve:reader:is_admin_project=False':
            token = tokens.parse_token(text)
            self.assertEqual(
                token, tokens.parse_token(tokens.format_token(token)))


class ProjectTest(testtools.TestCase):

    def test_project_is_the_part_after_the_version(self):
        self.assertEqual('blue', tokens.project_of_path('/v1/blue/stacks/web'))

    def test_project_of_cfn_signal_is_read_from_arn(self):
        for kind in ('signal', 'waitcondition'):
            self.assertEqual('blue', tokens.project_of_path(
                f'/v1/{kind}/arn:openstack:heat::blue:stacks/web/1'))

    def test_path_without_project_is_project_demo(self):
        for path in ('', '/', '/v1', '/v1/', '/other/blue'):
            self.assertEqual('demo', tokens.project_of_path(path))
