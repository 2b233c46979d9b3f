# SPDX-License-Identifier: Apache-2.0

"""Read from the database how an update changed each resource of a tree."""

import json

from oslo_utils import strutils

from tests.fuzz import trees

_ROWS = """
SELECT r.uuid, r.name, r.stack_id, r.nova_instance, r.action, r.status,
       p.data, (SELECT COUNT(*) FROM event AS e
                WHERE e.stack_id = r.stack_id
                AND e.physical_resource_id = r.nova_instance
                AND e.resource_action = 'UPDATE')
FROM resource AS r LEFT JOIN resource_properties_data AS p
     ON r.rsrc_prop_data_id = p.id
WHERE r.root_stack_id = ? ORDER BY r.id"""
_STACKS = """
WITH RECURSIVE tree(id) AS (
    VALUES (?) UNION SELECT s.id FROM stack AS s JOIN tree AS around
    ON s.owner_id = around.id WHERE s.deleted_at IS NULL AND NOT s.backup)
SELECT s.id, t.template, t.environment FROM stack AS s
JOIN raw_template AS t ON s.raw_template_id = t.id
JOIN tree ON tree.id = s.id"""
_GONE = (('INIT', 'COMPLETE'), ('DELETE', 'COMPLETE'))
_NUMBERS = ('wait_secs', 'length')
_OTHERS = (trees.RANDOM, trees.VALUE, trees.NONE, trees.CONFIG,
           trees.DEPLOYMENT)
_TEST = {'value': 'test_string', 'update_replace': False, 'fail': False,
         'wait_secs': 0, 'action_wait_secs': None}


class TreeState:
    """The state of a tree.

    :param sandbox: a :class:`tests.functional.base.Sandbox`.
    :ivar rows: the row of each resource by its UUID.
    """

    def __init__(self, sandbox, stack_id):
        self.id = stack_id
        self.stacks = {row_id: (
            json.loads(template), json.loads(environment or '{}')) for row_id,
                       template, environment in sandbox.sql(_STACKS, stack_id)}
        names = ('uuid', 'name', 'stack', 'physical', 'action', 'status',
                 'properties', 'updates')
        rows = [dict(zip(names, row, strict=True))
                for row in sandbox.sql(_ROWS, stack_id)]
        self.rows = {row['uuid']: row for row in rows
                     if (row['action'], row['status']) not in _GONE
                     and row['stack'] in self.stacks}
        self._around = {row['physical']: row for row in self.rows.values()}

    def path(self, row):
        """Return the path of names to a resource, or None."""
        names = [row['name']]
        while row['stack'] != self.id:
            row = self._around.get(row['stack'])
            if row is None:
                return None
            names.insert(0, row['name'])
        return tuple(names)

    def inside(self, row):
        """List the resources of the stack that is nested in a resource."""
        return [other for other in self.rows.values()
                if other['stack'] == row['physical']]

    def is_nested(self, row):
        return row['physical'] in self.stacks

    def type(self, row):
        """Return the type of a resource in the template."""
        resources = self.stacks[row['stack']][0].get('resources') or {}
        return (resources.get(row['name']) or {}).get('type')

    def rest(self, row):
        """Return the definition of a resource without its properties."""
        resources = self.stacks[row['stack']][0].get('resources') or {}
        resource = resources.get(row['name']) or {}
        return resource.get('metadata'), {
            key: value for key, value in (resource.get('update_policy')
                                          or {}).items() if key != 'allow'}

    def values(self, row):
        """Return the normalized properties of a plain resource."""
        properties = json.loads(row['properties'] or '{}')
        defaults = {} if self.type(row) in _OTHERS else _TEST
        return {key: _plain(key, value) for key, value
                in {**defaults, **properties}.items() if value is not None}

    def everything(self):
        """Return the state that a rejected update must not change."""
        return self.rows, self.stacks


def _plain(key, value):
    if key in _NUMBERS:
        return float(value)
    if key in ('update_replace', 'fail'):
        return strutils.bool_from_string(value)
    if key == 'action_wait_secs':
        return {name: float(each) for name, each in value.items()
                if each is not None} or None
    return value


KEPT, CHANGED, LOST, MAYBE = 'keep', 'update', 'lost', 'keep or update'


def find_change(before, after, row):
    """Return the change of a resource by an update.

    :returns: MAYBE if the template of a nested stack differs only in format.
    """
    now = after.rows.get(row['uuid'])
    if now is None or after.path(now) is None:
        return LOST
    if not before.is_nested(row):
        if (before.values(row), row['physical']) != (
                after.values(now), now['physical']):
            return CHANGED
        if before.type(row) == trees.DEPLOYMENT:
            # Each of its updates is sent to the server.
            return KEPT if row['updates'] == now['updates'] else CHANGED
        # Heat stores the resolved metadata of some types only.
        is_known = row['updates'] == now['updates'] or not (
            before.rest(row)[0] or after.rest(now)[0])
        return KEPT if is_known else MAYBE
    if row['physical'] != now['physical'] or not after.is_nested(now):
        return LOST
    return _to_stack(before, after, row, now)


def _to_stack(before, after, row, now):
    old, new = (picture.stacks[row['physical']] for picture in (before, after))
    names = [{other_row['name'] for other_row in picture.inside(each)}
             for picture, each in ((before, row), (after, now))]
    acts = {find_change(before, after, other_row)
            for other_row in before.inside(row)}
    if names[0] != names[1] or _parameters(old) != _parameters(new):
        return CHANGED
    if before.rest(row)[0] or before.rest(row) != after.rest(now):
        return MAYBE
    if _besides(old) != _besides(new):
        return CHANGED
    if acts == {KEPT} or not acts:
        return KEPT if old[0] == new[0] else MAYBE
    return MAYBE


def _parameters(stack):
    """Return the normalized values of parameters."""
    template, environment = stack
    values = environment.get('parameters') or {}
    return {name: _in_type(schema['type'], values.get(
        name, schema.get('default')))
        for name, schema in (template.get('parameters') or {}).items()}


def _in_type(kind, value):
    if kind == 'number':
        return float(value)
    if kind == 'boolean':
        return strutils.bool_from_string(value)
    if kind == 'comma_delimited_list' and isinstance(value, list):
        return ','.join(value)
    return value


def _besides(stack):
    return {key: value for key, value in stack[0].items()
            if key != 'resources'}
