# SPDX-License-Identifier: Apache-2.0

"""Count the existing resources of stacks in Heat's database.

The type of a resource is only in its template, and its mapping is in the
environment. An update replaces the template of the stack at its start. Until a
removed resource is deleted, its type is in the template of its last update. A
failed or canceled update does not delete it. The legacy engine keeps replaced
resources in a backup stack until the end of the update.
"""

import collections

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import environment
from heat.engine import template as templates
import sqlalchemy

from heat_extras.db import tree_queries
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import evaluate

_stack = heat_models.Stack.__table__
_resource = heat_models.Resource.__table__
_template = heat_models.RawTemplate.__table__

_STACK = (_stack.c.id, _stack.c.name, _stack.c.owner_id, _stack.c.backup,
          _stack.c.action, _stack.c.status, _stack.c.raw_template_id)
_ROW = (_resource.c.id, _resource.c.stack_id, _resource.c.name,
        _resource.c.action, _resource.c.status, _resource.c.replaced_by,
        _resource.c.current_template_id,
        _resource.c.nova_instance.label('physical_resource_id'))

# How many templates are read at a time.
_CHUNK = 200

_CREATING = (*plugin_api.WITH_TEMPLATE, 'ROLLBACK')


def read_existing(context, stack, scope):
    """Return the existing resources for an action on a stack.

    :param stack: a heat.engine.stack.Stack.
    :param scope: ``project`` or ``tree``.
    :returns: a :class:`evaluate.ExistingResources`. Its ``own`` resources are
        those in *stack* and its nested stacks.
    """
    condition = (
        _stack.c.tenant == stack.tenant_id if scope == 'project'
        else _below_condition(tree_queries.select_root_id(_stack, stack.id)))
    return ResourceCount(context, condition).list_around(stack.id)


def list_inside(context, stack_id):
    """List the existing resources of a stack and its nested stacks."""
    count = ResourceCount(context, _below_condition([stack_id]))
    return count.list_around(stack_id).own


def _below_condition(ids):
    tree = tree_queries.select_subtree(
        _stack, _stack.c.id.in_(ids), with_deleted=True)
    return _stack.c.id.in_(sqlalchemy.select(tree.c.id))


class ResourceCount:
    """The existing resources of some stacks.

    :param condition: a condition on Heat's table ``stack``.
    """

    def __init__(self, context, condition):
        conditions = (condition, _stack.c.deleted_at.is_(None))
        with db_api.context_manager.reader.independent.using(
                context) as session:
            self._stacks = {row.id: row for row in session.execute(
                sqlalchemy.select(*_STACK).where(*conditions))}
            self._rows = session.execute(
                sqlalchemy.select(*_ROW).join(
                    _stack, _stack.c.id == _resource.c.stack_id)
                .where(*conditions, sqlalchemy.not_(sqlalchemy.and_(
                    _resource.c.action == 'DELETE',
                    _resource.c.status == 'COMPLETE')))).fetchall()
            self._templates = _load_templates(session, self._template_ids())

    def _template_ids(self):
        with_rows = {row.stack_id for row in self._rows}
        return sorted({self._template_id(row) for row in self._rows} | {
            stack.raw_template_id for stack in self._stacks.values()
            if stack.id in with_rows or _is_creating(stack)})

    def _template_id(self, row):
        return (row.current_template_id
                or self._stacks[row.stack_id].raw_template_id)

    def list_stacks(self):
        """List the rows of stacks that are not being deleted, by name."""
        return sorted((row for row in self._stacks.values()
                       if not row.backup and row.action != 'DELETE'),
                      key=lambda row: (row.name, row.id))

    def subtree(self, stack_id):
        """List the IDs of a stack and its nested stacks."""
        nested = collections.defaultdict(list)
        for stack in self._stacks.values():
            nested[stack.owner_id].append(stack.id)
        stack_ids, level = [], [stack_id]
        while level:
            stack_ids += level
            level = [child for owner in level for child in nested[owner]]
        return stack_ids

    def list_around(self, stack_id):
        """Return the :class:`evaluate.ExistingResources` for a stack."""
        own, root = set(self.subtree(stack_id)), self._root_of(stack_id)
        tree = set(self.subtree(root.id)) if root else own
        is_part = (root is not None and root.id != stack_id
                   and root.status == 'IN_PROGRESS')
        own_resources, elsewhere = [], list(self._coming(tree))
        for row in self._rows:
            is_own = row.stack_id in own
            resource = self._living(row, is_own)
            # Resources that the action on the root replaces were counted in
            # the check of the root.
            if resource is not None and not (
                    is_part and row.stack_id in tree
                    and self._is_superseded(row)):
                (own_resources if is_own else elsewhere).append(resource)
        return evaluate.ExistingResources(own=tuple(own_resources),
                                          elsewhere=tuple(elsewhere))

    def _root_of(self, stack_id):
        stack = self._stacks.get(stack_id)
        while stack is not None and stack.owner_id in self._stacks:
            stack = self._stacks[stack.owner_id]
        return stack

    def _living(self, row, is_own):
        if row.action == 'INIT' and (is_own or not self._is_expected(row)):
            return None
        if (row.physical_resource_id is None
                and (row.action, row.status) == ('CREATE', 'FAILED')):
            return None
        types = (self._types(self._template_id(row), row.name)
                 or self._types(
                     self._stacks[row.stack_id].raw_template_id, row.name))
        # A resource that is being deleted is not used again: Heat creates
        # another resource.
        key = ((row.stack_id, row.name) if row.action != 'DELETE'
               else (row.stack_id, row.name, row.id))
        return evaluate.CountedResource(types, key) if types else None

    def _is_expected(self, row):
        stack = self._stacks[row.stack_id]
        return (stack.status == 'IN_PROGRESS'
                and self._template_id(row) == stack.raw_template_id)

    def _is_superseded(self, row):
        return (row.replaced_by is not None
                or bool(self._stacks[row.stack_id].backup))

    def _types(self, template_id, name):
        template = self._templates.get(template_id)
        definition = _list_definitions(template).get(name)
        if not isinstance(definition, dict):
            return None
        kind = definition.get('type', definition.get('Type'))
        return (list_types(template.env, kind, name) if isinstance(kind, str)
                else None)

    def _coming(self, tree):
        """List the resources that actions in progress will create."""
        with_row = {(row.stack_id, row.name) for row in self._rows}
        for stack in self._stacks.values():
            if stack.id in tree or not _is_creating(stack):
                continue
            for name in _list_definitions(self._templates.get(
                    stack.raw_template_id)):
                key = (stack.id, name)
                types = self._types(stack.raw_template_id, name)
                if key not in with_row and types:
                    yield evaluate.CountedResource(types, key)


def _is_creating(stack):
    return (stack.status == 'IN_PROGRESS' and stack.action in _CREATING
            and not stack.backup)


def _load_templates(session, ids):
    # Without the files, which are large.
    return {row.id: templates.Template(
        row.template,
        env=environment.Environment(row.environment or {}))
        for start in range(0, len(ids), _CHUNK)
        for row in session.execute(sqlalchemy.select(
            _template.c.id, _template.c.template, _template.c.environment)
            .where(_template.c.id.in_(ids[start:start + _CHUNK])))}


def _list_definitions(template):
    return template and template.t.get(template.RESOURCES) or {}


def list_types(registry_of, definition_type, name):
    """Return the names of a resource's type.

    :param registry_of: the environment, which maps types.
    """
    try:
        info = registry_of.get_resource_info(definition_type, name)
    except exception.EntityNotFound:
        return frozenset({definition_type})
    return frozenset({definition_type, info.name})
