# SPDX-License-Identifier: Apache-2.0

"""What a nested stack would become, as Heat would make it.

Nothing is stored or changed. The values of references are those that the
stack around it knows; who calls sees to it that it knows them.
"""

from heat.engine import environment
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.engine import stk_defn

from heat_extras.update_plan import group_templates


def existing(found, now):
    """Return the nested stack that an update of a resource would change.

    :param found: the resource with its new definition.
    :param now: the resource as it is, if there is one; it may be any.
    :returns: None when the update would make a new one.
    """
    if (not isinstance(now, stack_resource.StackResource)
            or now.resource_id is None or _is_replaced(type(now),
                                                       type(found))):
        return None
    return now.nested()


def _is_replaced(before, after):
    return before is not after and not before.check_is_substituted(after)


def template(found, now=None):
    """Return the heat.engine.template.Template that Heat would store.

    Its environment and its files are those that the nested stack would get.

    :param found: the resource with its new definition; it is not to be used
        for anything else.
    :param now: as that of :func:`existing`.
    """
    before = existing(found, now) if group_templates.is_group(found) else None
    made = (found.child_template() if before is None
            else group_templates.updated(found, now, before))
    # As StackResource._parse_nested_stack, which also asks other engines how
    # many resources the tree has.
    return found._child_parsed_template(
        made, environment.get_child_environment(
            found.stack.env, found.child_params(),
            child_resource_name=found.name,
            item_to_remove=found.resource_info))


def definition(found, now=None):
    """Return the same as a heat.engine.stk_defn.StackDefinition."""
    made = template(found, now)
    return stk_defn.StackDefinition(found.context, made,
                                    found.nested_identifier(), None)


def stack(found, now=None):
    """Return the same as a heat.engine.stack.Stack, which has no id.

    Its parameters know the id of the stack that is there.
    """
    before, around = existing(found, now), found.stack
    if before is None:
        name, owner_id = f'{around.name}-{found.name}', around.id
        known, depth = around, around.nested_depth + 1
    else:
        name, owner_id = before.name, before.owner_id
        known, depth = before, before.nested_depth
    after = heat_stack.Stack(
        around.context, name, template(found, now), disable_rollback=True,
        parent_resource=found.name, owner_id=owner_id,
        user_creds_id=known.user_creds_id,
        stack_user_project_id=known.stack_user_project_id,
        nested_depth=depth, strict_validate=False)
    after.set_parent_stack(around)
    if before is not None:
        after.parameters.set_stack_id(before.identifier())
    return after
