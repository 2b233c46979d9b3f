# SPDX-License-Identifier: Apache-2.0

"""The list ``restricted`` of an update preview."""

import contextvars

from heat.engine import api

from heat_extras import context_vars
from heat_extras.update_policy import preflight

_stacks = contextvars.ContextVar('heat_extras_previewed', default=None)


def remembering():
    """Collect the stacks that are prepared for a preview in this thread."""
    return context_vars.override(_stacks, [])


def remember(*stacks):
    """Keep the current and the updated stack, if this is a preview."""
    if _stacks.get() is not None:
        _stacks.get()[:] = stacks


def restricted(stacks):
    """List the resources that an update may not treat as it would.

    :param stacks: the current and the updated one.
    :returns: a list of dicts like those of the other lists of a preview,
        with ``restricted_reason`` and ``restricted_action``.
    """
    return [_format(problem)
            for problem in preflight.problems(*stacks)]


def _format(problem):
    found = {'resource_name': problem.name}
    if problem.plan is not None and problem.plan.exists(problem.name):
        found = api.format_stack_resource(problem.plan.current(problem.name))
    return {**found, 'restricted_action': problem.act,
            'restricted_reason': problem.text}
