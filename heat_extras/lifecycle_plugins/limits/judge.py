# SPDX-License-Identifier: Apache-2.0

"""Judge an action by the operator's rules, and tell of what is wrong."""

import functools

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import planned_resources
from heat_extras.lifecycle_plugins.limits import remade
from heat_extras.lifecycle_plugins.limits import resource_count
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras.lifecycle_plugins.limits import subject
from heat_extras import sanitize
from heat_extras.update_plan import stack_plan

_MADE = ('CREATE', 'ADOPT')
_CHANGED = ('UPDATE', 'RESTORE')


def judge(rules, context, stack, new_stack, action):
    """Judge what an action would make of a stack.

    A rollback goes back to what was allowed once, and other actions change
    nothing that rules are about.

    :raises Denied: with all violations.
    """
    if action in _CHANGED and new_stack is not None:
        after = new_stack
    elif action in _MADE:
        after = stack
    else:
        return
    found = evaluate.violations(rules, _subject(
        context, plugin_api.bare(stack), plugin_api.bare(after), action))
    warnings = _texts(found, True)
    if warnings:
        plugin_api.warn(stack, action, sanitize.listing(warnings))
    denials = _texts(found, False)
    if denials:
        raise plugin_api.Denied(sanitize.listing(denials))


def _texts(found, is_warning):
    return [text for rule, text in found
            if (rule.mode == rules_file.WARN) is is_warning]


def _subject(context, stack, after, action):
    plan = None if action in _MADE else stack_plan.plan_update(stack, after)
    return subject.Subject(
        resources=tuple(planned_resources.own(stack, after, plan)),
        list_nested=functools.partial(planned_resources.inside, after, plan),
        tags=tuple(after.tags or ()), project=stack.tenant_id,
        is_root=stack.owner_id is None,
        there=functools.cache(functools.partial(
            resource_count.there, context, stack)),
        is_remade=_is_remade(plan),
        domain=functools.partial(_domain, context))


def _is_remade(plan):
    known = functools.cache(lambda: remade.Remade(plan))
    return lambda key: plan is not None and known().has(key)


def _domain(context):
    # The token of a request says it; stored credentials do not.
    known = getattr(context, 'project_domain_id', None)
    if known:
        return known
    session = context.keystone_session
    return session.auth.get_access(session).project_domain_id
