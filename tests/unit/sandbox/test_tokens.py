# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.sandbox import tokens


class ParseTest(testtools.TestCase):

    def test_user_and_role(self):
        self.assertEqual(tokens.Token('alice', ('member', 'reader')),
                         tokens.parse_token('alice:member'))

    def test_several_roles(self):
        self.assertEqual(
            tokens.Token('ops', ('admin', 'member', 'manager', 'reader')),
            tokens.parse_token('ops:admin,member'))

    def test_reader_implies_nothing(self):
        self.assertEqual(tokens.Token('eve', ('reader',)),
                         tokens.parse_token('eve:reader'))

    def test_one_for_another_project_than_the_admin_project(self):
        self.assertTrue(tokens.parse_token('ops:admin').is_admin_project)
        self.assertEqual(
            tokens.Token('eve', ('reader',), is_admin_project=False),
            tokens.parse_token('eve:reader:is_admin_project=False'))

    def test_without_roles_it_is_a_member(self):
        self.assertEqual(tokens.parse_token('bob:member'),
                         tokens.parse_token('bob'))

    def test_without_a_token_it_is_demo(self):
        self.assertEqual(tokens.Token('demo', ('member', 'reader')),
                         tokens.parse_token(''))

    def test_what_openstack_sends_for_no_authentication_is_no_token(self):
        self.assertEqual(tokens.parse_token(''), tokens.parse_token('notused'))

    def test_a_role_that_keystone_does_not_know_is_taken_as_it_is(self):
        self.assertEqual(tokens.Token('agent', ('heat_stack_user',)),
                         tokens.parse_token('agent:heat_stack_user'))

    def test_garbage_is_refused(self):
        for token in (':', ':member', 'alice:', 'alice:member,',
                      'alice:,member', 'alice:member:admin', 'two words',
                      'alice: member', 'alice\n', 'x' * 65, '\xe9ve',
                      'alice:is_admin_project=False',
                      'alice:member:is_admin_project=True'):
            self.assertRaises(tokens.BadToken, tokens.parse_token, token)

    def test_refusal_says_found_and_wanted(self):
        error = self.assertRaises(tokens.BadToken, tokens.parse_token, 'a:b:c')
        self.assertIn("'a:b:c'", str(error))
        self.assertIn('USER:ROLE', str(error))

    def test_refusal_does_not_repeat_a_long_token(self):
        error = self.assertRaises(tokens.BadToken, tokens.parse_token,
                                  'g' * 200)
        self.assertNotIn('g' * 41, str(error))

    def test_written_token_reads_the_same(self):
        for text in 'ops:admin', 'eve:reader:is_admin_project=False':
            token = tokens.parse_token(text)
            self.assertEqual(
                token, tokens.parse_token(tokens.format_token(token)))


class ProjectTest(testtools.TestCase):

    def test_project_is_the_part_after_the_version(self):
        self.assertEqual('blue', tokens.project_of_path('/v1/blue/stacks/web'))

    def test_a_signal_of_the_cfn_api_names_it_in_its_arn(self):
        for kind in ('signal', 'waitcondition'):
            self.assertEqual('blue', tokens.project_of_path(
                f'/v1/{kind}/arn:openstack:heat::blue:stacks/web/1'))

    def test_without_a_project_it_is_demo(self):
        for path in ('', '/', '/v1', '/v1/', '/other/blue'):
            self.assertEqual('demo', tokens.project_of_path(path))
