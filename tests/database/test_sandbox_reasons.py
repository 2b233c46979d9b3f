# SPDX-License-Identifier: Apache-2.0
"""Reasons of users are accepted or rejected with 400 on every database."""

from tests.functional import base
from tests.functional import templates
from tests.harness import heat_client
from tests.harness.services import mariadb
from tests.harness.services import postgresql
from tests.harness.services import shared

NO_TEXT = {'\ud800': 'U+D800', 'a\0b': 'U+0000', '\x1b[2J': 'U+001B',
           '\x9b': 'U+009B'}
EMOJI = '\U0001f512'


class Reasons(base.TestCase):
    takes_emoji = True

    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack(
            self.id().rpartition('.')[2].replace('_', '-'), templates.SMALL)

    def lock(self, reason):
        return self.client.post(self.path + '/actions', {
            'lock': {'level': 'stacks', 'reason': reason}})

    def mark(self, reason, name='text'):
        return self.client.patch(f'{self.path}/resources/{name}', {
            'mark_unhealthy': True, 'resource_status_reason': reason})

    def refused(self, answer, *texts):
        self.assertEqual(400, answer.status_code, answer.text)
        for text in texts:
            self.assertIn(text, answer.json()['error']['message'])

    def test_reasons_that_no_database_stores_are_rejected(self):
        for reason, problem in NO_TEXT.items():
            self.refused(self.lock(reason), 'Invalid lock reason', problem)
            self.refused(self.mark(reason), 'Invalid resource_status_reason',
                         problem)
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])
        self.assertEqual('CREATE_COMPLETE', self.state())

    def test_emoji_is_rejected_only_with_utf8mb3(self):
        answers = [self.mark(EMOJI), self.lock(EMOJI)]
        for answer in answers:
            if self.takes_emoji:
                self.assertEqual(200, answer.status_code, answer.text)
            else:
                self.refused(answer, 'U+1F512', 'utf8mb3')
        shown = self.client.show_stack(self.path)['lock_reason']
        self.assertEqual(EMOJI if self.takes_emoji else None, shown)
        self.assertEqual('CHECK_FAILED' if self.takes_emoji
                         else 'CREATE_COMPLETE', self.state())

    def test_reasons_in_other_languages_are_accepted(self):
        self.assertEqual(200, self.mark('Größe 数据库').status_code)
        self.assertEqual(200, self.lock('Größe 数据库').status_code)

    def test_unknown_resource_name_is_rejected(self):
        for name in ('a%00b', '%F0%9F%94%92'):
            answer = self.mark('broken', name)
            self.assertIn(answer.status_code, (400, 404), answer.text)

    def test_resource_name_that_is_not_utf_8_is_rejected(self):
        # WebOb rejects it before anything of Heat, which is not described.
        self.client = heat_client.Client(self.sandbox.url)
        answer = self.mark('broken', '%ED%A0%80')
        self.assertEqual(400, answer.status_code, answer.text)

    def state(self):
        return self.client.get(self.path + '/resources/text').json()[
            'resource']['resource_status']


class SQLiteTest(Reasons):
    pass


class OnServer(Reasons):
    is_shared = False

    @classmethod
    def setUpClass(cls):
        made = cls.use_in_class(shared.Database(cls.kind, **cls.database))
        cls.settings = f'[database]\nconnection = {made.url}\n'
        super().setUpClass()


class ThreeBytesTest(OnServer):
    kind = mariadb.MariaDB
    database = {'charset': 'utf8mb3'}
    takes_emoji = False


class PostgreSQLTest(OnServer):
    kind = postgresql.PostgreSQL
    database = {}


# Its tests are those of the classes above.
del Reasons, OnServer
