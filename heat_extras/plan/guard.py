# SPDX-License-Identifier: Apache-2.0

"""Plans in the answer of a preview, and reviewed plans.

The guard lists the checks of Heat itself that stop an update.
"""

import dataclasses
import functools

from heat.common import exception
from heat.common import policy
from heat.engine import constraints
from heat.engine import properties
from heat.objects import stack as stack_object
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras import guard
from heat_extras.plan import change
from heat_extras.plan import deletion
from heat_extras.plan import preview
from heat_extras.plan import required_plan
from heat_extras.plan import reviewed_creation
from heat_extras.plan import reviewed_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import seal
from heat_extras.plan import unknown
from heat_extras import rpc_request

LOG = logging.getLogger(__name__)

_VALIDATED = (change.ADD, change.UPDATE, change.REPLACE)
_RESTRICTED = {change.UPDATE: 'update', change.REPLACE: 'replace'}


class PlanGuard(guard.Guard):
    """Rejects requests that would differ from their reviewed plan."""

    methods = {'stack_delete_preview': deletion.preview_delete}

    def process(self, request, proceed):
        operation = request.operation
        is_preview = operation == rpc_request.PREVIEW
        is_new_preview = operation == rpc_request.PREVIEW_CREATE
        if is_preview or is_new_preview or reviewed_request.FIELD in (
                request.arguments.get('args') or ()):
            request.received = seal.copy_request(request.arguments)
        if is_new_preview or operation == rpc_request.CREATE:
            return reviewed_creation.process(request, proceed)
        answer = proceed()
        if is_preview:
            return {**answer, **preview.plan_body(
                request.context, request.received, *request.stacks)}
        if request.reviewed_update is not None:
            # Heat reports success if another update has started first.
            request.reviewed_update.check_start()
        return answer

    def check_row(self, request, row):
        required_plan.check_row(request, row)

    def prepare_update(self, update, proceed):
        def prepare():
            # A plan without changes keeps the tag, too.
            prepared = proceed()
            required_plan.keep_tag(*prepared[1:], update.arguments)
            return prepared

        plan = update.arguments.get(reviewed_request.FIELD)
        return (prepare() if plan is None
                else reviewed_plan.prepare(update, plan, prepare))

    def store(self, stack, proceed):
        reviewed_creation.check(stack)
        return proceed()

    def list_guards(self, context, tree):
        return required_plan.list_guards(context, tree)

    def format_preview(self, info, stack):
        reviewed_creation.check(stack)
        request = rpc_request.current()
        try:
            info.update(preview.plan_body(
                stack.context, request and request.received, stack))
        except Exception:
            # Heat itself can preview the stack.
            LOG.exception('No plan of the creation of stack %(name)s',
                          {'name': stack.name})

    def list_stops(self, context, update):
        is_quota_reached = _is_quota_reached(context, update.is_creation)
        return [*(() if update.is_creation else _stack_stops(update.stack)), *(
            stop for entry in update.entries for stop in (
                *_resource_stops(entry),
                *_nested_stops(entry, is_quota_reached)))]


def _stack_stops(stack, path=None):
    # Same as EngineService.update_stack and
    # ThreadGroupManager.start_with_lock.
    for action in (stack.SUSPEND, stack.DELETE):
        if stack.action == action:
            yield guard.Stop(
                'NotSupported', f'Stack {stack.name} cannot be updated after '
                f'{action}_{stack.status}.', path,
                is_before_start=path is None)
    if stack.status == stack.IN_PROGRESS and not stack.convergence:
        yield guard.Stop(
            'ActionInProgress',
            f'{stack.action} of stack {stack.name} is in progress.', path,
            is_certain=path is None, is_before_start=path is None)


def _resource_stops(entry):
    path = '/'.join(entry.path)
    if entry.change.rejection is not None:
        yield guard.Stop(
            entry.change.rejection_type, entry.change.rejection, path,
            entry.change.will_happen, is_before_start=False)
    if entry.placeholder or entry.name not in entry.plan.new_names:
        return
    for key in _list_invalid(entry):
        yield guard.Stop(
            'StackValidationFailed', f'Property "{key}" of resource {path} '
            'gets a value that the resource type does not allow.', path,
            entry.change.will_happen, is_before_start=False)
    restricted = entry.plan.planned.env.registry.get_rsrc_restricted_actions(
        entry.name)
    action = _find_action(entry)
    if action in restricted:
        yield guard.Stop(
            'ResourceActionRestricted',
            f'The action "{action}" is restricted for resource {path} by '
            'restricted_actions of the environment.', path,
            is_certain=entry.change.will_happen, is_before_start=False)


def _list_invalid(entry):
    """List the properties with known values that violate their schema.

    Before an update, Heat does not validate values that refer to resources.
    """
    plan, name = entry.plan, entry.name
    with unknown.suppress_errors():
        hidden = plan.unresolved(name)
        if (entry.change.action in _VALIDATED and entry.change.is_known
                and unknown.ALL not in hidden):
            schemata = plan.new(name).properties_schema
            values = plan.resolve_properties(name)
            return [key for key in sorted(values) if key in schemata
                    and not _is_valid(schemata[key], values[key])]
    return []


def _is_valid(schema, value):
    try:
        # A custom constraint would query a service.
        return value is None or schema.validate_constraints(
            properties.Property(schema).get_value(value),
            skipped=[constraints.CustomConstraint]) is None
    except (TypeError, ValueError, exception.StackValidationFailed):
        return False


def _find_action(entry):
    """Return the action as in ``restricted_actions``, or None."""
    if not entry.plan.exists(entry.name):
        # The legacy engine keeps rows in INIT after a failed creation.
        return (_RESTRICTED[change.REPLACE] if entry.name in entry.plan.rows
                and not entry.plan.stack.convergence else None)
    # Heat treats every nested stack as updated.
    return _RESTRICTED.get(entry.change.shown_action) or (
        _RESTRICTED[change.UPDATE]
        if entry.plan.becomes_nested(entry.name) else None)


def _nested_stops(entry, is_quota_reached):
    """Yield the stops of a nested stack, which Heat checks when it changes."""
    path = '/'.join(entry.path)
    is_kept = not entry.change.destroys and entry.plan.keeps_nested(entry.name)
    nested = _load_nested(entry, is_kept)
    if nested is None:
        return
    if is_kept:
        # Not certain if the stack around it may be replaced.
        yield from (dataclasses.replace(
            stop, is_certain=stop.is_certain and entry.change.keeps_id)
            for stop in _state_stops(nested.stack, path))
    else:
        yield from _creation_stops(entry, path, is_quota_reached)
    yield from _type_stops(entry, nested, path)
    yield from _size_stops(entry, nested, path)


def _size_stops(entry, nested, path):
    limit, template = (cfg.CONF.max_resources_per_stack,
                       nested.planned.defn.t)
    if 0 <= limit < len(template.t.get(template.RESOURCES) or ()):
        yield _limit_stop(
            f'The template of the nested stack {path} has more than {limit} '
            'resources (max_resources_per_stack).', path,
            entry.change.is_certain and nested.inputs.is_known
            and nested.inputs.is_size_known)


def _load_nested(entry, is_kept):
    """Return the plan of a nested stack that will exist, or None."""
    plan, name = entry.plan, entry.name
    with unknown.suppress_errors():
        if (entry.change.action != change.REMOVE
                and plan.becomes_nested(name)):
            return plan.child(name) if is_kept else plan.new_child(name)
    return None


def _state_stops(stack, path):
    if stack.deleted_time is not None:
        yield guard.Stop(
            'EntityNotFound', f'The nested stack {path} ({stack.name}) was '
            'deleted. Mark the resource as unhealthy, so that the update '
            'replaces it.', path, is_before_start=False)
    else:
        yield from _stack_stops(stack, path)


def _type_stops(entry, nested, path):
    try:
        _load_enforcer().enforce_stack(nested.planned,
                                       is_registered_policy=True)
    except exception.Forbidden as error:
        yield guard.Stop('Forbidden', str(error), path,
                         entry.change.is_certain, is_before_start=False)


@functools.cache
def _load_enforcer():
    return policy.ResourceEnforcer()


def _creation_stops(entry, path, is_quota_reached):
    is_certain = entry.change.will_happen
    depth = cfg.CONF.max_nested_stack_depth
    if entry.plan.stack.nested_depth >= depth:
        yield _limit_stop(f'The nested stack {path} would be deeper than '
                          f'{depth} stacks (max_nested_stack_depth).', path,
                          is_certain)
    if is_quota_reached:
        yield _limit_stop(
            f'The nested stack {path} cannot be created, because the project '
            f'has {cfg.CONF.max_stacks_per_tenant} stacks or more '
            '(max_stacks_per_tenant).', path, is_certain)


def _limit_stop(message, path, is_certain):
    return guard.Stop('RequestLimitExceeded', message, path, is_certain,
                      is_before_start=False)


def _is_quota_reached(context, number_of_new):
    # Same as EngineService._validate_new_stack, also for nested stacks.
    limit = cfg.CONF.max_stacks_per_tenant
    return not context.is_admin and 0 <= limit <= (
        stack_object.Stack.count_all(context) + number_of_new)
