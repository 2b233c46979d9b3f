# SPDX-License-Identifier: Apache-2.0

"""What stored templates define: names of resources and their types."""

import functools

from heat.common import exception
from heat.common import identifier
from heat.db import models as heat_models
from heat.engine import environment
from heat.engine import stk_defn
from heat.engine import template as templates
from heat.objects import raw_template
from oslo_log import log as logging
import sqlalchemy

LOG = logging.getLogger(__name__)

_template = heat_models.RawTemplate.__table__

# Not the files, which are large.
_COLUMNS = (_template.c.id, _template.c.template, _template.c.environment,
            _template.c.files_id)

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


def load(session, context, ids):
    """Read templates.

    :returns: a dict from id to :class:`Definitions`.
    """
    found = {}
    for start in range(0, len(ids), _CHUNK):
        for row in session.execute(sqlalchemy.select(*_COLUMNS).where(
                _template.c.id.in_(ids[start:start + _CHUNK]))):
            found[row.id] = Definitions(context, row)
    return found


class Definitions:
    """What a template defines."""

    def __init__(self, context, row):
        self._context = context
        self._row = row
        self._types = {}

    @functools.cached_property
    def _template(self):
        return templates.Template(self._row.template, env=environment
                                  .Environment(self._row.environment or {}))

    @functools.cached_property
    def _section(self):
        return self._template.t.get(self._template.RESOURCES) or {}

    def types(self, name):
        """Return the names of a resource's type, None when it has none."""
        if name not in self._types:
            self._types[name] = self._look_up(name)
        return self._types[name]

    def _look_up(self, name):
        definition = self._section.get(name)
        if not isinstance(definition, dict):
            return None
        kind = definition.get('type', definition.get('Type'))
        return (types(self._template.env, kind, name)
                if isinstance(kind, str) else None)

    def enabled(self, stack):
        """List the names of what its conditions do not exclude.

        :param stack: the row of the stack that the template is for.
        """
        try:
            stored = raw_template.RawTemplate.from_db_object(
                self._context, raw_template.RawTemplate(),
                {**self._row._mapping, 'files': None})
            return stk_defn.StackDefinition(
                self._context,
                templates.Template.load(self._context, stored.id, stored),
                identifier.HeatIdentifier(stack.tenant, stack.name, stack.id),
                {}).enabled_rsrc_names()
        except Exception as error:
            LOG.debug('Conditions of stack %(id)s cannot be worked out: '
                      '%(kind)s', {'id': stack.id,
                                   'kind': type(error).__name__})
            return set(self._section)
