# SPDX-License-Identifier: Apache-2.0

"""Words of templates whose feature is off: they do nothing, and are told.

What heat-extras keeps of a stack's templates in columns is kept right also
then, so that it holds when the feature is on again. Stacks without such words
cost no statement.
"""

import contextlib

from heat.common import context as heat_context
from heat.db import api as db_api
from oslo_config import cfg

from heat_extras import activation
from heat_extras.db import charset
from heat_extras.db import guarded
from heat_extras.db import retries
from heat_extras.parameters import rules
from heat_extras.template_syntax import words
from heat_extras.update_policy import policy_flag

PARAMETERS, POLICY = 'parameters', 'update_policy'

# Of a stack: what its templates, those of nested stacks too, say in vain.
_FOUND = 'heat_extras_idle'
_REPLACING = ('UPDATE', 'ROLLBACK', 'RESTORE')
_TOLD = ('CREATE', 'ADOPT', 'UPDATE')


def off():
    """Return the names of the features that are off and have words."""
    return {PARAMETERS, POLICY}.difference(activation.wanted(cfg.CONF))


def remember(entry, path, stack, guarded_names):
    """Remember what a stack that is validated says in vain.

    :param entry: the stack whose validation this is a part of.
    :param path: the names of the resources around *stack* in it.
    :param guarded_names: its resources that have an ``allow``.
    """
    said = {PARAMETERS: _not_updatable(stack.t.t), POLICY: guarded_names}
    if not any(said.values()):
        return
    found = entry.__dict__.setdefault(_FOUND, {})
    for feature in off():
        found.setdefault(feature, set()).update(
            '/'.join((*path, name)) for name in said[feature])


def tell(stack):
    """Add an event to a stack that begins to be what its author wrote."""
    if stack.status != stack.IN_PROGRESS or stack.action not in _TOLD:
        return
    found = stack.__dict__.pop(_FOUND, {})
    if any(found.values()) and stack.owner_id is None:
        # Names in templates may be what no column takes.
        stack._add_event(stack.action, stack.status,
                         charset.line(words.idle(found)))


def note_new(stack):
    """Keep what the template of a stack that is new says in vain."""
    features = off()
    if POLICY in features and policy_flag.has_allow(stack.t):
        _write(guarded.mark, stack.id)
    if PARAMETERS in features and _flags(stack.t.t):
        _write(guarded.write_updatable, stack.id, _flags)


@contextlib.contextmanager
def replaced(stack, template, action, new_stack):
    """Keep what a template says in vain that takes the place of another.

    :param template: the :class:`heat.engine.template.Template` to come.
    :param new_stack: the stack that was validated; None: there is none.
    """
    if action not in _REPLACING:
        yield
        return
    if new_stack is not None:
        stack.__dict__.setdefault(_FOUND, {}).update(
            new_stack.__dict__.get(_FOUND, {}))
    features = off()
    is_about_parameters = PARAMETERS in features and any(
        map(_flags, (stack.t.t, template.t)))
    if POLICY in features and policy_flag.has_allow(template):
        _write(guarded.mark, stack.id)
    try:
        yield
    finally:
        if is_about_parameters:
            _write(guarded.write_updatable, stack.id, _flags)


@retries.on_db_error
def _write(write, *arguments):
    context = heat_context.get_admin_context()
    with db_api.context_manager.writer.independent.using(context) as session:
        # Off may mean that nothing of ours is in the database.
        if guarded.is_there(session.connection()):
            write(session, *arguments)


def _flags(document):
    """Make what the column ``updatable`` holds, by a parsed template."""
    return rules.stored({
        name: rules.is_updatable(name, schema)
        for name, schema in _parameters(document).items()})


def _not_updatable(document):
    return [name for name, schema in _parameters(document).items()
            if schema.get(rules.UPDATABLE) is False]


def _parameters(document):
    found = isinstance(document, dict) and document.get('parameters')
    if not isinstance(found, dict) or 'heat_template_version' not in document:
        return {}
    return {name: schema for name, schema in found.items()
            if isinstance(schema, dict)}
