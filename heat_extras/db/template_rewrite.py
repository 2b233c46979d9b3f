# SPDX-License-Identifier: Apache-2.0

"""Stored templates, without the words that only heat-extras knows.

A Heat without the feature ``parameters`` loads no stack whose template says
``updatable``, and without ``update_policy`` it updates none that says
``allow``. So both go before the package does.
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


def rewritten(template):
    """Say in Heat's own words what a template says, as far as it has them.

    ``updatable: false`` becomes ``immutable: true``, which Heat refuses to
    change, too; for ``update_policy.allow`` it has no word.

    :param template: as parsed; anything else is given back.
    :returns: a new template, or the same one where there is nothing to do.
    """
    if not isinstance(template, dict) or _VERSION not in template:
        return template
    changed = {}
    for section, rewrite in (('parameters', _parameter),
                             ('resources', without_allow)):
        found = template.get(section)
        if isinstance(found, dict):
            new = {name: rewrite(each) for name, each in found.items()}
            if new != found:
                changed[section] = new
    return {**template, **changed} if changed else template


def _parameter(schema):
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


def _files(files):
    """Rewrite the templates among the files of a template."""
    if not isinstance(files, dict):
        return files
    new = {name: _file(text) for name, text in files.items()}
    return new if new != files else files


def _file(text):
    if not isinstance(text, str) or not (UPDATABLE in text or ALLOW in text):
        return text
    # Here, for the operator's tool otherwise loads nothing of Heat.
    from heat.common import template_format
    try:
        found = template_format.simple_parse(text)
    except ValueError:
        # A script, say.
        return text
    new = rewritten(found)
    # JSON is YAML: nothing that Heat reads from it gets lost.
    return text if new is found else json.dumps(new)


def _snapshot(data):
    if not isinstance(data, dict):
        return data
    changed = {key: rewrite(data[key]) for key, rewrite in (
        ('template', rewritten), ('files', _files)) if key in data}
    new = {**data, **changed}
    return new if new != data else data


_stack, _template = heat_tables.stack, heat_tables.raw_template
_files_row = heat_tables.raw_template_files
_snapshot_row = heat_tables.snapshot
_PLACES = (
    (_template, {'template': rewritten, 'files': _files}),
    (_files_row, {'files': _files}),
    (_snapshot_row, {'data': _snapshot}))


@dataclasses.dataclass(frozen=True)
class Change:
    """A stored text that has words of ours.

    :param kind: ``template``, ``files`` or ``snapshot``.
    :param id: of its row.
    :param owner: the stack that it is of, as people are told it.
    """

    kind: str
    id: object
    owner: str


def changes(engine):
    """List what :func:`rewrite` would change, as :class:`Change`."""
    with engine.connect() as connection:
        return [_change(connection, table, row_id)
                for table, row_id, _ in _changes(connection)]


def rewrite(engine):
    """Rewrite all of them.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: what was changed, as :class:`Change`.
    """
    with engine.begin() as connection:
        found = list(_changes(connection))
        named = [_change(connection, table, row_id)
                 for table, row_id, _ in found]
        for table, row_id, values in found:
            connection.execute(sql.update(table).where(
                table.c.id == row_id).values(values))
            if table.name == _files_row.name:
                _renumber(connection, row_id, values)
        return named


def _renumber(connection, old, values):
    """Give the templates that have files a new row with the same content.

    Engines remember files by the number of their row and never read them
    again (heat.engine.template_files); the old row stays for those that are
    about to store a template with it.
    """
    new, = connection.execute(sql.insert(_files_row).values(
        created_at=timeutils.utcnow(), **values)).inserted_primary_key
    connection.execute(sql.update(_template).where(
        _template.c.files_id == old).values(files_id=new))


def _change(connection, table, row_id):
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


def _changes(connection):
    for table, rewriters in _PLACES:
        for row in _suspects(connection, table, list(rewriters)):
            values = {name: _text(getattr(row, name), rewriter)
                      for name, rewriter in rewriters.items()}
            values = {name: value for name, value in values.items()
                      if value is not None}
            if values:
                yield table, row.id, values


def _suspects(connection, table, names):
    """Read the rows that say one of our words anywhere, some at a time.

    Many a template has "allowed_values".
    """
    words = [table.c[name].contains(word) for name in names
             for word in (UPDATABLE, ALLOW)]
    ids = connection.scalars(sql.select(table.c.id).where(sql.or_(*words))
                             .order_by(table.c.id)).all()
    for some in batches.split(ids):
        yield from connection.execute(
            sql.select(table).where(table.c.id.in_(some))
            .order_by(table.c.id)).all()


def _text(stored, rewriter):
    """Rewrite the text of a JSON column; None where nothing changes."""
    found = None if stored is None else json.loads(stored)
    new = rewriter(found)
    return None if new is found else json.dumps(new)
