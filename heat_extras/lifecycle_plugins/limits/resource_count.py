# SPDX-License-Identifier: Apache-2.0

"""Which resources stacks have, asked of Heat's database: what lives.

The type of a resource stands in a template only, and what it means in the
environment. An update replaces the template of its stack at once: what it
removes lives on under the template that it was last updated to, until it is
deleted, and a failed or cancelled update leaves it there. The legacy engine
keeps what is replaced in a backup stack meanwhile.
"""

import collections

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import environment
from heat.engine import template as templates
import sqlalchemy

from heat_extras.db import stack_tree
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import evaluate

_stack = heat_models.Stack.__table__
_resource = heat_models.Resource.__table__
_template = heat_models.RawTemplate.__table__

_STACK = (_stack.c.id, _stack.c.owner_id, _stack.c.backup, _stack.c.action,
          _stack.c.status, _stack.c.raw_template_id)
_ROW = (_resource.c.id, _resource.c.stack_id, _resource.c.name,
        _resource.c.action, _resource.c.status, _resource.c.replaced_by,
        _resource.c.current_template_id,
        _resource.c.nova_instance.label('physical_resource_id'))

# How many templates are read at a time.
_CHUNK = 200

_CREATING = (*plugin_api.WITH_TEMPLATE, 'ROLLBACK')


def read_existing(context, stack, scope):
    """Return what is there besides what an action on a stack plans.

    :param stack: a heat.engine.stack.Stack; its rows count as its own, with
        those of all that is nested in it.
    :param scope: ``project`` or ``tree``.
    :returns: a :class:`evaluate.ExistingResources`.
    """
    chosen = (
        _stack.c.tenant == stack.tenant_id if scope == 'project'
        else _below_condition(stack_tree.select_root_id(_stack, stack.id)))
    return _ResourceCount(context, chosen).around(stack.id)


def list_inside(context, stack_id):
    """List what lives in a stack and in all that is nested in it."""
    count = _ResourceCount(context, _below_condition([stack_id]))
    return count.around(stack_id).own


def _below_condition(ids):
    tree = stack_tree.select_subtree(
        _stack, _stack.c.id.in_(ids), with_deleted=True)
    return _stack.c.id.in_(sqlalchemy.select(tree.c.id))


class _ResourceCount:
    """The stacks that were chosen, and what lives in them.

    :param chosen: a condition on Heat's table ``stack``.
    """

    def __init__(self, context, chosen):
        chosen = (chosen, _stack.c.deleted_at.is_(None))
        with db_api.context_manager.reader.independent.using(
                context) as session:
            self._stacks = {row.id: row for row in session.execute(
                sqlalchemy.select(*_STACK).where(*chosen))}
            self._rows = session.execute(
                sqlalchemy.select(*_ROW).join(
                    _stack, _stack.c.id == _resource.c.stack_id)
                .where(*chosen, sqlalchemy.not_(sqlalchemy.and_(
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

    def subtree(self, stack_id):
        """List the ids of a stack and of all that is nested in it."""
        nested = collections.defaultdict(list)
        for stack in self._stacks.values():
            nested[stack.owner_id].append(stack.id)
        found, level = [], [stack_id]
        while level:
            found += level
            level = [child for owner in level for child in nested[owner]]
        return found

    def around(self, stack_id):
        """Return a :class:`evaluate.ExistingResources` as a stack sees it."""
        own, root = set(self.subtree(stack_id)), self._root_of(stack_id)
        tree = set(self.subtree(root.id)) if root else own
        is_part = (root is not None and root.id != stack_id
                   and root.status == 'IN_PROGRESS')
        mine, elsewhere = [], list(self._coming(tree))
        for row in self._rows:
            is_own = row.stack_id in own
            one = self._living(row, is_own)
            # What the action on the root replaces was counted with it.
            if one is not None and not (
                    is_part and row.stack_id in tree
                    and self._is_superseded(row)):
                (mine if is_own else elsewhere).append(one)
        return evaluate.ExistingResources(own=tuple(mine),
                                          elsewhere=tuple(elsewhere))

    def _root_of(self, stack_id):
        found = self._stacks.get(stack_id)
        while found is not None and found.owner_id in self._stacks:
            found = self._stacks[found.owner_id]
        return found

    def _living(self, row, is_own):
        if row.action == 'INIT' and (is_own or not self._is_expected(row)):
            return None
        if (row.physical_resource_id is None
                and (row.action, row.status) == ('CREATE', 'FAILED')):
            return None
        found = (self._types(self._template_id(row), row.name)
                 or self._types(
                     self._stacks[row.stack_id].raw_template_id, row.name))
        # Nothing goes on with what is being deleted: Heat makes another.
        key = ((row.stack_id, row.name) if row.action != 'DELETE'
               else (row.stack_id, row.name, row.id))
        return evaluate.CountedResource(found, key) if found else None

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
        """List what actions in progress will make."""
        with_row = {(row.stack_id, row.name) for row in self._rows}
        for stack in self._stacks.values():
            if stack.id in tree or not _is_creating(stack):
                continue
            for name in _list_definitions(self._templates.get(
                    stack.raw_template_id)):
                key = (stack.id, name)
                found = self._types(stack.raw_template_id, name)
                if key not in with_row and found:
                    yield evaluate.CountedResource(found, key)


def _is_creating(stack):
    return (stack.status == 'IN_PROGRESS' and stack.action in _CREATING
            and not stack.backup)


def _load_templates(session, ids):
    # Not the files, which are large.
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

    :param registry_of: the environment that knows what it stands for.
    """
    try:
        info = registry_of.get_resource_info(definition_type, name)
    except exception.EntityNotFound:
        return frozenset({definition_type})
    return frozenset({definition_type, info.name})
