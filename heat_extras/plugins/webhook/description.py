# SPDX-License-Identifier: Apache-2.0

"""Describe an action to a service, without hidden parameters."""

from heat_extras.lifecycle import public
from heat_extras.plugins import origin

VERSION = 1

_MADE = ('CREATE', 'ADOPT')


def describe(context, stack, new_stack, action, **call):
    """Describe one call.

    :param call: which one, and how the action ended.
    :returns: what JSON can take.
    """
    operation_id = stack.operation_id
    stack, new_stack = public.bare(stack), public.bare(new_stack)
    old = None if action in _MADE else stack
    new = stack if action in _MADE else new_stack
    shown = [one for one in (old, new) if one is not None]
    views = dict(zip(map(id, shown), origin.views(stack, shown),
                     strict=True))
    return {
        'version': VERSION, 'operation_id': operation_id, 'action': action,
        **call, 'user': {'id': context.user_id, 'roles': context.roles,
                         'project': context.project_id},
        'stack': _about(stack, context, views[id(stack)].name),
        'old': _content(views.get(id(old))),
        'new': _content(views.get(id(new)))}


def _about(stack, context, name):
    return {'id': stack.id, 'name': name, 'owner': stack.owner_id,
            'project': stack.tenant_id, 'tags': list(stack.tags or ()),
            'domain': getattr(context, 'project_domain_id', None)}


def _content(shown):
    return shown and {'template': shown.document,
                      'parameters': shown.parameters}
