# SPDX-License-Identifier: Apache-2.0

"""Heat's writers as they race a lock.

Each was prepared from what was in the database before, as an engine does,
and writes later.
"""

from heat.db import api as db_api
from heat.db import models
from oslo_utils import uuidutils

from heat_extras.stack_lock import check
from tests.database import stack_rows

AT_WORK = {'action': 'UPDATE', 'status': 'IN_PROGRESS',
           'engine_id': 'another-engine'}


class PreparedWriter:
    """One writer, with the rows that it needs.

    :param rows: a :class:`tests.database.stack_rows.StackRows`.
    """

    def __init__(self, rows):
        self.root = rows.add_stack()
        self.nested = rows.add_stack(self.root)
        self.resource = rows.add_resource(self.nested)
        self.traversal = rows.row(
            models.Stack, self.nested).current_traversal
        self.key = 7
        self.snapshot = rows.add_snapshot(self.nested)

    def read(self, context):
        """Read in the writer's transaction, so that it has its snapshot."""
        db_api.stack_get(context, self.nested, eager_load=False)
        db_api.resource_get_all_by_stack(context, self.nested)

    def write(self, context):
        """Write; return something true when that succeeded."""
        raise NotImplementedError


class ResourceUpdate(PreparedWriter):

    def write(self, context):
        return db_api.resource_update(context, self.resource, dict(AT_WORK),
                                      self.key)


class ResourceUpdateAndSave(PreparedWriter):

    def write(self, context):
        return db_api.resource_update_and_save(context, self.resource,
                                               dict(AT_WORK))


class ResourceCreate(PreparedWriter):

    def new_values(self):
        return {'name': 'another', 'stack_id': self.nested,
                'root_stack_id': self.root, **AT_WORK}

    def write(self, context):
        return db_api.resource_create(context, self.new_values())


class ResourceCreateReplacement(ResourceCreate):

    def write(self, context):
        return db_api.resource_create_replacement(
            context, self.resource, self.new_values(), self.key)


class StackUpdate(PreparedWriter):

    def values(self):
        return {'action': 'UPDATE', 'status': 'IN_PROGRESS',
                'current_traversal': uuidutils.generate_uuid()}

    def write(self, context):
        return db_api.stack_update(context, self.nested, self.values(),
                                   exp_trvsl=self.traversal)


class StackUpdateWithoutTraversal(StackUpdate):
    """As of legacy stacks, and of stacks that are migrated."""

    def write(self, context):
        return db_api.stack_update(context, self.nested, self.values())


class NestedCreate(PreparedWriter):

    def read(self, context):
        super().read(context)
        self.template = db_api.raw_template_create(
            context, {'template': {}}).id

    def write(self, context):
        return db_api.stack_create(context, {
            # Heat refuses a name that is there already.
            'name': f'new in {self.nested}', 'tenant': stack_rows.PROJECT,
            'action': 'CREATE', 'status': 'IN_PROGRESS',
            'raw_template_id': self.template, 'owner_id': self.nested,
            'nested_depth': 2,
            'disable_rollback': True, 'convergence': True, 'backup': False,
            'current_traversal': uuidutils.generate_uuid()})


class SnapshotUpdate(PreparedWriter):

    def write(self, context):
        return db_api.snapshot_update(
            context, self.snapshot,
            {'action': 'DELETE', 'status': 'IN_PROGRESS'})


class TemplateUpdate(PreparedWriter):
    """Of a legacy stack's update, whose engine was taken for dead."""

    def __init__(self, rows):
        super().__init__(rows)
        self.template = rows.row(models.Stack, self.nested).raw_template_id

    def write(self, context):
        wanted = {'resources': {'another': {}}}
        return db_api.raw_template_update(
            context, self.template, {'template': wanted}).template == wanted


class ResourceExchange(PreparedWriter):
    """Of the same, when it takes a resource back from its backup."""

    def __init__(self, rows):
        super().__init__(rows)
        self.other = rows.add_resource(
            rows.add_stack(self.nested, backup=True))

    def write(self, context):
        db_api.resource_exchange_stacks(context, self.resource, self.other)
        return True


class StackLockAndGuard(PreparedWriter):
    """The check of start_with_acquired_lock() after StackLock is taken."""

    def write(self, context):
        holder = db_api.stack_lock_create(context, self.nested, 'another')
        if holder is not None:
            return False
        check.check_again(context, self.nested, 'operation')
        return True


ALL = [ResourceUpdate, ResourceUpdateAndSave, ResourceCreate,
       ResourceCreateReplacement, StackUpdate, StackUpdateWithoutTraversal,
       NestedCreate, SnapshotUpdate, StackLockAndGuard]
# Writers that no lock waits for and that no checked row shows.
UNSEEN = [TemplateUpdate, ResourceExchange]
