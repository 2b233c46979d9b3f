# SPDX-License-Identifier: Apache-2.0

"""The plan of an update in the response of a preview.

Values of hidden parameters are compared by digests. Their key is the
encryption key of the engines, so that nobody can guess a value from a digest.
A client cannot know which parameters are hidden: Heat hides a parameter for
each value of ``hidden`` that is true for Python, and engines have templates
that clients do not have.
"""

import collections
import contextlib
import secrets

from heat.common import template_format
from heat.db import api as db_api
from heat.engine import template as heat_template

from heat_extras.db import live_engines
from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import heartbeat
from heat_extras.plan import change
from heat_extras.plan import reviewed_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import stack_plan
from heat_extras.plan import tree_plan
from heat_extras.pre_update_state import baseline

ACTIONS = {change.UNCHANGED: reviewed_request.UNCHANGED,
           change.UPDATE: reviewed_request.UPDATED,
           change.REPLACE: reviewed_request.REPLACED,
           change.REMOVE: reviewed_request.REMOVED,
           change.ADD: reviewed_request.ADDED}


# An engine needs both features to apply a plan.
_FEATURES = ('plan', 'update_policy')


def plan_body(context, stack, updated):
    """Return the lists that are added to a preview.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    """
    entries = _list_entries(stack, updated, is_preview=True)
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


def list_entry_bodies(stack, updated):
    """List the entries of a plan as in a preview, without their stops."""
    return [_entry_body(entry, {}) for entry in _list_entries(stack, updated)]


def _list_entries(stack, updated, is_preview=False):
    return tree_plan.list_entries(
        stack_plan.plan_update(stack, updated, is_preview))


def _entry_body(entry, stops):
    path = '/'.join(entry.path)
    return {
        'path': path, 'resource_name': entry.name,
        reviewed_request.PLACEHOLDER: entry.placeholder,
        'resource_type': entry.resource_type,
        'physical_resource_id': entry.physical_id,
        'action': ACTIONS[entry.change.shown_action],
        'certainty': (
            reviewed_request.UNKNOWN if not entry.change.is_known else
            reviewed_request.WILL if entry.change.will_happen else
            reviewed_request.MAY),
        'order': entry.order,
        'reasons': [_reason_body(each) for each in entry.reasons],
        'stops': [] if entry.placeholder else stops.get(path, [])}


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
        reviewed_request.REVISION: reviewed_plan.compute_revision(
            stack.context, stack.id),
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


def compute_digest(salt, stack, name):
    """Return the digest of the value of a parameter.

    :param stack: a heat.engine.stack.Stack with this parameter.
    """
    return baseline.compute_digest([salt, name, stack.parameters[name]])
