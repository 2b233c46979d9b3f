# SPDX-License-Identifier: Apache-2.0

"""If all changes are one transaction, Heat's table is changed last."""

from heat.db import migration as heat_migration
import testtools

from heat_extras.db import migration
from tests.database import statements
from tests.harness import databases

_CHANGES = ('ALTER', 'CREATE', 'DROP')


class MigrationOrderTest(testtools.TestCase):
    """Heat waits from the change of its table until the commit."""

    def setUp(self):
        super().setUp()
        self.engine = self.useFixture(databases.New('postgresql')).engine
        heat_migration.db_sync(engine=self.engine)

    def changes(self, function):
        with statements.Statements(self.engine, _CHANGES) as sent:
            function(self.engine)
        # Ours alone is the table that says which revision this is.
        return [text for text in sent.sent
                if migration.VERSION_TABLE not in text]

    def test_stack_table_is_altered_last(self):
        for function in migration.upgrade, migration.downgrade:
            *before, last = self.changes(function)
            self.assertTrue(last.startswith('ALTER TABLE stack '), last)
            self.assertNotEqual([], before)
            self.assertFalse(any('stack ' in text.partition('(')[0]
                                 and 'ALTER' in text for text in before))
