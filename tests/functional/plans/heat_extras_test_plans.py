# SPDX-License-Identifier: Apache-2.0

"""Write down what nested stacks would become, before an action begins."""

import json
import os
import pathlib

from heat.engine import lifecycle_plugin
from heat.engine import resource as heat_resource
from heat.engine.resources import stack_resource

from heat_extras.lifecycle import plugin_api
from heat_extras.plan import nested_plan
from heat_extras.plan import stack_plan

DIRECTORY = pathlib.Path(os.environ['HEAT_EXTRAS_TEST_PLANS'])


def _shown(template):
    return {'template': template.t, 'environment': template.env.env_as_dict(),
            'files': sorted(template.files)}


def _plan(after, current, name):
    """Plan a nested stack."""
    resource = heat_resource.Resource(
        name, after.defn.resource_definition(name), after)
    if not isinstance(resource, stack_resource.StackResource):
        return None
    if current is None:
        return _shown(nested_plan.new_stack(resource).t)
    plan = stack_plan.load_plan(after.context, current.id, after.t)
    return _shown(plan.child(name).planned.t)


class Planner(lifecycle_plugin.LifecyclePlugin):
    """Plan the nested stacks of roots."""

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        now, after = plugin_api.bare(stack), plugin_api.bare(current_stack)
        if now.owner_id is not None or action not in ('CREATE', 'UPDATE'):
            return
        current = None if action == 'CREATE' else now
        after = now if action == 'CREATE' else after
        plans = {name: _plan(after, current, name)
                 for name in after.defn.enabled_rsrc_names()}
        path = DIRECTORY / f'{now.name}-{action}'
        path.write_text(json.dumps(plans, default=str))

    def do_post_op(self, *args, **kwargs):
        """Do nothing."""

    def get_ordinal(self):
        return 100
