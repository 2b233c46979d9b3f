# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.stack_lock import body


class FieldsTest(testtools.TestCase):
    def test_what_may_be_said(self):
        for found, wanted in ((None, {}), ({}, {}),
                              ({'level': 'all', 'reason': 'x',
                                'dry_run': True},) * 2):
            self.assertEqual(wanted, body.fields(found))

    def test_what_is_no_object(self):
        for found, name in (('all', 'str'), ([], 'list'), (False, 'bool')):
            error = self.assertRaises(ValueError, body.fields, found)
            self.assertIn(f'found {name}, wanted null or an object',
                          str(error))

    def test_what_there_is_not(self):
        error = self.assertRaises(ValueError, body.fields,
                                  {'level': 'all', 'until': 1, 'id': 2})
        self.assertIn("'id', 'until'", str(error))


class ProtectionTest(testtools.TestCase):
    def test_what_may_be_said(self):
        for found, wanted in ((None, {}), ({}, {}),
                              ({'reason': 'x'},) * 2):
            self.assertEqual(wanted, body.fields_of_protection(found))

    def test_what_there_is_not(self):
        for found, said in ((True, 'body of protect: found bool'),
                            ({'level': 'all'}, "unknown 'level'; wanted any "
                             'of reason')):
            error = self.assertRaises(ValueError, body.fields_of_protection,
                                      found)
            self.assertIn(said, str(error))
