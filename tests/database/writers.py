# SPDX-License-Identifier: Apache-2.0

"""Each of Heat's writers that a lock rejects, as a callable."""

from heat.db import api as db_api
from heat.db import models
import testscenarios

from tests.database import prepared_writers


class SnapshotCreate(prepared_writers.PreparedWriter):

    def write(self, context):
        return db_api.snapshot_create(context, {
            'stack_id': self.nested, 'name': 'new', 'tenant': 'demo',
            'status': 'IN_PROGRESS'})


class SnapshotUpdate(prepared_writers.PreparedWriter):

    def write(self, context):
        return db_api.snapshot_update(
            context, self.snapshot, {'status': 'IN_PROGRESS'})


class TagsSet(prepared_writers.PreparedWriter):

    def write(self, context):
        return db_api.stack_tags_set(context, self.nested, ['a', 'b'])


class NestedCreate(prepared_writers.NestedCreate):

    def __init__(self, rows):
        super().__init__(rows)
        self.template = rows.insert(models.RawTemplate, template={})


# Those that no row matches when the stack is locked; the others fail.
UPDATING = [prepared_writers.ResourceUpdate, prepared_writers.StackUpdate,
            prepared_writers.StackUpdateWithoutTraversal]
# Like those, but not by a predicate.
MISSING = [*UPDATING, prepared_writers.TemplateUpdate]
ALL = [
    prepared_writers.ResourceUpdateAndSave, prepared_writers.ResourceCreate,
    prepared_writers.ResourceCreateReplacement, NestedCreate, SnapshotCreate,
    SnapshotUpdate, TagsSet, prepared_writers.ResourceExchange, *MISSING]


def scenarios(databases, writers=ALL):
    """Make the scenarios that try each of some writers on each database."""
    return testscenarios.multiply_scenarios(databases, [
        (writer.__name__, {'writer': writer}) for writer in writers])


class LockedWriterMixin:
    """For tests with a ``writer`` from the scenario."""

    def locked(self):
        """Return the writer, prepared from what it is after the lock."""
        writer = self.writer(self.stacks)
        self.lock(writer.root)
        writer.key += 2
        writer.traversal = self.stack(writer.nested).current_traversal
        return writer
