# SPDX-License-Identifier: Apache-2.0

"""Base classes of tests on Heat's database."""

from unittest import mock

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from heat.common import context as heat_context
from heat.db import models
from oslo_config import cfg
import sqlalchemy
import testscenarios
import testtools
from testtools import content

from heat_extras import activation
from heat_extras.db import models as extras_models
from heat_extras import fixture
from heat_extras import left_operations
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from tests.database import stack_rows
from tests.harness import databases

ENGINE = 'engine-of-the-test'


def token_of(name):
    """Return what Keystone says of the token of a user."""
    return {'token': {'user': {'name': name}}}


def allow(lock):
    """Check nothing inside the transaction of a lock."""


class DatabaseTest(testscenarios.WithScenarios, testtools.TestCase):
    """A test of Heat's db.api and the lock, in process, per database."""

    scenarios = databases.ALL

    def setUp(self):
        super().setUp()
        cfg.CONF([], project='heat', default_config_files=[])
        cfg.CONF.set_override('db_retry_interval', 0, 'database')
        self.addCleanup(cfg.CONF.reset)
        self.addCleanup(
            cfg.CONF.clear_override, 'db_retry_interval', 'database')
        # An existing enforcer lacks the rules of heat-extras.
        self.useFixture(fixtures.MonkeyPatch(
            'heat.common.policy.ENFORCER', None))
        # Before the first query: it puts the columns on Heat's classes.
        self.extras = self.useFixture(fixture.HeatExtras(
            processes=(activation.ENGINE,)))
        self.database = self.useFixture(databases.Heat(self.kind))
        self.engine = self.database.engine
        self.stacks = stack_rows.StackRows(self.engine)
        self.context = self.new_context()

    def new_context(self, **values):
        """Make the context of a caller; a thread needs one of its own."""
        return heat_context.RequestContext(**{
            'auth_token_info': token_of('alice'),
            'project_id': stack_rows.PROJECT,
            'is_admin': False, 'overwrite': False, **values})

    def ensure_snapshot_actions(self):
        """Do what ``heat-manage db_sync`` of Heat 26 does to snapshots.

        As before the old engines of Heat 24 and 25 are replaced.
        """
        if 'action' not in models.Snapshot.__table__.columns:
            self._execute(
                'ALTER TABLE snapshot ADD COLUMN action VARCHAR(255)')
            self.addCleanup(self._drop_snapshot_actions)

    def _drop_snapshot_actions(self):
        self._execute('ALTER TABLE snapshot DROP COLUMN action')
        # Its connections have found the column.
        self.engine.dispose()

    def set_action(self, action, snapshot_id):
        """Store the action of a snapshot."""
        self._execute('UPDATE snapshot SET action = :action WHERE id = :id',
                      action=action, id=snapshot_id)

    def _execute(self, statement, **values):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(statement), values)

    def lock(self, root_id, context=None, level='stacks', check=allow,
             dead_engines=frozenset(), expires_at=None):
        """Lock a tree as alice, because of the "db move"."""
        return lock_transaction.lock_tree(
            context or self.context, root_id, lock_transaction.Request(
                level=level, reason='db move', locked_by='alice',
                project=stack_rows.PROJECT, rank=states.MEMBER,
                engine_id=ENGINE, expires_at=expires_at), check, dead_engines)

    def sweep(self, engine_id=ENGINE):
        """Return what an engine passes to the steps of its sweep."""
        return left_operations.Sweep(mock.Mock(engine_id=engine_id))

    def fail_dead_engine(self):
        """Do what another engine does when the engine of the test is down."""
        with mock.patch('heat.common.service_utils.engine_alive',
                        return_value=False):
            lock_thread.fail_interrupted(self.sweep('other'))

    def begin_unlock(self, root_id, check=allow):
        """Start an unlock that has resources to release."""
        with mock.patch.object(resource_table, 'read_states',
                               return_value={'protected'}):
            return lock_transaction.unlock_tree(self.context, root_id, check,
                                                ENGINE)

    def stack(self, stack_id):
        """Read a stack's row."""
        return self.stacks.row(models.Stack, stack_id)

    def guard(self, guard_id):
        """Read the row of a lock or protection, or None."""
        with self.engine.connect() as connection:
            return connection.execute(
                sqlalchemy.select(extras_models.guard_table).where(
                    extras_models.guard_table.c.id == guard_id)).first()

    def lock_row(self, stack_id):
        """Read the row of a stack's lock."""
        return self.guard(self.stack(stack_id).lock_id)

    def write_guards(self, **values):
        """Change the rows of all locks and protections."""
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(
                extras_models.guard_table).values(values))

    def is_locked(self, stack_id):
        return self.stack(stack_id).lock_level is not None


def text(words):
    """Make a detail of a test's report."""
    return content.text_content(words)
