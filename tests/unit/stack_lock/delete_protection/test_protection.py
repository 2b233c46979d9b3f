# SPDX-License-Identifier: Apache-2.0

"""The protection from deletion in messages and fields of stacks."""

import dataclasses
import datetime
import types

import testtools

from heat_extras.stack_lock.delete_protection import protection

SINCE = datetime.datetime(2026, 11, 20, 10, 2, 11, 123456)
STACK = 'web (1234)'
KEPT = protection.Protection(
    id='5678', reason='the only copy', set_by='alice', set_by_id='a1',
    set_by_project='p1', rank='member', set_at=SINCE)


class ProtectionTest(testtools.TestCase):

    def test_rejection_names_user_reason_and_unprotect_command(self):
        self.assertEqual(
            'Stack web (1234) is protected from deletion by alice since '
            '2026-11-20T10:02:11Z: the only copy. To remove the protection: '
            'openstack stack unprotect web. Required policy: '
            'actions:unprotect.',
            KEPT.describe(STACK, 'web', 'p1'))

    def test_user_name_is_hidden_from_other_projects(self):
        self.assertNotIn('alice', KEPT.describe(STACK, 'web', 'p2'))
        self.assertIsNone(KEPT.public_fields('p2')['delete_protected_by'])

    def test_administrator_protection_names_override_policy(self):
        kept = protection.Protection(id='1', rank='admin', set_at=SINCE)
        self.assertIn(
            'Z. An administrator has set this protection. Required policy: '
            'actions:unprotect_override. To remove the protection: openstack '
            'stack unprotect web.', kept.describe(STACK, 'web', None))

    def test_rejection_by_tag_names_tag_and_root_stack(self):
        kept = protection.Protection(tag='keep')
        self.assertTrue(kept.is_set)
        text = kept.describe('web-in-x (12)', 'web', 'p1')
        self.assertIn("by the tag 'keep' of its root stack web", text)
        self.assertIn('Required policy: stacks:update.', text)
        self.assertNotIn('unprotect', text)

    def test_rejection_describes_protection_rather_than_tag(self):
        self.assertIn('by alice', dataclasses.replace(
            KEPT, tag='keep').describe(STACK, 'web', 'p1'))

    def test_remedy_for_resources_is_of_part_that_protects_them(self):
        both = dataclasses.replace(KEPT, tag='keep-all',
                                   tag_has_resources=True)
        lift = 'openstack stack update --existing --tags OTHER_TAGS web'
        self.assertEqual(lift, both.of_resources('web').how_to_lift)
        self.assertIn("'keep-all'", both.of_resources('web').name)
        self.assertIsNone(dataclasses.replace(
            both, tag_has_resources=False).of_resources('web'))
        self.assertIn('unprotect', dataclasses.replace(
            both, has_resources=True).of_resources('web').how_to_lift)

    def test_row_without_protection(self):
        row = types.SimpleNamespace(id=None, delete_protection_id=None)
        self.assertIs(protection.NONE, protection.Protection.from_row(row))
        self.assertFalse(protection.NONE.is_set)
        self.assertEqual(
            [False, False, None, None, None],
            [protection.NONE.public_fields('p1')[name]
             for name in protection.PUBLIC_FIELDS])

    def test_row_with_protection(self):
        row = types.SimpleNamespace(
            delete_protection_id='5678', id='5678', reason='the only copy',
            set_by='alice', set_by_id='a1', set_by_project='p1',
            rank='member', set_at=SINCE, level=None)
        self.assertEqual(KEPT, protection.Protection.from_row(row))
        self.assertEqual(
            [True, False, 'the only copy', 'alice', '2026-11-20T10:02:11Z'],
            [KEPT.public_fields('p1')[name]
             for name in protection.PUBLIC_FIELDS])

    def test_row_with_resources(self):
        row = types.SimpleNamespace(
            **{**dataclasses.asdict(KEPT), 'level': 'resources'},
            delete_protection_id='5678')
        kept = protection.Protection.from_row(row)
        self.assertEqual(dataclasses.replace(KEPT, has_resources=True), kept)
        self.assertEqual(
            'openstack stack unprotect web (required policy: '
            'actions:unprotect)', kept.of_resources('web').how_to_lift)
        self.assertIsNone(KEPT.of_resources('web'))
