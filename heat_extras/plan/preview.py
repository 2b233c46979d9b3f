# SPDX-License-Identifier: Apache-2.0

"""The plan of an update or a creation in the response of a preview.

Values of hidden parameters are compared by digests. Their key is the
encryption key of the engines, so that nobody can guess a value from a digest.
A client cannot know which parameters are hidden: Heat hides a parameter for
each value of ``hidden`` that is true for Python, and engines have templates
that clients do not have.
"""

import collections
import hashlib
import secrets

from heat.db import api as db_api
from heat.db import models
from heat.engine import template
from oslo_serialization import jsonutils
import sqlalchemy

from heat_extras.db import tree_queries
from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import current_update
from heat_extras.heat_internals import heartbeat
from heat_extras.plan import change
from heat_extras.plan import hidden_parameters
from heat_extras.plan import hidden_values
from heat_extras.plan import property_values
from heat_extras.plan import reviewed_request
from heat_extras.plan import seal
from heat_extras.plan import stack_plan
from heat_extras.plan import tree_plan

ACTIONS = {change.UNCHANGED: reviewed_request.UNCHANGED,
           change.UPDATE: reviewed_request.UPDATED,
           change.REPLACE: reviewed_request.REPLACED,
           change.REMOVE: reviewed_request.REMOVED,
           change.ADD: reviewed_request.ADDED}

_stack = models.Stack.__table__
_REVISION = ('id', 'owner_id', 'raw_template_id', 'prev_raw_template_id',
             'current_traversal')

# An engine needs both features to apply a plan.
_FEATURES = ('plan', 'update_policy')


def plan_body(context, received, stack, updated=None):
    """Return the lists that are added to a preview.

    :param received: the request, see :func:`seal.copy_request`. None if Heat
        calls its preview itself: the plan cannot be applied.
    :param stack: the current heat.engine.stack.Stack, or the new stack.
    :param updated: the stack with its new template, or None for a creation.
    """
    plan = (stack_plan.plan_create(stack) if updated is None
            else stack_plan.plan_update(stack, updated))
    entries = tree_plan.list_entries(plan)
    update = guard.PlannedUpdate(stack, updated, plan, entries)
    updated = updated or stack
    stops = collections.defaultdict(list)
    for each in gate.list_stops(context, update):
        stops[each.path].append(each.body())
    known = {'/'.join(entry.path) for entry in entries
             if entry.placeholder is None}
    hidden = hidden_parameters.HiddenParameters(stack, updated, entries)
    body = _entry_bodies(entries, hidden, stops)
    plan_stops = jsonutils.loads(jsonutils.dumps(
        [each for path in stops if path not in known for each in stops[path]]))
    return {'plan': body, 'plan_stops': plan_stops,
            'plan_changes_stack': updated is not stack and (
                changes_definition(stack, updated)),
            'plan_source': received and _describe_source(
                stack, updated, received, entries, body, plan_stops),
            'plan_hidden': [
                {'name': name, 'template': template or None}
                for name, template in hidden.list_defaults()]}


def list_changes(stack, updated):
    """List the entries of a plan with the fields that a reviewed plan has."""
    return [_change_body(entry) for entry in tree_plan.list_entries(
        stack_plan.plan_update(stack, updated))]


def describe_creation(stack):
    """Describe what the creation of a stack would do.

    :returns: the list ``plan`` of a preview, without stops, and a digest that
        changes with it.
    """
    entries = tree_plan.list_entries(stack_plan.plan_create(stack))
    plan = _entry_bodies(entries, hidden_parameters.HiddenParameters(
        stack, stack, entries), {})
    return plan, _compute_creation_revision(entries, plan)


def _entry_bodies(entries, hidden, stops):
    values = property_values.PropertyValues(
        hidden_values.HiddenValues(entries, hidden.names))
    # The client computes a digest of what it gets.
    return jsonutils.loads(jsonutils.dumps([
        _entry_body(entry, stops, values) for entry in entries]))


def _entry_body(entry, stops, values):
    body = _change_body(entry)
    return {
        'path': body['path'],
        'resource_name': None if entry.placeholder else entry.name,
        reviewed_request.PLACEHOLDER: entry.placeholder,
        'resource_type': entry.resource_type,
        'physical_resource_id': entry.physical_id, **body,
        'order': entry.order,
        'reasons': values.list_reasons(entry),
        'values': values.list_bodies(entry),
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


def _describe_source(stack, updated, received, entries, plan, stops):
    """Return the field ``plan_source`` of a preview.

    :param stack: the current heat.engine.stack.Stack, or the new stack.
    :param updated: the stack with its new template.
    :param received: the request, see :func:`seal.copy_request`.
    :returns: a dict, or None if an engine would ignore a reviewed plan.
    """
    is_creation = stack.id is None
    # A creation is only checked by the engine that starts it.
    if not is_creation and list_engines_without(stack.context):
        return None
    salt = secrets.token_hex(16)
    source = {
        reviewed_request.REVISION: (
            _compute_creation_revision(entries, plan) if is_creation
            else compute_revision(stack.context, stack.id)),
        reviewed_request.SALT: salt,
        reviewed_request.HIDDEN: {
            name: compute_digest(salt, updated, name)
            for name in hidden_parameters.list_of_root(stack, updated)},
        reviewed_request.DIGEST: reviewed_request.compute_digest(plan, stops),
        reviewed_request.SEAL: ''}
    planned = reviewed_request.parse(
        reviewed_request.make(source, plan, stops))
    return {**source, reviewed_request.SEAL: seal.make(
        stack, received, planned, updated.t.files)}


def list_engines_without(context):
    """List the live engines that would ignore a reviewed plan.

    :returns: a sorted list of ``host (engine ID)``.
    """
    return heartbeat.describe_engines_without(context, *_FEATURES)


def compute_revision(context, stack_id):
    """Return a digest that changes with each update of a stack tree."""
    tree = tree_queries.select_subtree(_stack, _stack.c.id == stack_id,
                                       _REVISION)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = sorted(str(tuple(row))
                      for row in session.execute(sqlalchemy.select(tree)))
    return hashlib.sha256('\n'.join(rows).encode()).hexdigest()


def changes_definition(stack, updated):
    """Return whether an update changes more of a stack than its resources.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack after the update.
    """
    # Heat can have added files and defaults of parameters to the template of
    # the current stack (EngineService._prepare_stack_updates).
    stored = template.Template.load(stack.context, stack.t.id)
    return _definition(stack, stored) != _definition(updated, updated.t)


def _definition(stack, source):
    return (source.t, seal.decode_files(source.files),
            source.env.user_env_as_dict(), stack.tags or [],
            stack.timeout_mins, stack.disable_rollback)


def _compute_creation_revision(entries, plan):
    # A freeze or another stop can end before the creation. A class can change
    # with the global environment, without another plan.
    return reviewed_request.CREATION + reviewed_request.compute_digest(
        [{**body, 'stops': [], 'class': str(entry.new_class)}
         for entry, body in zip(entries, plan, strict=True)], [])


def list_other_hidden(planned, stack):
    """List the hidden parameters with another value than in a plan, sorted.

    :param planned: the :class:`reviewed_request.Request`.
    :param stack: the updated or the new heat.engine.stack.Stack.
    """
    return [name for name, digest in sorted(planned.hidden.items())
            if name not in stack.parameters
            or digest != compute_digest(planned.salt, stack, name)]


def compute_digest(salt, stack, name):
    """Return the digest of the value of a parameter.

    :param stack: a heat.engine.stack.Stack with this parameter.
    """
    return current_update.compute_digest([salt, name, stack.parameters[name]])
