# SPDX-License-Identifier: Apache-2.0

"""The last applied definitions of resources after a failed update.

Heat plans the next update from the template that a failed update leaves. The
template can differ from what the resources are:

- The legacy engine merges the new template and the new parameters into the
  template of the stack (Stack._merge_user_param_template). A resource that the
  update could not change or remove gets its new definition, and a resource
  whose condition is now false is not in the stack any more.
- With convergence, the new template replaces the template of the stack. A
  group makes its next template from it (grouputils.get_member_definitions).
  The resources that the update did not reach need the previous template.

Only trees with a guard are corrected.
"""

import copy

from heat.common import grouputils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import template as heat_template
from heat.objects import resource as resource_object
from heat.rpc import api as rpc_api
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import tree_queries
from heat_extras.heat_internals import resource_rows

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__
_COLUMNS = ('id', 'convergence', 'raw_template_id', 'has_update_policy',
            'updatable')

# Other actions do not show whether an update before them failed.
_APPLYING = ('CREATE', 'ADOPT', 'UPDATE')


def keep_definitions(stack, merge_templates):
    """Keep the last applied definitions in the template of a legacy stack.

    Resources whose conditions are false by new values lose their conditions.
    Errors are only logged: the caller still has to end the update.

    :param merge_templates: Heat's own function, without arguments.
    """
    applied = copy.deepcopy(_resources_of(stack.t))
    merge_templates()
    try:
        if _find_guarded_stack(stack.context, stack.id) is not None:
            _restore_definitions(stack, applied)
    except Exception:
        LOG.exception('Stack %(name)s (%(id)s) keeps the template of its '
                      'failed update', {'name': stack.name, 'id': stack.id})


def _restore_definitions(stack, applied):
    rows = resource_object.Resource.get_all_by_stack(stack.context, stack.id)
    kept = {name: applied[name] for name, row in rows.items()
            if name in applied and resource_rows.row_exists(row)}
    _resources_of(stack.t).update(kept)
    defn = stack.defn.clone_with_new_template(stack.t, stack.identifier())
    for name in kept.keys() - defn.enabled_rsrc_names():
        kept[name].pop(stack.t.RES_CONDITION, None)
    stack.t.store(stack.context)


def keep_template(stack):
    """Keep the previous template of a stack while resources use it.

    After a failed update, Heat deletes it when a check, suspend, resume or
    snapshot is complete. The stack then loses these resources.
    """
    used = stack.prev_raw_template_id
    if (used is None or stack.status != stack.COMPLETE or stack.action not in (
            stack.CHECK, stack.SUSPEND, stack.RESUME, stack.SNAPSHOT)
            or _find_guarded_stack(stack.context, stack.id) is None):
        return
    rows = resource_object.Resource.get_all_active_by_stack(stack.context,
                                                            stack.id)
    if any(row.current_template_id == used for row in rows.values()):
        stack.prev_raw_template_id = None


def resume_left(resource, engine_id):
    """Resume a resource that a failed update left out of its template.

    The resources of the template have been resumed before.

    :param engine_id: the ID of the engine that processes the resource.
    """
    stack = resource.stack
    if (stack.action == stack.RESUME
            and resource.state == (resource.SUSPEND, resource.COMPLETE)
            and _find_guarded_stack(stack.context, stack.id) is not None):
        resource.resume_convergence(engine_id, stack.time_remaining())


def correct_members(group, members, include_failed):
    """Return the members of a group with their last applied definitions.

    :param members: Heat's pairs of a name and a definition.
    :param include_failed: whether they include members that are FAILED.
    """
    # The client of a plan knows them.
    applied = getattr(group.rpc_client(), 'applied_members', None)
    if applied is None:
        applied = find_members(group.context, group.resource_id)
    if not applied:
        return members
    known = {**dict(members), **applied}
    inspector = grouputils.GroupInspector.from_parent_resource(group)
    return [(name, known[name])
            for name in inspector.member_names(include_failed)
            if name in known]


def find_members(context, stack_id):
    """Return members of a group whose definitions a failed update changed.

    :param stack_id: the ID of the group's nested stack, or None.
    :returns: their last applied definitions, by name. They are empty for
        groups of the legacy engine: see :func:`keep_definitions`.
    """
    stack = stack_id and _find_guarded_stack(context, stack_id)
    if not stack or not stack.convergence:
        return {}
    rows = resource_object.Resource.get_all_active_by_stack(context, stack_id)
    templates, members = {}, {}
    for row in sorted(rows.values(), key=lambda each: each.id):
        used = row.current_template_id
        is_applied = row.status == 'COMPLETE' and row.action in _APPLYING
        if not resource_rows.row_exists(row) or used is None:
            continue
        if used == stack.raw_template_id and is_applied:
            members.pop(row.name, None)
            continue
        if used not in templates:
            templates[used] = heat_template.Template.load(
                context, used).resource_definitions(None)
        definition = templates[used].get(row.name)
        if definition is not None:
            members[row.name] = (definition if is_applied
                                 else _with_properties(definition, row))
    return members


def put_never_created_first(context, identity, members):
    """Let a group first remove the members that do not exist.

    :param identity: the identifier of the group's nested stack, or None.
    :param members: Heat's list of members, sorted by its preference.
    """
    missing = [member for member in members
               if resource_rows.was_never_created(
                   member.get(rpc_api.RES_ACTION),
                   member[rpc_api.RES_STATUS],
                   member.get(rpc_api.RES_PHYSICAL_ID))]
    if not missing or _find_guarded_stack(context,
                                          identity['stack_id']) is None:
        return members
    return [*({**member, rpc_api.RES_STATUS: 'FAILED'} for member in missing),
            *(member for member in members if member not in missing)]


def count_failed_updates(context, identity, members):
    """Count the members of a group that an update could not change.

    Heat counts only members that are not FAILED. So a group without a desired
    capacity would remove these members.

    :param identity: as in :func:`put_never_created_first`.
    """
    count = sum((member.get(rpc_api.RES_ACTION), member[rpc_api.RES_STATUS])
                == ('UPDATE', 'FAILED') for member in members)
    return count if count and _find_guarded_stack(
        context, identity['stack_id']) is not None else 0


def list_removed(group):
    """List the names that a ResourceGroup does not use again.

    Its list also has the members that a failed update could not remove.
    """
    names = group._current_skiplist()
    if not names or group.resource_id is None or _find_guarded_stack(
            group.context, group.resource_id) is None:
        return names
    inspector = grouputils.GroupInspector.from_parent_resource(group)
    kept = {member[rpc_api.RES_NAME] for member in inspector._get_member_data()
            if member.get(rpc_api.RES_ACTION) != 'DELETE'}
    return [name for name in names if name not in kept]


def forget_kept_members(group):
    """Correct the stored list of names before the next update changes it."""
    removed = list_removed(group)
    if removed != group._current_skiplist():
        group.data_set('name_blacklist', ','.join(removed))


def _find_guarded_stack(context, stack_id):
    """Return the row of a stack, or None if its tree has no guard."""
    tree = tree_queries.select_subtree(_stack, _stack.c.id == stack_id,
                                       _COLUMNS)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = session.execute(sqlalchemy.select(tree)).fetchall()
    is_guarded = any(row.has_update_policy or row.updatable for row in rows)
    return {row.id: row for row in rows}[stack_id] if is_guarded else None


def _resources_of(template):
    return template.t.setdefault(template.RESOURCES, {})


def _with_properties(definition, row):
    """Return a definition with the properties from before a failed update."""
    if row.properties_data in (None, definition._properties):
        return definition
    return definition.freeze(properties=row.properties_data)
