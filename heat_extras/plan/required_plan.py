# SPDX-License-Identifier: Apache-2.0

"""The tag of stacks that can only be updated with a reviewed plan.

The tag of the root counts for its nested stacks. Requests that Heat sends for
a parent resource, for example to scale a group, need no plan of their own.
"""

from heat.objects import stack_tag
from heat.rpc import api as rpc_api
from oslo_config import cfg

from heat_extras import guard
from heat_extras.heat_internals import guarded_stacks
from heat_extras.plan import errors
from heat_extras.plan import reviewed_request
from heat_extras import rpc_request

_STOPS = ('update', 'replace', 'restore')


def _configured_tag():
    return cfg.CONF.heat_extras.plan_required_tag or None


def check_row(request, row):
    """Reject an update without a plan, or a restore, of a stack with the tag.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises PlanRequired: if the root of the stack has the tag.
    """
    is_restore = request.operation == rpc_request.RESTORE
    if (_configured_tag() is None or request.is_of_parent
            or not (is_restore or _is_update_without_plan(request))):
        return
    root = guarded_stacks.read_root(request.context, row)
    if _has_tag(request.context, root.id):
        name, because = f'Stack {row.name} ({row.id})', _describe_tag(root)
        raise errors.PlanRequired(message=(
            f'{name} cannot be restored, because a restore has no plan, and '
            f'{because}. Update the stack with a plan instead. '
            f'{_how_to_update(row.name)}' if is_restore else
            f'{name} can only be updated with a plan, because {because}. '
            f'Nothing was changed. {_how_to_update(row.name)}'))


def _is_update_without_plan(request):
    return (request.operation == rpc_request.UPDATE and request.arguments[
        'args'].get(reviewed_request.FIELD) is None)


def _has_tag(context, root_id):
    # MySQL and MariaDB would ignore the case of the tag.
    return _configured_tag() in [each.tag for each in stack_tag.StackTagList
                                 .get(context, root_id) or ()]


def _describe_tag(root):
    return f'its root stack {root.name} has the tag {_configured_tag()!r}'


def _how_to_update(name):
    return (f'To make a plan: openstack stack plan {name} ARGUMENTS --out '
            'FILE, where ARGUMENTS are the arguments of the update. To apply '
            f'it: openstack stack update --plan FILE {name}.')


def keep_tag(stack, updated, arguments):
    """Keep the tag if a request has no tags, as Heat would remove it.

    :param updated: the stack after the update.
    """
    # Read them now. For a preview, Heat then sets the ID of the current stack,
    # whose tags would be read later.
    tag, tags = _configured_tag(), updated.tags
    if (tag is not None and stack.owner_id is None
            and arguments.get(rpc_api.STACK_TAGS) is None
            and tag in stack.tags and tag not in tags):
        updated.tags = [*tags, tag]


def list_guards(context, tree):
    """List the tag as a guard of a stack."""
    if _configured_tag() is None:
        return
    root = guarded_stacks.read_root(context, tree.stack)
    if _has_tag(context, root.id):
        yield guard.GuardInfo(
            kind='plan_required', stack_id=tree.stack.id, stops=_STOPS,
            reason=f'updates need a plan, because {_describe_tag(root)}',
            lifted_by='stacks:update',
            how_to_lift=_how_to_update(tree.stack.name))
