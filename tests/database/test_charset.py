# SPDX-License-Identifier: Apache-2.0
"""Texts are made storable on each database."""

from unittest import mock

from heat.db import models

from heat_extras.db import charset
from heat_extras.db import models as our_models
from heat_extras.health import service
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from tests.database import base
from tests.harness import databases

EMOJI = '\U0001f512'
BAD = ('a\0', 'a\ud800', 'a\x1b[2J')
LONG = '数' * 70_000
NAMES = {'sqlite': (), 'postgresql': ('UTF8',),
         'mariadb_three_bytes': ('utf8mb3', 'utf8mb4')}


class CharsetTest(base.DatabaseTest):

    scenarios = [*databases.ONE_ISOLATION, databases.THREE_BYTES]

    def setUp(self):
        super().setUp()
        self.takes_emoji = self.kind != 'mariadb_three_bytes'
        self.root = self.stacks.add_stack()

    def written(self, text):
        """Return a text as it is read after it was stored."""
        return (text if self.takes_emoji
                else text.replace(EMOJI, r'\U0001f512'))

    def test_charsets_of_database(self):
        self.assertEqual(NAMES.get(self.kind, ('utf8mb4',)),
                         charset.get_charsets(self.engine))

    def test_reason_that_is_not_storable_is_rejected(self):
        lock_request.validate_fields({'reason': 'Grüße 数据库'})
        for text in BAD if self.takes_emoji else (*BAD, EMOJI):
            error = self.assertRaises(
                errors.StackLockInvalid, lock_request.validate_fields,
                {'reason': text})
            self.assertIn('Invalid lock reason: character U+', str(error))
        if self.takes_emoji:
            lock_request.validate_fields({'reason': EMOJI})

    def lock_as(self, context, **named):
        """Lock the root as a request does that names some fields."""
        root, named = self.stack(self.root), {'level': 'stacks', **named}
        lock_request.validate_fields(named)
        lock_request.lock_tree(
            context, root,
            lock_request.make_request(context, named, None, True, base.ENGINE),
            lock_request.lock_check(context, root, None, True))

    def test_accepted_reason_is_stored(self):
        for text in ('Grüße 数据库', *([EMOJI] if self.takes_emoji else [])):
            self.lock_as(self.context, reason=text)
            self.assertEqual(text, self.lock_row(self.root).reason)

    def test_user_with_any_name_can_lock(self):
        context = self.new_context(
            auth_token_info=base.token_of(EMOJI + 'x' * 254))
        self.lock_as(context)
        self.assertTrue(self.is_locked(self.root))
        self.assertTrue(self.lock_row(self.root).set_by.startswith(
            self.written(EMOJI) + 'x'))

    def test_lock_fails_with_any_service_error_text(self):
        for text in (*BAD, EMOJI, LONG):
            begun = self.lock(self.root, level='all')
            lock_thread._write_end(self.context, self.root, states.LOCK,
                                   begun.operation_id, text, None)
            row = self.lock_row(self.root)
            self.assertEqual('FAILED', row.status)
            self.assertEqual(text[:1] if text[0] == 'a' else
                             self.written(text)[:1],
                             row.status_reason[:1])
            reason = self.stacks.rows(models.Event)[-1].resource_status_reason
            self.assertLessEqual(len(reason), 255)

    def test_lock_fails_if_error_text_is_not_storable(self):
        begun = self.lock(self.root, level='all')
        with mock.patch.object(charset, 'storable',
                               side_effect=lambda text, *more: text):
            lock_thread._write_end(self.context, self.root, states.LOCK,
                                   begun.operation_id, 'a\ud800', None)
        self.assertEqual(
            'Stack LOCK FAILED. The reason could not be stored: it is in the '
            'log of heat-engine.', self.lock_row(self.root).status_reason)

    def test_protection_with_any_reason_is_stored(self):
        own = resource_table.Token(
            self.context, self.root,
            self.lock(self.root, level='all').operation_id)
        for text in (*BAD, EMOJI, LONG):
            resource = mock.Mock(id=1, resource_id='physical')
            resource.name, resource.stack.id = 'server', self.root
            resource.type.return_value = 'OS::Nova::Server'
            resource_table.replace_rows(
                own, {resource: ('found_protected', text)})
            row = resource_table.read_tree(self.context, self.root)[1]
            self.assertIsNotNone(row.reason)

    def test_user_with_any_name_can_mark_unhealthy(self):
        resource = mock.Mock(
            id=self.stacks.add_resource(self.root), action='CREATE',
            status_reason='', context=self.new_context(
                auth_token_info=base.token_of(EMOJI * 255)))
        resource.stack.id = self.root
        service.record_change(resource, 'broken', True)
        with self.engine.connect() as connection:
            row = connection.execute(our_models.mark_table.select()).one()
        self.assertLessEqual(len(row.marked_by), 255)
        self.assertTrue(row.marked_by.startswith(self.written(EMOJI)))
