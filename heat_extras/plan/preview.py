# SPDX-License-Identifier: Apache-2.0

"""The plan of an update in the response of a preview.

The reasons of changes contain names only, never a value.

Values of hidden parameters are compared by digests. Their key is the
encryption key of the engines, so that nobody can guess a value from a digest.
A client cannot know which parameters are hidden: Heat hides a parameter for
each value of ``hidden`` that is true for Python, and engines have templates
that clients do not have.
"""

import collections
import contextlib
import dataclasses
import hashlib
import secrets

from heat.common import template_format
from heat.db import api as db_api
from heat.db import models
from heat.engine import template as heat_template
import sqlalchemy

from heat_extras.db import live_engines
from heat_extras.db import tree_queries
from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import heartbeat
from heat_extras.plan import change
from heat_extras.plan import resource_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import stack_plan
from heat_extras.plan import tree_plan
from heat_extras.plan import unknown
from heat_extras.pre_update_state import current_update

ACTIONS = {change.UNCHANGED: reviewed_request.UNCHANGED,
           change.UPDATE: reviewed_request.UPDATED,
           change.REPLACE: reviewed_request.REPLACED,
           change.REMOVE: reviewed_request.REMOVED,
           change.ADD: reviewed_request.ADDED}

PROPERTY, UNKNOWN_VALUE = 'property', 'unknown_value'
KINDS = (PROPERTY, UNKNOWN_VALUE, 'resource_type', 'unhealthy', 'failed',
         'in_progress', 'predecessor', 'metadata', 'update_policy',
         'type_decision', 'nested_stack', 'condition', 'not_in_template',
         'not_planned')


@dataclasses.dataclass(frozen=True)
class Reason:
    """One reason of a change.

    :param kind: one of :data:`KINDS`.
    :param name: of the property.
    :param forces_replacement: whether the resource must be replaced. None if
        that is not known.
    :param sources: each :class:`unknown.Source` that the value depends on.
    """

    kind: str
    message: str
    name: str | None = None
    forces_replacement: bool | None = None
    sources: tuple = ()


_WITH_STACK = Reason(
    'nested_stack', 'the nested stack that contains it is removed or replaced')
_MAYBE_WITH_STACK = Reason(
    'nested_stack', 'the nested stack that contains it may be removed or '
                    'replaced')

_STATES = {'CHECK': Reason(
    'unhealthy', 'it is marked as unhealthy (CHECK_FAILED)',
    forces_replacement=True)}

_stack = models.Stack.__table__
_REVISION = ('id', 'owner_id', 'raw_template_id', 'prev_raw_template_id',
             'current_traversal')

# An engine needs both features to apply a plan.
_FEATURES = ('plan', 'update_policy')


def plan_body(context, stack, updated):
    """Return the lists that are added to a preview.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    """
    entries = tree_plan.list_entries(stack_plan.plan_update(stack, updated))
    update = guard.PlannedUpdate(stack, updated, entries)
    stops = collections.defaultdict(list)
    for each in gate.list_stops(context, update):
        stops[each.path].append(each.body())
    known = {'/'.join(entry.path) for entry in entries
             if entry.placeholder is None}
    return {'plan': [_entry_body(entry, stops) for entry in entries],
            'plan_stops': [each for path in stops if path not in known
                           for each in stops[path]],
            'plan_source': _describe_source(stack, updated),
            'plan_hidden': [
                {'name': name, 'template': template or None}
                for name, template in _list_hidden_defaults(
                    stack, updated, entries)]}


def list_changes(stack, updated):
    """List the entries of a plan with the fields that a reviewed plan has."""
    return [_change_body(entry) for entry in tree_plan.list_entries(
        stack_plan.plan_update(stack, updated))]


def _entry_body(entry, stops):
    body = _change_body(entry)
    return {
        'path': body['path'],
        'resource_name': None if entry.placeholder else entry.name,
        reviewed_request.PLACEHOLDER: entry.placeholder,
        'resource_type': entry.resource_type,
        'physical_resource_id': entry.physical_id, **body,
        'order': entry.order,
        'reasons': [_reason_body(each) for each in _list_reasons(entry)],
        'stops': [] if entry.placeholder else stops.get(body['path'], [])}


def _change_body(entry):
    return {
        'path': '/'.join(entry.path),
        reviewed_request.PLACEHOLDER: entry.placeholder,
        'action': ACTIONS[entry.change.shown_action],
        'certainty': (
            reviewed_request.UNKNOWN if not entry.change.is_known else
            reviewed_request.WILL if entry.change.will_happen else
            reviewed_request.MAY)}


def _list_reasons(entry):
    """Return a tuple with each :class:`Reason` of a change.

    :param entry: the :class:`tree_plan.Entry`.
    """
    if entry.placeholder == reviewed_request.OTHERS:
        return ()
    if entry.own_change is None:
        return (_WITH_STACK,)
    own = _own_reasons(entry.plan, entry.name, entry.own_change)
    return own if entry.change == entry.own_change else (
        *own, _MAYBE_WITH_STACK)


def _own_reasons(plan, name, planned):
    if planned.action == change.UNCHANGED:
        return ()
    if planned.action == change.ADD or name not in plan.new_names:
        return tuple(_presence_reasons(plan, name, planned))
    with unknown.suppress_errors():
        return tuple(_change_reasons(plan, name, planned))
    return (Reason('not_planned', resource_plan.NOT_PLANNED),)


def _presence_reasons(plan, name, planned):
    if not plan.is_enabled_for_certain(name):
        yield Reason('condition', 'its condition depends on a value that is '
                     'not known yet')
    elif planned.action == change.REMOVE and name not in plan.new_names:
        is_disabled = name in (plan.planned.t.t.get(
            plan.planned.t.RESOURCES) or {})
        yield (Reason('condition', 'its condition is false') if is_disabled
               else Reason('not_in_template', 'the new template does not '
                                              'contain it'))


def _change_reasons(plan, name, planned):
    if not planned.is_known:
        yield Reason('not_planned', planned.reason)
        return
    yield from _presence_reasons(plan, name, planned)
    if plan.changes_type(name):
        yield Reason('resource_type', 'its type changes',
                     forces_replacement=True)
        return
    if plan.has_predecessor(name) and planned.reason is not None:
        yield Reason('predecessor', planned.reason, forces_replacement=True)
        return
    rest = list(_state_reasons(plan, name, planned))
    rest += _value_reasons(plan, name)
    yield from rest
    if planned.action == change.REPLACE and planned.is_certain and not any(
            each.forces_replacement for each in rest):
        yield Reason('type_decision', 'its resource type requires this change',
                     forces_replacement=True)
    elif planned.may_replace and not plan.unresolved(name):
        yield Reason('type_decision', 'its resource type may decide during '
                     'the update to replace it')
    elif not rest:
        yield (Reason('nested_stack', 'its template changes')
               if plan.is_nested(name) else
               Reason('type_decision', 'its resource type requires this '
                                       'change'))


def _state_reasons(plan, name, planned):
    row = plan.rows[name]
    if name in plan.present.in_progress:
        yield Reason('in_progress', f'its {row.action} is in progress')
    if row.status == 'FAILED' and planned.action == change.REPLACE and (
            planned.is_certain):
        interrupted = plan.present.interrupted.get(name)
        yield not interrupted and _STATES.get(row.action) or Reason(
            'failed', f'its {interrupted} was interrupted, because the engine '
            'is down' if interrupted else f'it is {row.action}_FAILED',
            forces_replacement=True)
    if planned.action == change.REMOVE:
        yield Reason('failed', 'its deletion has failed, and Heat removes it '
                     'from the stack without another attempt')


def _value_reasons(plan, name):
    current = plan.current(name)
    after = plan.known_definition(name)
    for key, forces in resource_plan.changed_properties(current, after):
        yield Reason(PROPERTY, f'property "{key}" changes' + (
            ' and forces a replacement' if forces else ''), key, forces)
    schema = current.properties_schema
    for key in sorted(plan.unresolved(name)):
        allowed = key in schema and schema[key].update_allowed
        sources = plan.sources(name, key)
        yield Reason(UNKNOWN_VALUE, _describe(key, sources),
                     None if key == unknown.ALL else key,
                     None if allowed or key == unknown.ALL else True, sources)
    difference = after.freeze() - current.frozen_definition()
    if after.freeze().metadata() != current.frozen_definition().metadata():
        yield Reason('metadata', 'its metadata changes')
    if difference.update_policy_changed():
        yield Reason('update_policy', 'its update_policy changes')


def _describe(key, sources):
    subject = ('the properties depend' if key == unknown.ALL
               else f'property "{key}" depends')
    named = [f'parameter {each.name}' if each.kind == unknown.PARAMETER
             else f'{each.attribute} of {each.name}' if each.attribute
             else each.name for each in sources]
    text = ', '.join(named) if named else 'a value'
    return f'{subject} on {text} (not known yet)'


def _reason_body(reason):
    return {
        'kind': reason.kind, 'message': reason.message,
        'property': reason.name,
        'forces_replacement': reason.forces_replacement,
        'waits_for': [{'kind': each.kind, 'name': each.name,
                       'attribute': each.attribute or None}
                      for each in reason.sources]}


def _describe_source(stack, updated):
    """Return the field ``plan_source`` of a preview.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    :returns: a dict, or None if an engine would ignore a reviewed plan.
    """
    if list_engines_without(stack.context):
        return None
    salt = secrets.token_hex(16)
    return {
        reviewed_request.REVISION: compute_revision(stack.context, stack.id),
        reviewed_request.SALT: salt,
        reviewed_request.HIDDEN: {
            name: compute_digest(salt, updated, name)
            for name in _list_hidden_of_root(stack, updated)}}


def _list_hidden_of_root(stack, updated):
    """List the parameters of the new root template that are hidden.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    :returns: sorted names, also of those that only the current template hides.
    """
    current = _list_hidden(stack.t)
    return sorted(name for name, schema in updated.t.param_schemata().items()
                  if schema.hidden or name in current)


def _list_hidden_defaults(stack, updated, entries):
    """List the parameters that must not have a default in an environment.

    A default can be in use by several templates. The file of an update has no
    defaults of hidden root parameters, so other templates would miss them.

    :param entries: each :class:`heat_extras.plan.tree_plan.Entry`.
    :returns: sorted pairs of the name of a parameter and a template: its file,
        the path of its nested stack, or an empty text for the current root.
    """
    root = set(_list_hidden_of_root(stack, updated))
    found = {(name, '') for name in _list_hidden(stack.t) - root}
    found |= _list_in(_files(stack, updated), root)
    known = {name for name, _ in found}
    # For example, of the global environment.
    return sorted(found | {(name, path) for name, path in _list_in(
        _nested_templates(entries), root) if name not in known})


def _list_in(templates, root):
    return {(name, path) for path, template in templates
            for name in _list_hidden(template) | (
                root & template.param_schemata().keys())}


def _list_hidden(template):
    return {name for name, schema in template.param_schemata().items()
            if schema.hidden}


def _files(*stacks):
    for stack in stacks:
        for path, text in stack.t.files.items():
            # Most other files are not valid templates.
            with contextlib.suppress(Exception):
                template = heat_template.Template(template_format.parse(text))
                template.param_schemata()
                yield path, template


def _nested_templates(entries):
    for path, plan in {'/'.join(entry.path[:-1]): entry.plan
                       for entry in entries if len(entry.path) > 1}.items():
        yield path, plan.stack.t
        yield path, plan.planned.t


def list_engines_without(context):
    """List the live engines that would ignore a reviewed plan.

    :returns: a sorted list of ``host (engine ID)``.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = live_engines.read_live(session)
    return sorted(heartbeat.describe_engine(row) for row in rows if not all(
        live_engines.has_feature(row, feature) for feature in _FEATURES))


def compute_revision(context, stack_id):
    """Return a digest that changes with each update of a stack tree."""
    tree = tree_queries.select_subtree(_stack, _stack.c.id == stack_id,
                                       _REVISION)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = sorted(str(tuple(row))
                      for row in session.execute(sqlalchemy.select(tree)))
    return hashlib.sha256('\n'.join(rows).encode()).hexdigest()


def compute_digest(salt, stack, name):
    """Return the digest of the value of a parameter.

    :param stack: a heat.engine.stack.Stack with this parameter.
    """
    return current_update.compute_digest([salt, name, stack.parameters[name]])
