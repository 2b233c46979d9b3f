# SPDX-License-Identifier: Apache-2.0

"""The plan of an update, compared with Heat's validation of it.

It is made before an update with policies, and for a preview.
"""

import dataclasses
import json
import uuid

import sqlalchemy

from bench import recorder
from bench import running_heat

NOTHING, EVERYTHING = 'nothing', 'everything'

_GUARD = 'guard'


@dataclasses.dataclass
class Outcome:
    """Durations of rejected updates and previews of one stack.

    :ivar update: the other changes of the update.
    :ivar previewed: seconds of the plan of a preview.
    :ivar statements: SQL statements of a plan.
    """

    size: int
    update: str
    planned: list = dataclasses.field(default_factory=list)
    validated: list = dataclasses.field(default_factory=list)
    previewed: list = dataclasses.field(default_factory=list)
    statements: int = 0


def measure(plan, say):
    """Measure on SQLite, stacks whose every resource has a policy.

    :returns: a list of :class:`Outcome`.
    """
    rows = []
    with running_heat.Heat('update_policy, plan', own=['--plans']) as measured:
        for size in plan.planned:
            say('update policies, a stack of %d resources' % size)
            path = measured.create('planned%d' % size, template(1))
            measured.settle(path)
            _grow(measured.database, path.rpartition('/')[2],
                  template(size))
            for update in (NOTHING, EVERYTHING):
                outcome = Outcome(size, update)
                for _ in range(plan.plans):
                    _refuse(measured, path, outcome)
                rows.append(outcome)
    return rows


def template(size, value='one'):
    """Make a template, whose last resource must not be removed.

    No two are the same: Heat validates only one of those.
    """
    names = ['r%d' % number for number in range(size - 1)] + [_GUARD]
    return {'heat_template_version': '2018-08-31', 'resources': {
        name: {'type': 'OS::Heat::TestResource',
               'properties': {'value': '%s %s' % (value, name)},
               'update_policy': {'allow': {'replace': False}}}
        for name in names}}


def _grow(database, stack_id, wanted):
    """Give a stack of one resource all those of a template.

    As if Heat had made them, which takes it minutes.
    """
    tables = sqlalchemy.MetaData()
    tables.reflect(database, only=[
        'stack', 'raw_template', 'resource', 'resource_properties_data'])
    stack, document, resource, values = (tables.tables[name] for name in (
        'stack', 'raw_template', 'resource', 'resource_properties_data'))
    with database.connect() as connection:
        connection.exec_driver_sql('BEGIN')
        only = connection.execute(sqlalchemy.select(resource).where(
            resource.c.stack_id == stack_id)).one()._asdict()
        for name, defined in wanted['resources'].items():
            if name == _GUARD:
                continue
            stored = connection.execute(values.insert().values(
                data=json.dumps(defined['properties']), encrypted=False))
            connection.execute(resource.insert().values({
                **only, 'id': None, 'uuid': str(uuid.uuid4()), 'name': name,
                'rsrc_prop_data_id': stored.inserted_primary_key[0]}))
        connection.execute(document.update().where(
            document.c.id == sqlalchemy.select(stack.c.raw_template_id)
            .where(stack.c.id == stack_id).scalar_subquery()).values(
                template=json.dumps(wanted)))
        connection.exec_driver_sql('COMMIT')


def _refuse(measured, path, outcome):
    changed = template(outcome.size, (
        'two' if outcome.update == EVERYTHING else 'one'))
    del changed['resources'][_GUARD]
    for method, where, status in (('PUT', path, 202),
                                  ('PUT', f'{path}/preview', 200)):
        with open(measured.record) as source:
            seen = len(source.readlines())
        measured.request(method, where, status, json={'template': changed})
        with open(measured.record) as source:
            lines = [json.loads(line) for line in source.readlines()[seen:]]
        for line in lines:
            _note(outcome, line, is_preview=status == 200)


def _note(outcome, line, is_preview):
    if line['method'] == recorder.PREVIEW:
        outcome.previewed.append(line['seconds'])
    if is_preview:
        return
    if line['method'] == recorder.VALIDATE:
        outcome.validated.append(line['seconds'])
    if line['method'] == recorder.PLAN:
        outcome.planned.append(line['seconds'])
        outcome.statements = line['statements']
