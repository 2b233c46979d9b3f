# SPDX-License-Identifier: Apache-2.0

"""Check the deletion or abandonment of a nested stack by its own ID.

It removes the stack from the tree of its root, like an update that removes the
resource around it. No update of the root restores it. So the same policies
apply. The calls of a parent are not checked here: its update has been checked,
or the whole tree is deleted. These calls are marked. For a call from an engine
without heat-extras, the row of the resource shows that it is from a parent.
"""

from heat.db import api as db_api
from heat.db import models
from heat.engine import stack as heat_stack
from heat.objects import stack as stack_object
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import stack_columns
from heat_extras.heat_internals import operation_names
from heat_extras.plan import change
from heat_extras import sanitize
from heat_extras.update_policy import errors
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import messages
from heat_extras.update_policy import policy_flag

LOG = logging.getLogger(__name__)

_stack = models.Stack.__table__
_resource = models.Resource.__table__

_PARTICIPLES = {operation_names.DELETE: 'deleted',
                operation_names.ABANDON: 'abandoned'}


def check_nested_delete(request, row):
    """Reject the removal of a nested stack that a policy protects.

    :param request: the :class:`heat_extras.rpc_request.Request`.
    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises NestedStackRestricted: if a policy forbids the operation.
    """
    context, operation = request.context, request.operation
    if (operation not in _PARTICIPLES or row.owner_id is None
            or request.is_row_checked or request.is_of_parent
            or not _is_guarded(context, row)):
        return
    root = _find_root(context, row)
    if root is None or _is_deleted_with_parent(
            _find_parent_resource(context, row)):
        return
    problem = _find_violation(context, row)
    if problem is None:
        return
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: %(why)s',
             {'operation': operation, 'name': row.name, 'id': row.id,
              'why': sanitize.printable(problem)})
    counting.count_event(row.id, counters.POLICY, operation, context)
    participle = _PARTICIPLES[operation]
    raise errors.NestedStackRestricted(
        message=f'Stack {row.name} ({row.id}) cannot be {participle}: it is '
                f'nested in stack {root.name}, and {problem}. Nothing was '
                f'changed. First update stack {root.name} with templates that '
                'allow this. The update_policy does not apply when stack '
                f'{root.name} as a whole is {participle}.')


def _is_guarded(context, row):
    known = stack_columns.get_columns(row).has_update_policy
    return (policy_flag.compute_flags(context, row.id) if known is None
            else known)


def _find_root(context, row):
    """Return the row of the root.

    :returns: None if a stack around *row* is deleted or being deleted.
    """
    while row is not None and row.owner_id is not None:
        row = stack_object.Stack.get_by_id(context, row.owner_id)
        # Not if the deletion failed: a plugin may have denied it.
        if row is not None and (row.action, row.status) == (
                'DELETE', 'IN_PROGRESS'):
            return None
    return row


def _is_deleted_with_parent(resource):
    """Return whether the parent resource of a stack is deleted or failed.

    It is also true if the resource was never complete, or does not exist.
    """
    return resource is None or resource.action == 'DELETE' or (
        resource.action, resource.status) == ('CREATE', 'FAILED')


def _find_parent_resource(context, row):
    # By the physical resource ID, because a resource that is being replaced
    # has two rows with its name. The legacy engine keeps the older row in a
    # backup stack.
    holders = sqlalchemy.select(_stack.c.id).where(sqlalchemy.or_(
        _stack.c.id == row.owner_id,
        sqlalchemy.and_(_stack.c.owner_id == row.owner_id,
                        _stack.c.backup.is_(True))))
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_resource).where(
                _resource.c.stack_id.in_(holders),
                models.Resource.physical_resource_id == row.id)).first()


def _find_violation(context, row):
    inherited = inherited_policy.compute_policy(
        heat_stack.Stack.load(context, stack_id=row.id), is_removed=True)
    path, kind = '/'.join(inherited.path), messages.NESTED_STACK
    by = inherited.policy.replace
    if by is not None:
        return messages.describe_forbidden(path, kind, change.REMOVE, by)
    guarded = inherited_policy.find_guarded(context, row.id, path)
    return guarded and messages.describe_guarded_inside(
        path, kind, change.REMOVE, guarded)
