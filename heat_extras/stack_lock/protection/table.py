# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""The rows of ``heat_extras_protection``: whose locks are whose."""

import dataclasses

from heat.db import api as db_api
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock.protection import states

_table = models.protection_table


@dataclasses.dataclass(frozen=True)
class Key:
    """Which resource a row is about."""

    stack_id: str
    resource_name: str


def of_tree(context, root_id):
    """Read the rows of a tree.

    :returns: a dict from :class:`Key` to row.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        return _by_key(session, _table.c.root_id == root_id)


def of_stacks(context, stack_ids):
    """Read the rows of some stacks, as :func:`of_tree` does."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return _by_key(session, _table.c.stack_id.in_(list(stack_ids)))


def _by_key(session, condition):
    rows = session.execute(sqlalchemy.select(_table).where(condition))
    return {Key(row.stack_id, row.resource_name): row for row in rows}


def has_ours(session, root_id):
    """Say whether something is protected in this tree that we set."""
    return session.scalar(
        sqlalchemy.select(sqlalchemy.func.count()).select_from(_table)
        .where(_table.c.root_id == root_id,
               _table.c.state.in_(states.OURS))) > 0


@db_api.retry_on_db_error
def write(context, root_id, results):
    """Replace the rows of some resources.

    :param results: a dict from resource to (state, reason).
    """
    if not results:
        return
    now = timeutils.utcnow()
    rows = [{'stack_id': resource.stack.id, 'resource_name': resource.name,
             'root_id': root_id, 'resource_type': resource.type(),
             'physical_resource_id': resource.resource_id, 'state': state,
             'reason': reason, 'updated_at': now}
            for resource, (state, reason) in results.items()]
    with db_api.context_manager.writer.independent.using(context) as session:
        _delete(session, rows)
        session.execute(sqlalchemy.insert(_table), rows)


@db_api.retry_on_db_error
def forget(context, keys):
    """Delete the rows of some resources."""
    with db_api.context_manager.writer.independent.using(context) as session:
        _delete(session, [dataclasses.asdict(key) for key in keys])


def _delete(session, rows):
    by_stack = {}
    for row in rows:
        by_stack.setdefault(row['stack_id'], []).append(
            row['resource_name'])
    for stack_id, names in by_stack.items():
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.stack_id == stack_id,
            _table.c.resource_name.in_(names)))


def forget_tree(session, root_id):
    """Delete every row of a tree, in the caller's transaction."""
    session.execute(
        sqlalchemy.delete(_table).where(_table.c.root_id == root_id))
