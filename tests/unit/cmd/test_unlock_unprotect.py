# SPDX-License-Identifier: Apache-2.0

from heat_extras.cmd import manage
from heat_extras.db import migration
from tests.unit.cmd import base

TAG = '[heat_extras]\ndelete_protection_tag = keep\n'


class UnprotectTest(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)

    def test_protection_is_removed_with_event(self):
        self.database.add_protected_stack('1', name='db')
        self.database.add_protected_stack('2', name='web')
        self.assertEqual('Stack db (1) unprotected.\n',
                         self.run_command('unprotect', 'db'))
        self.assertEqual({'1': None, '2': 'of-2'}, {
            row['id']: row['delete_protection_id']
            for row in self.database.rows('stack')})
        event, = self.database.rows('event')
        self.assertEqual(
            ('1', 'db', 'UNPROTECT', 'COMPLETE'),
            (event['stack_id'], event['resource_name'],
             event['resource_action'], event['resource_status']))
        self.assertIn('by a cloud operator', event['resource_status_reason'])
        self.assertIn('Stack db (1) is not protected from deletion',
                      self.fail_command('unprotect', 'db'))

    def test_event_during_operation_does_not_end_it(self):
        self.database.add_protected_stack('1', status='IN_PROGRESS')
        self.run_command('unprotect', '1')
        self.assertEqual('IN_PROGRESS', self.database.rows('event')[0][
            'resource_status'])

    def test_tag_that_protects_stack_is_named(self):
        self.database.add_protected_stack('1', name='db')
        self.database.insert('stack_tag', {'stack_id': '1', 'tag': 'keep'})
        output = self.run_command('unprotect', 'db', more=TAG)
        self.assertIn('Stack db (1) unprotected.\nStack db (1) is protected '
                      'by the tag "keep". Remove the tag: openstack stack '
                      'update --existing --tags TAGS db, where', output)
        self.assertIn('If the stack is suspended, first resume it.', output)
        self.assertIn('is protected by the tag "keep"',
                      self.fail_command('unprotect', 'db', more=TAG))

    def test_tag_that_protects_resources_is_named(self):
        self.database.add_stack('1', name='db')
        self.database.insert('stack_tag', {'stack_id': '1',
                                           'tag': 'keep-all'})
        self.assertIn('is protected by the tag "keep-all"', self.fail_command(
            'unprotect', 'db', more=f'{TAG}resource_protection_tag = '
                                    'keep-all\n'))

    def test_unknown_ambiguous_or_nested_stack_is_rejected(self):
        self.database.add_protected_stack('1')
        self.database.add_protected_stack('2', tenant='other')
        self.database.add_stack('3', name='web-nested', owner_id='1')
        self.assertIn('run heat-extras-manage list-protected',
                      self.fail_command('unprotect', 'db'))
        self.assertIn("2 stacks have the name 'web'",
                      self.fail_command('unprotect', 'web'))
        self.assertIn('is nested in stack 1',
                      self.fail_command('unprotect', '3'))
