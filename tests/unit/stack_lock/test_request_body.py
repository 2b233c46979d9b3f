# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.stack_lock import request_body


class FieldsTest(testtools.TestCase):
    def test_what_may_be_said(self):
        for found, wanted in ((None, {}), ({}, {}),
                              ({'level': 'all', 'reason': 'x',
                                'dry_run': True, 'replace': True},
                               {'named': {'level': 'all', 'reason': 'x'},
                                'dry_run': True, 'replace': True}),
                              ({'level': 'all', 'id': 'x'},
                               {'named': {'level': 'all'},
                                'expected': {'id': 'x'}}),
                              ({'reason': None, 'expires_at': None},
                               {'named': {'reason': None,
                                          'expires_at': None}}),
                              ({'id': None}, {'expected': {'id': None}})):
            self.assertEqual(wanted, request_body.fields(found))

    def test_what_is_no_object(self):
        for found, name in (('all', 'str'), ([], 'list'), (False, 'bool')):
            error = self.assertRaises(ValueError, request_body.fields, found)
            self.assertIn(f'found {name}, wanted null or an object',
                          str(error))

    def test_what_there_is_not(self):
        error = self.assertRaises(ValueError, request_body.fields,
                                  {'level': 'all', 'until': 1,
                                   'expected': {'id': None}})
        self.assertIn("'expected', 'until'", str(error))


class UnlockTest(testtools.TestCase):
    def test_what_may_be_said(self):
        self.assertEqual({}, request_body.fields_of_unlock(None))
        for found in 'x', None, 5:
            self.assertEqual({'expected': {'id': found}},
                             request_body.fields_of_unlock({'id': found}))

    def test_what_there_is_not(self):
        for found, said in (({}, 'it must be null'), (False, 'found bool'),
                            ({'id': 'x', 'level': 'all'}, "unknown 'level'; "
                             'wanted any of id')):
            error = self.assertRaises(ValueError,
                                      request_body.fields_of_unlock,
                                      found)
            self.assertIn('Invalid body of unlock: ' + said, str(error))


class PassTest(testtools.TestCase):
    def test_what_may_be_said(self):
        self.assertEqual({}, request_body.fields_of_pass(None))
        for found in ({'user': {'id': 'x'}, 'expires_at': 'x'},
                      {'user': 'x', 'expires_at': 5, 'reason': 'x'}):
            self.assertEqual(found, request_body.fields_of_pass(found))

    def test_what_there_is_not(self):
        for found, said in (
                ({}, 'found no user'), (False, 'found bool'),
                ({'user': {'id': 'x'}}, 'found no expires_at'),
                ({'user': None, 'expires_at': 'x'}, 'found no user'),
                ({'id': 'x'}, "unknown 'id'; wanted any of user, "
                 'expires_at, reason')):
            error = self.assertRaises(ValueError, request_body.fields_of_pass,
                                      found)
            self.assertIn('Invalid body of lock_pass: ' + said, str(error))


class ProtectionTest(testtools.TestCase):
    def test_what_may_be_said(self):
        for found, wanted in ((None, {}), ({}, {}),
                              ({'reason': 'x'},) * 2):
            self.assertEqual(wanted, request_body.fields_of_protection(found))

    def test_what_there_is_not(self):
        for found, said in ((True, 'body of protect: found bool'),
                            ({'level': 'all'}, "unknown 'level'; wanted any "
                             'of reason')):
            error = self.assertRaises(ValueError,
                                      request_body.fields_of_protection,
                                      found)
            self.assertIn(said, str(error))
