# SPDX-License-Identifier: Apache-2.0

"""Threads end regularly, whatever text a plugin returns."""

import contextlib
import json

import sqlalchemy

from heat_extras.db import models
from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import lifecycle_denials
from tests.functional import templates
from tests.harness.services import mariadb
from tests.harness.services import postgresql
from tests.harness.services import shared
from tests.harness import waiting

TEXTS = {
    'surrogate': ('no \ud800', r'no \ud800'),
    'nul': ('no \0', r'no \x00'),
    'control': ('no \x1b[2J', r'no \x1b[2J'),
    # In bytes, and in characters.
    'wide': ('\u4e00' * 60_000, '\u4e00... ('),
    'long': ('n' * 200_000, 'n... ('),
}
# Where the tables have three bytes for each.
EMOJI = {'emoji': ('no \U0001f512', r'no \U0001f512')}

_SETTINGS = """
[database]
connection = {url}
"""


class TestCase(lifecycle_base.TestCase):
    """With a sandbox on the database of a server.

    :cvar kind: of the server.
    :cvar database: what the database is made with.
    """

    is_shared = False
    kind = mariadb.MariaDB
    database = {'charset': 'utf8mb3'}
    texts = TEXTS | EMOJI
    engine_settings = ''

    @classmethod
    def setUpClass(cls):
        made = cls.use_in_class(shared.Database(cls.kind, **cls.database))
        cls.engine = sqlalchemy.create_engine(
            made.url, poolclass=sqlalchemy.NullPool)
        cls.settings = (cls.engine_settings
                        + _SETTINGS.format(url=made.url))
        super().setUpClass()

    @contextlib.contextmanager
    def saying(self, when, action, text):
        order = self.plugins.order(f'say_{when}', 'test_b', action,
                                   json.dumps(text))
        try:
            yield
        finally:
            order.unlink()

    def made(self, name):
        path = self.client.create_stack(name, templates.SMALL)
        self.at_rest(path, 'CREATE_COMPLETE')
        return path

    def put(self, path, **body):
        """Start an update."""
        answer = self.client.put(path, body)
        self.assertEqual(202, answer.status_code, answer.text)

    def act(self, path, action):
        """Start an action of the stack."""
        answer = self.client.post(f'{path}/actions', {action: None})
        self.assertEqual(200, answer.status_code, answer.text)

    def at_rest(self, path, status):
        """Wait for a status and for the removal of all operation rows.

        The legacy engine shows it before it gives its lock back, and refuses
        what is asked of it in between.
        """
        stack = self.wait(path, status)
        waiting.until_equal('what is left', [], self.rows)
        return stack

    def ended(self, path, status, wanted):
        """Wait for an end with a reason and without operation rows."""
        stack = self.at_rest(path, status)
        self.assertIn(wanted, stack['stack_status_reason'])
        self.assertLessEqual(
            len(stack['stack_status_reason'].encode()), 65_535)
        self.assertNotIn('SELECT', stack['stack_status_reason'])

    def rows(self):
        """Return the rows of operations in progress."""
        rows = []
        with self.engine.connect() as connection:
            for name in (f"{models.operation_table.name} "
                         "WHERE phase != 'denied'", 'stack_lock'):
                rows += connection.execute(sqlalchemy.text(
                    f'SELECT * FROM {name}')).all()
        return rows


class Texts(TestCase):

    def test_update_denied_with_unstorable_text(self):
        path = self.made('denied')
        for text, wanted in self.texts.values():
            with self.saying('before', 'UPDATE', text):
                self.put(path, template=lifecycle_denials.LARGER)
                self.ended(path, 'UPDATE_FAILED', wanted)
            self.put(path, template=templates.SMALL)
            self.at_rest(path, 'UPDATE_COMPLETE')

    def test_update_failed_with_unstorable_text(self):
        path = self.made('failed')
        for number, (text, wanted) in enumerate(self.texts.values()):
            with self.saying('after', 'UPDATE', text):
                self.put(path, template=templates.SMALL,
                         parameters={'value': str(number)})
                self.ended(path, 'UPDATE_FAILED', wanted)
            self.put(path, template=templates.SMALL)
            self.at_rest(path, 'UPDATE_COMPLETE')

    def test_suspend_fails_with_unstorable_text(self):
        path = self.made('acted')
        for text, wanted in self.texts.values():
            for when in ('before', 'after'):
                with self.saying(when, 'SUSPEND', text):
                    self.act(path, 'suspend')
                    self.ended(path, 'SUSPEND_FAILED', wanted)
                self.act(path, 'check')
                self.at_rest(path, 'CHECK_COMPLETE')

    def test_snapshot_fails_with_unstorable_text(self):
        path = self.made('pictured')
        for when in ('before', 'after'):
            for text, wanted in self.texts.values():
                with self.saying(when, 'SNAPSHOT', text):
                    made = self.client.post(path + '/snapshots', {}).json()
                    self.ended(path, 'SNAPSHOT_FAILED', wanted[:4])
                    self.snapshot(path, made['id'])
                self.act(path, 'check')
                self.at_rest(path, 'CHECK_COMPLETE')

    def snapshot(self, path, id):
        reason = waiting.until(
            'the end of the snapshot',
            lambda: self.client.get(
                f'{path}/snapshots/{id}').json()['snapshot'],
            lambda value: value['status'] != 'IN_PROGRESS')['status_reason']
        self.assertLessEqual(len(reason), 255)

    def test_create_and_delete_fail_with_unstorable_text(self):
        for name, (text, wanted) in self.texts.items():
            with self.saying('before', 'CREATE', text):
                path = self.client.create_stack(
                    f'made-{name}', templates.SMALL, wait=False,
                    disable_rollback=True)
                self.ended(path, 'CREATE_FAILED', wanted)
            for when in ('before', 'after'):
                with self.saying(when, 'DELETE', text):
                    self.client.delete(path)
                    self.ended(path, 'DELETE_FAILED', wanted)
            self.client.delete(path)
            self.wait(path, 'DELETE_COMPLETE')


class OnPostgreSQL:
    kind = postgresql.PostgreSQL
    database = {}
    texts = TEXTS | {'emoji': ('no \U0001f512', 'no \U0001f512')}


class OnLegacyEngine:
    engine_settings = base.LEGACY
