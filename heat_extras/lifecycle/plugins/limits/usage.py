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

"""Which resources stacks have already, asked of Heat's database.

The type of a resource stands in the template of its stack only, and what it
means in the environment.
"""

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import environment
from heat.engine import template as templates
import sqlalchemy

_stack = heat_models.Stack.__table__
_template = heat_models.RawTemplate.__table__
_resource = heat_models.Resource.__table__

_CHUNK = 200


def types(registry_of, definition_type, name):
    """Return the names of a resource's type.

    :param registry_of: the environment that knows what it stands for.
    """
    found = {definition_type}
    try:
        info = registry_of.get_resource_info(definition_type, name)
    except exception.EntityNotFound:
        return frozenset(found)
    return frozenset(found | {info.name})


def root_of(context, stack_id):
    """Return the id of the root stack of a stack."""
    while True:
        owner = _rows(context, sqlalchemy.select(_stack.c.owner_id).where(
            _stack.c.id == stack_id))
        if not owner or owner[0].owner_id is None:
            return stack_id
        stack_id = owner[0].owner_id


def tree(context, stack_id):
    """List the ids of a stack and of all that are nested in it."""
    found, level = [], [stack_id]
    while level:
        found += level
        level = [row.id for start in range(0, len(level), _CHUNK)
                 for row in _rows(context, sqlalchemy.select(_stack.c.id)
                 .where(_stack.c.owner_id.in_(level[start:start + _CHUNK]),
                        _stack.c.deleted_at.is_(None), _is_no_backup()))]
    return found


def project(context, project_id):
    """List the ids of all stacks of a project, nested ones too."""
    return [row.id for row in _rows(context, sqlalchemy.select(
        _stack.c.id).where(_stack.c.tenant == project_id,
                           _stack.c.deleted_at.is_(None), _is_no_backup()))]


def resources(context, stack_ids):
    """Return the types of every resource that some stacks have."""
    stack_ids = sorted(stack_ids)
    return [found for start in range(0, len(stack_ids), _CHUNK)
            for found in _resources(context,
                                    stack_ids[start:start + _CHUNK])]


def _resources(context, stack_ids):
    definitions = {}
    for row in _rows(context, sqlalchemy.select(
            _stack.c.id, _template.c.template, _template.c.environment)
            .join(_template, _template.c.id == _stack.c.raw_template_id)
            .where(_stack.c.id.in_(stack_ids))):
        definitions[row.id] = _definitions(row.template, row.environment)
    # One that is replaced has two rows of one name.
    rows = {(row.stack_id, row.name) for row in _rows(
        context, sqlalchemy.select(_resource.c.stack_id, _resource.c.name)
        .where(_resource.c.stack_id.in_(stack_ids),
               _resource.c.action != 'DELETE'))}
    return [definitions[stack_id][name] for stack_id, name in rows
            if name in definitions.get(stack_id, ())]


def _definitions(raw, stored_environment):
    env = environment.Environment(stored_environment or {})
    template = templates.Template(raw, env=env)
    section = template.t.get(template.RESOURCES) or {}
    return {name: types(env, kind, name) for name, kind in (
        (name, definition.get('type', definition.get('Type')))
        for name, definition in section.items()
        if isinstance(definition, dict)) if isinstance(kind, str)}


def _is_no_backup():
    return sqlalchemy.or_(_stack.c.backup.is_(None),
                          _stack.c.backup.is_(False))


def _rows(context, query):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(query).fetchall()
