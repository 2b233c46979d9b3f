# SPDX-License-Identifier: Apache-2.0

"""Stack trees that are written directly to the database.

Heat creates one tree with a single nested stack; the larger ones are copies
of its rows, with as many copies of the nested stack as wanted.
"""

import json

from heat.common import short_id
from oslo_utils import uuidutils
import sqlalchemy

_MEMBER = {
    'heat_template_version': '2018-08-31',
    'resources': {'text': {'type': 'OS::Heat::RandomString'}},
}
_NESTED = {'type': 'member.yaml'}
_BATCH = 200


def _template(nested):
    return {'heat_template_version': '2018-08-31', 'resources': {
        'member_%d' % number: _NESTED for number in range(nested)}}


def request_body(nested):
    """Return the request body that creates or updates such a tree."""
    return {'template': _template(nested),
            'files': {'member.yaml': json.dumps(_MEMBER)}}


class StackTrees:
    """Copies of a tree in the database of a Heat.

    :param heat: :class:`bench.running_heat.Heat`.
    """

    def __init__(self, heat):
        self._engine = heat.database
        path = heat.create('seed', **request_body(1))
        self._root_id = path.rpartition('/')[2]
        self._tables = sqlalchemy.MetaData()
        self._tables.reflect(
            self._engine, only=['stack', 'resource', 'resource_data',
                                'raw_template'])
        self._read_seed()

    def add_tree(self, nested, width=1):
        """Write a tree.

        :param nested: how many stacks are nested in the root.
        :param width: how many resources each of them has; their template
            knows of the first.
        :returns: the path of the root.
        """
        root = self._stack(self._root, name='tree%d' % nested)
        template = self._template(self._root_template, _template(nested))
        root['raw_template_id'] = template
        stacks, resources, inner = [root], [], []
        for number in range(nested):
            self._add_member(root, number, stacks, resources, inner, width)
        self._insert('stack', stacks)
        self._insert('resource', [
            {**row, 'current_template_id': template} for row in resources])
        self._insert('resource', inner)
        self._copy_data(inner)
        return '/stacks/%s/%s' % (root['name'], root['id'])

    def _read_seed(self):
        [self._root] = self._rows('stack', id=self._root_id)
        [self._member] = self._rows('stack', owner_id=self._root_id)
        [self._outer] = self._rows('resource', stack_id=self._root_id)
        [self._inner] = self._rows('resource', stack_id=self._member['id'])
        [self._root_template] = self._rows(
            'raw_template', id=self._root['raw_template_id'])
        self._data = self._rows('resource_data',
                                resource_id=self._inner['id'])

    def _add_member(self, root, number, stacks, resources, inner, width):
        name = 'member_%d' % number
        outer = self._resource(self._outer, root, root, name=name)
        # As in heat.engine.resource.Resource.physical_resource_name.
        stack = self._stack(
            self._member, owner_id=root['id'], parent_resource_name=name,
            name='%s-%s-%s' % (root['name'], name,
                               short_id.get_id(outer['uuid'])))
        outer['nova_instance'] = stack['id']
        stacks.append(stack)
        resources.append(outer)
        inner.append(self._resource(self._inner, stack, root))
        inner += [self._resource(self._inner, stack, root, name=f'more{each}')
                  for each in range(width - 1)]

    def _stack(self, row, **values):
        return {**row, 'id': uuidutils.generate_uuid(),
                'current_traversal': uuidutils.generate_uuid(), **values}

    def _resource(self, row, stack, root, **values):
        copy = {**row, 'uuid': uuidutils.generate_uuid(),
                'stack_id': stack['id'], 'root_stack_id': root['id'],
                **values}
        del copy['id']
        return copy

    def _template(self, row, template):
        copy = {**row, 'template': json.dumps(template)}
        del copy['id']
        with self._engine.connect() as connection:
            return connection.execute(
                sqlalchemy.insert(self._tables.tables['raw_template']),
                copy).inserted_primary_key[0]

    def _copy_data(self, inner):
        table = self._tables.tables['resource']
        rows = []
        for start in range(0, len(inner), _BATCH):
            uuids = [row['uuid'] for row in inner[start:start + _BATCH]]
            with self._engine.connect() as connection:
                ids = connection.scalars(sqlalchemy.select(table.c.id).where(
                    table.c.uuid.in_(uuids))).all()
            rows += [{**data, 'id': None, 'resource_id': id}
                     for id in ids for data in self._data]
        self._insert('resource_data', [
            {key: value for key, value in row.items() if key != 'id'}
            for row in rows])

    def _rows(self, name, **equal):
        table = self._tables.tables[name]
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(
                sqlalchemy.select(table).where(*(
                    table.c[key] == value
                    for key, value in equal.items()))).mappings()]

    def _insert(self, name, rows):
        # Autocommit is on: a batch is one statement and one transaction.
        with self._engine.connect() as connection:
            for start in range(0, len(rows), _BATCH):
                connection.execute(sqlalchemy.insert(
                    self._tables.tables[name]), rows[start:start + _BATCH])
