# SPDX-License-Identifier: Apache-2.0

"""Heat's writers on locked stacks and on unlocked stacks."""

from unittest import mock

from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras import activation
from heat_extras.stack_lock import check
from heat_extras.stack_lock import errors
from tests.database import base
from tests.database import statements
from tests.database import writers
from tests.harness import databases

ENGINE = 'another-engine'

# A nested create may cost one statement more.
MORE_STATEMENTS = {writers.NestedCreate: 1}


class WriterTest(writers.LockedWriterMixin, base.DatabaseTest):

    scenarios = writers.scenarios(databases.ALL)

    def test_write_on_locked_stack_is_rejected(self):
        writer = self.locked()
        before = self.stacks.dump()
        try:
            self.assertFalse(writer.write(self.context))
        except errors.StackLocked as error:
            self.assertIn('is locked (level stacks) by alice', str(error))
        self.assertEqual(before, self.stacks.dump())

    def test_write_on_other_stack_works(self):
        self.locked()
        writer = self.writer(self.stacks)
        before = self.stacks.dump()
        self.assertTrue(writer.write(self.context))
        self.assertNotEqual(before, self.stacks.dump())

    def test_write_needs_no_more_statements_than_without_guards(self):
        self.writer(self.stacks).write(self.context)
        guarded = self.count()
        activation.deactivate()
        more = MORE_STATEMENTS.get(self.writer, 0)
        self.assertLessEqual(guarded, self.count() + more)

    def count(self):
        writer = self.writer(self.stacks)
        with statements.Statements(self.engine) as sent:
            self.assertTrue(writer.write(self.context))
        return len(sent.sent)

    def test_write_has_same_result_as_without_guards(self):
        guarded = self.written()
        activation.deactivate()
        self.assertEqual(self.written(), guarded)

    def written(self):
        """Return what a write leaves, without ids and times."""
        writer = self.writer(self.stacks)
        writer.write(self.context)
        # Snapshots have random ids: sorted by what they look like.
        return sorted(
            str(self.shape(row)) for model, owner in (
                (models.Resource, 'stack_id'), (models.Snapshot, 'stack_id'),
                (models.StackTag, 'stack_id'), (models.Stack, 'owner_id'),
                (models.RawTemplate, 'id'))
            for row in self.stacks.rows(model, **{
                owner: getattr(writer, 'template', None)
                if model is models.RawTemplate else writer.nested}))

    @staticmethod
    def shape(row):
        return {name: value for name, value in row._mapping.items()
                if name in ('action', 'status', 'engine_id', 'atomic_key',
                            'tag', 'properties_data', 'template')}


class ConcurrentUnlockTest(writers.LockedWriterMixin, base.DatabaseTest):
    """A lock removed between the rejection and the query of its reason."""

    scenarios = writers.scenarios(databases.ALL, [
        writer for writer in writers.ALL
        if writer not in (*writers.MISSING, writers.NestedCreate)])

    def test_write_is_repeated_after_unlock(self):
        writer = self.locked()
        with mock.patch.object(check, 'check_again',
                               side_effect=self.lift) as looked:
            self.assertTrue(writer.write(self.context))
        looked.assert_called_once()
        self.assertFalse(self.is_locked(writer.nested))

    def lift(self, context, stack_id, operation):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(models.Stack.__table__)
                               .values(lock_level=None))


class TransactionTest(writers.LockedWriterMixin, base.DatabaseTest):
    """The predicate applies only to the sessions of guarded writers."""

    scenarios = writers.scenarios(databases.ALL, writers.UPDATING)

    def test_write_in_outer_transaction_is_rejected(self):
        writer = self.locked()
        before = self.stacks.dump()
        with db_api.context_manager.writer.using(self.context):
            self.assertFalse(writer.write(self.context))
        self.assertEqual(before, self.stacks.dump())

    def test_other_update_in_same_session_is_allowed(self):
        writer = self.writer(self.stacks)
        self.lock(writer.root)
        with db_api.context_manager.writer.using(self.context) as session:
            self.assertFalse(writer.write(self.context))
            # The same session, but a writer that a lock does not reject.
            self.assertEqual(1, session.query(models.Stack).filter_by(
                id=writer.root).update({'username': 'bob'}))


class AllowedWriteTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.root = self.stacks.add_stack()
        self.resource = self.stacks.add_resource(self.root, atomic_key=7)
        self.lock(self.root)

    def test_read_session_has_no_listener(self):
        with db_api.context_manager.reader.using(self.context) as session:
            db_api.stack_get(self.context, self.root)
            self.assertEqual([], list(session.dispatch.do_orm_execute))

    def test_resource_metadata_can_be_written(self):
        self.assertTrue(db_api.resource_update(
            self.context, self.resource, {'rsrc_metadata': {'a': 1}}, 9))
        self.assertTrue(db_api.resource_update_and_save(
            self.context, self.resource, {'rsrc_metadata': {'a': 2}}))
        row = self.stacks.row(models.Resource, self.resource)
        self.assertEqual({'a': 2}, row.rsrc_metadata)

    def test_scaling_start_is_rejected_and_scaling_end_is_allowed(self):
        begun, ended = ({'rsrc_metadata': {'scaling_in_progress': value}}
                        for value in (True, False))
        self.assertRaises(errors.StackLocked, db_api.resource_update,
                          self.context, self.resource, begun, 9)
        self.assertRaises(
            errors.StackLocked, db_api.resource_update_and_save,
            self.context, self.resource, begun)
        row = self.stacks.row(models.Resource, self.resource)
        self.assertFalse(row.rsrc_metadata)
        self.assertTrue(db_api.resource_update(
            self.context, self.resource, ended, 9))

    def test_metadata_with_old_atomic_key_is_rejected(self):
        self.assertFalse(db_api.resource_update(
            self.context, self.resource, {'rsrc_metadata': {'a': 1}}, 7))

    def test_cached_attributes_can_be_written(self):
        data = self.stacks.insert(models.ResourcePropertiesData, data={})
        self.assertTrue(db_api.resource_attr_id_set(
            self.context, self.resource, 9, data))

    def test_stack_lock_row_can_be_created_and_released(self):
        self.assertIsNone(db_api.stack_lock_create(
            self.context, self.root, ENGINE))
        self.assertIsNone(db_api.stack_lock_release(
            self.context, self.root, ENGINE))

    def test_final_state_is_rejected_and_stack_lock_row_removed(self):
        db_api.stack_lock_create(self.context, self.root, ENGINE)
        before = self.stack(self.root)
        db_api.persist_state_and_release_lock(
            self.context, self.root, ENGINE, {'status': 'FAILED'})
        self.assertEqual(before, self.stack(self.root))
        self.assertEqual([], self.stacks.rows(models.StackLock))

    def test_final_state_of_other_stack_is_written(self):
        other = self.stacks.add_stack()
        db_api.stack_lock_create(self.context, other, ENGINE)
        self.assertIsNone(db_api.persist_state_and_release_lock(
            self.context, other, ENGINE, {'status': 'FAILED'}))
        self.assertEqual('FAILED', self.stack(other).status)
        self.assertEqual([], self.stacks.rows(models.StackLock))

    def test_root_stack_can_be_created(self):
        template = self.stacks.insert(models.RawTemplate, template={})
        self.assertTrue(db_api.stack_create(self.context, {
            'name': 'new', 'tenant': 'demo', 'raw_template_id': template,
            'disable_rollback': True}))
