# SPDX-License-Identifier: Apache-2.0

"""Stacks, and what belongs to them, written into the database directly."""

import itertools

from heat.db import models
from oslo_utils import uuidutils
import sqlalchemy

from tests.harness import databases

PROJECT = 'demo'


class StackRows:
    """Rows of Heat's tables.

    :param engine: on Heat's database.
    """

    def __init__(self, engine):
        self._engine = engine
        self._numbers = itertools.count(1)

    def insert(self, model, **values):
        """Insert a row of one of Heat's models; return its primary key."""
        with self._engine.begin() as connection:
            result = connection.execute(
                sqlalchemy.insert(model.__table__).values(values))
            return result.inserted_primary_key[0]

    def add_stack(self, owner=None, **values):
        """Insert a stack in CREATE_COMPLETE; return its id.

        :param owner: the id of its parent.
        """
        template = self.insert(models.RawTemplate, template={})
        return self.insert(models.Stack, **{
            'id': uuidutils.generate_uuid(),
            'name': f'stack{next(self._numbers)}', 'tenant': PROJECT,
            'raw_template_id': template, 'disable_rollback': True,
            'action': 'CREATE', 'status': 'COMPLETE', 'convergence': True,
            'current_traversal': uuidutils.generate_uuid(),
            'owner_id': owner, 'backup': False,
            'nested_depth': 1 if owner else 0, **values})

    def add_tree(self, nested, levels=1, **values):
        """Insert a root stack with nested ones, each with one resource.

        :param nested: how many are nested in all.
        :param levels: over how many levels below the root.
        :returns: the ids, root first.
        """
        template = self.insert(models.RawTemplate, template={})
        ids = [uuidutils.generate_uuid() for _ in range(nested + 1)]
        owners = [None] + [
            ids[0] if number <= nested - levels + 1 else ids[number - 1]
            for number in range(1, nested + 1)]
        rows = [{
            'id': id, 'name': f'stack{next(self._numbers)}',
            'tenant': PROJECT, 'raw_template_id': template,
            'disable_rollback': True, 'action': 'CREATE',
            'status': 'COMPLETE', 'convergence': True, 'backup': False,
            'current_traversal': uuidutils.generate_uuid(),
            'owner_id': owner, 'nested_depth': 1 if owner else 0, **values}
            for id, owner in zip(ids, owners, strict=True)]
        with self._engine.begin() as connection:
            connection.execute(
                sqlalchemy.insert(models.Stack.__table__), rows)
            connection.execute(
                sqlalchemy.insert(models.Resource.__table__),
                [_resource(id, root_stack_id=ids[0]) for id in ids])
        return ids

    def add_resource(self, stack_id, **values):
        """Insert a resource in CREATE_COMPLETE; return its id."""
        return self.insert(models.Resource, **_resource(stack_id, **values))

    def add_snapshot(self, stack_id, **values):
        """Insert a snapshot in CREATE_COMPLETE; return its id."""
        return self.insert(models.Snapshot, **{
            'id': uuidutils.generate_uuid(), 'stack_id': stack_id,
            'name': 'before', 'tenant': PROJECT, 'status': 'COMPLETE',
            **values})

    def row(self, model, key):
        """Read one row by its primary key, None when there is none."""
        table = model.__table__
        with self._engine.begin() as connection:
            return connection.execute(sqlalchemy.select(table).where(
                list(table.primary_key)[0] == key)).first()

    def rows(self, model, **equal):
        """Read the rows with the given values, by primary key."""
        table = model.__table__
        with self._engine.begin() as connection:
            return list(connection.execute(
                sqlalchemy.select(table)
                .where(*(table.c[name] == value
                         for name, value in equal.items()))
                .order_by(*table.primary_key)))

    def dump(self):
        """Read everything that is in the database."""
        with self._engine.begin() as connection:
            return {table.name: [tuple(row) for row in connection.execute(
                        sqlalchemy.select(table)
                        .order_by(*table.primary_key))]
                    for table in databases.tables()}


def _resource(stack_id, **values):
    return {'uuid': uuidutils.generate_uuid(), 'name': 'server',
            'stack_id': stack_id, 'action': 'CREATE', 'status': 'COMPLETE',
            'atomic_key': 7, 'requires': [], 'needed_by': [], **values}
