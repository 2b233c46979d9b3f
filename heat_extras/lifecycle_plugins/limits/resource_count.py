# SPDX-License-Identifier: Apache-2.0

"""Which resources stacks have, asked of Heat's database: what lives.

The type of a resource stands in a template only, and what it means in the
environment. An update replaces the template of its stack at once: what it
removes lives on under the template that it was last updated to, until it is
deleted, and a failed or cancelled update leaves it there. The legacy engine
keeps what is replaced in a backup stack meanwhile.
"""

import collections

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import stack_tree
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import definitions
from heat_extras.lifecycle_plugins.limits import subject

_stack = heat_models.Stack.__table__
_resource = heat_models.Resource.__table__

_STACK = (_stack.c.id, _stack.c.owner_id, _stack.c.backup, _stack.c.name,
          _stack.c.tenant, _stack.c.action, _stack.c.status,
          _stack.c.raw_template_id, _stack.c.prev_raw_template_id)
_ROW = (_resource.c.id, _resource.c.stack_id, _resource.c.name,
        _resource.c.action, _resource.c.status, _resource.c.replaced_by,
        _resource.c.current_template_id,
        _resource.c.nova_instance.label('physical_resource_id'))

_MAKING = (*plugin_api.WITH_TEMPLATE, 'ROLLBACK')

# These may yet be rolled back, which nobody asks a plugin for.
_UNDOABLE = ('UPDATE', 'RESTORE')


def there(context, stack, scope):
    """Return what is there besides what an action on a stack plans.

    :param stack: a heat.engine.stack.Stack; its rows count as its own, with
        those of all that is nested in it.
    :param scope: ``project`` or ``tree``.
    :returns: a :class:`subject.There`.
    """
    chosen = (_stack.c.tenant == stack.tenant_id if scope == 'project'
              else _is_below(stack_tree.root(_stack, stack.id)))
    return _Census(context, chosen).around(stack.id)


def inside(context, stack_id):
    """List what lives in a stack and in all that is nested in it."""
    return _Census(context, _is_below([stack_id])).around(stack_id).own


def below(context, stack_id):
    """List the ids of a stack and of all that is nested in it."""
    return _Census(context, _is_below([stack_id])).subtree(stack_id)


def root_of(context, stack_id):
    """Return the id of the root stack of a stack."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.scalar(stack_tree.root(_stack, stack_id)) or stack_id


def _is_below(ids):
    tree = stack_tree.inside(_stack, _stack.c.id.in_(ids), with_deleted=True)
    return _stack.c.id.in_(sqlalchemy.select(tree.c.id))


class _Census:
    """The stacks that were chosen, and what lives in them.

    :param chosen: a condition on Heat's table ``stack``.
    """

    def __init__(self, context, chosen):
        self._context = context
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
            self._definitions = definitions.load(
                session, context, self._template_ids())

    def _template_ids(self):
        wanted = {self._template_id(row) for row in self._rows}
        with_rows = {row.stack_id for row in self._rows}
        for stack in self._stacks.values():
            if stack.id in with_rows:
                wanted.add(stack.raw_template_id)
            wanted.update(self._coming_from(stack))
        return sorted(wanted - {None})

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
        """Return a :class:`subject.There` as a stack sees it."""
        own, root = set(self.subtree(stack_id)), self._root_of(stack_id)
        tree = set(self.subtree(root.id)) if root else own
        is_part = (root is not None and root.id != stack_id
                   and root.status == 'IN_PROGRESS')
        current, living, mine = set(), [], []
        for row in self._rows:
            one = self._living(row, row.stack_id in own)
            if one is None or (is_part and row.stack_id in tree
                               and self._is_superseded(row)):
                # The action on the root has counted it before.
                continue
            (mine if row.stack_id in own else living).append(one)
            if row.stack_id not in own and self._is_current(row):
                current.add((row.stack_id, row.name))
        living += self._coming(tree)
        return subject.There(
            own=tuple(mine), living=tuple(one.types for one in living),
            current=tuple(self._current_types(*key) for key in current))

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
                 or self._current_types(row.stack_id, row.name))
        # Nothing goes on with what is being deleted: Heat makes another.
        key = ((row.stack_id, row.name) if row.action != 'DELETE'
               else (row.stack_id, row.name, row.id))
        return subject.Living(found, key) if found else None

    def _is_expected(self, row):
        stack = self._stacks[row.stack_id]
        return (stack.status == 'IN_PROGRESS'
                and self._template_id(row) == stack.raw_template_id)

    def _is_superseded(self, row):
        return (row.replaced_by is not None
                or bool(self._stacks[row.stack_id].backup))

    def _is_current(self, row):
        return (row.action != 'DELETE'
                and not self._stacks[row.stack_id].backup
                and self._current_types(row.stack_id, row.name) is not None)

    def _current_types(self, stack_id, name):
        return self._types(self._stacks[stack_id].raw_template_id, name)

    def _types(self, template_id, name):
        found = self._definitions.get(template_id)
        return found.types(name) if found else None

    def _coming(self, tree):
        """List what running actions will make, or may bring back."""
        with_row = {(row.stack_id, row.name) for row in self._rows}
        for stack in self._stacks.values():
            for template_id in self._coming_from(stack):
                if stack.id in tree:
                    continue
                found = self._definitions.get(template_id)
                for name in found.enabled(stack) if found else ():
                    key = (stack.id, name)
                    if key not in with_row and found.types(name):
                        with_row.add(key)
                        yield subject.Living(found.types(name), key)

    @staticmethod
    def _coming_from(stack):
        """List the ids of the templates that a running action may apply."""
        if (stack.status != 'IN_PROGRESS' or stack.action not in _MAKING
                or stack.backup):
            return []
        previous = (stack.prev_raw_template_id if stack.action in _UNDOABLE
                    else None)
        return [one for one in (stack.raw_template_id, previous)
                if one is not None]
