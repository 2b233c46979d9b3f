# SPDX-License-Identifier: Apache-2.0

"""Remove ``updatable`` and ``update_policy.allow`` from stored templates.

Without heat-extras, Heat cannot load a stack whose template has ``updatable``,
and cannot update a stack whose template has ``allow``. So both must be removed
before heat-extras is uninstalled.
"""

import dataclasses
import json

from oslo_utils import timeutils
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import heat_tables

UPDATABLE, ALLOW = 'updatable', 'allow'

_VERSION = 'heat_template_version'
_POLICY = 'update_policy'


def rewrite_template(template):
    """Return a template without the attributes of heat-extras.

    ``updatable: false`` becomes Heat's own ``immutable: true``.
    ``update_policy.allow`` is removed, because Heat has no equivalent.

    :param template: a parsed template. Any other value is returned as it is.
    :returns: a new template, or *template* if it does not change.
    """
    if not isinstance(template, dict) or _VERSION not in template:
        return template
    changed = {}
    for section, rewrite in (('parameters', _rewrite_parameter),
                             ('resources', without_allow)):
        old = template.get(section)
        if isinstance(old, dict):
            new = {name: rewrite(each) for name, each in old.items()}
            if new != old:
                changed[section] = new
    return {**template, **changed} if changed else template


def _rewrite_parameter(schema):
    if not isinstance(schema, dict) or UPDATABLE not in schema:
        return schema
    new = {key: value for key, value in schema.items() if key != UPDATABLE}
    if schema[UPDATABLE] is False:
        new['immutable'] = True
    return new


def without_allow(definition):
    """Return a resource of a template without its ``allow``."""
    policy = isinstance(definition, dict) and definition.get(_POLICY)
    if not isinstance(policy, dict) or ALLOW not in policy:
        return definition
    new = {**definition, _POLICY: {
        key: value for key, value in policy.items() if key != ALLOW}}
    if not new[_POLICY]:
        del new[_POLICY]
    return new


def _rewrite_files(files):
    """Rewrite the templates among the files of a template."""
    if not isinstance(files, dict):
        return files
    new = {name: _rewrite_file(text) for name, text in files.items()}
    return new if new != files else files


def _rewrite_file(text):
    if not isinstance(text, str) or not (UPDATABLE in text or ALLOW in text):
        return text
    # Imported here, because the command otherwise does not import Heat.
    from heat.common import template_format
    try:
        template = template_format.simple_parse(text)
    except ValueError:
        # For example a script.
        return text
    new = rewrite_template(template)
    # JSON is YAML, so Heat reads the same template from it.
    return text if new is template else json.dumps(new)


def _rewrite_snapshot(data):
    if not isinstance(data, dict):
        return data
    rewriters = {'template': rewrite_template, 'files': _rewrite_files}
    changed = {key: rewrite(data[key]) for key, rewrite in rewriters.items()
               if key in data}
    new = {**data, **changed}
    return new if new != data else data


_stack, _template = heat_tables.stack, heat_tables.raw_template
_files_row = heat_tables.raw_template_files
_snapshot_row = heat_tables.snapshot
_PLACES = (
    (_template, {'template': rewrite_template, 'files': _rewrite_files}),
    (_files_row, {'files': _rewrite_files}),
    (_snapshot_row, {'data': _rewrite_snapshot}))


@dataclasses.dataclass(frozen=True)
class Change:
    """A stored text with attributes of heat-extras.

    :param kind: ``template``, ``files`` or ``snapshot``.
    :param id: the ID of its row.
    :param owner: a text that names its stack.
    """

    kind: str
    id: object
    owner: str


def list_changes(engine):
    """List the texts that :func:`rewrite_all` would change.

    :returns: a list of :class:`Change`.
    """
    with engine.connect() as connection:
        return [_make_change(connection, table, row_id)
                for table, row_id, _ in _find_changes(connection)]


def rewrite_all(engine):
    """Rewrite all stored templates, files and snapshots.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: a list of :class:`Change`.
    """
    with engine.begin() as connection:
        changes = list(_find_changes(connection))
        named = [_make_change(connection, table, row_id)
                 for table, row_id, _ in changes]
        for table, row_id, values in changes:
            connection.execute(sql.update(table).where(
                table.c.id == row_id).values(values))
            if table.name == _files_row.name:
                _renumber_files(connection, row_id, values)
        return named


def _renumber_files(connection, old, values):
    """Copy rewritten files to a new row, and set it in their templates.

    Engines cache files by the ID of their row, and never read them again
    (heat.engine.template_files). The old row stays for engines that are about
    to store a template with it.
    """
    new, = connection.execute(sql.insert(_files_row).values(
        created_at=timeutils.utcnow(), **values)).inserted_primary_key
    connection.execute(sql.update(_template).where(
        _template.c.files_id == old).values(files_id=new))


def _make_change(connection, table, row_id):
    kind, condition = {
        'raw_template': ('template', sql.or_(
            _stack.c.raw_template_id == row_id,
            _stack.c.prev_raw_template_id == row_id)),
        'raw_template_files': ('files', _stack.c.raw_template_id.in_(
            sql.select(_template.c.id).where(
                _template.c.files_id == row_id))),
        'snapshot': ('snapshot', _stack.c.id.in_(
            sql.select(_snapshot_row.c.stack_id).where(
                _snapshot_row.c.id == row_id)))}[table.name]
    row = connection.execute(
        sql.select(_stack.c.id, _stack.c.name).where(condition)
        .order_by(_stack.c.name, _stack.c.id).limit(1)).first()
    return Change(kind, row_id, 'no stack' if row is None
                  else f'stack {row.name} ({row.id})')


def _find_changes(connection):
    for table, rewriters in _PLACES:
        for row in _read_suspects(connection, table, list(rewriters)):
            values = {name: _rewrite_json(getattr(row, name), rewriter)
                      for name, rewriter in rewriters.items()}
            values = {name: value for name, value in values.items()
                      if value is not None}
            if values:
                yield table, row.id, values


def _read_suspects(connection, table, names):
    """Read the rows that can have an attribute of heat-extras, in batches.

    Not all of them have one: many templates have "allowed_values".
    """
    conditions = [table.c[name].contains(attribute) for name in names
                  for attribute in (UPDATABLE, ALLOW)]
    ids = connection.scalars(
        sql.select(table.c.id).where(sql.or_(*conditions))
        .order_by(table.c.id)).all()
    for batch in batches.split_keys(ids):
        yield from connection.execute(
            sql.select(table).where(table.c.id.in_(batch))
            .order_by(table.c.id)).all()


def _rewrite_json(stored, rewriter):
    """Rewrite the text of a JSON column.

    :returns: the new text, or None if it does not change.
    """
    old = None if stored is None else json.loads(stored)
    new = rewriter(old)
    return None if new is old else json.dumps(new)
