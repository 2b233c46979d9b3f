# SPDX-License-Identifier: Apache-2.0

"""Make the content of a nested stack once more.

Of the definition of the resource around it, in which marks stand for what is
withheld. Nothing is stored, and no service is asked: what is fetched by a URL
cannot be made.
"""

import copy
import dataclasses
import json
import re

from heat.engine import environment
from heat.engine import resource as heat_resource
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources.openstack.heat import autoscaling_group
from heat.engine.resources.openstack.heat import resource_group
from heat.engine.resources import template_resource
from heat.engine import rsrc_defn
from heat.engine import template as templates

from heat_extras.plugins import hidden
from heat_extras.plugins import withheld
from heat_extras.update_plan import group_templates

# What groups call their members (heat.common.short_id, and by index).
_RANDOM = re.compile('[a-z2-7]{12}')
_INDEX = re.compile('[0-9]{1,4}')


@dataclasses.dataclass(frozen=True)
class Origin:
    """What a nested stack is made of, with marks.

    :param document: its template.
    :param parameters: their values by name.
    """

    document: dict
    parameters: dict


def plain(value):
    """Return a value as it would come out of a database."""
    return json.loads(json.dumps(value, default=str))


def values(parameters):
    """Return the values of Heat's Parameters; None for what has none."""
    return {name: _value(parameters, name) for name in parameters.params}


@withheld.unless_withheld
def _value(parameters, name):
    return plain(parameters[name])


def make(owner, child, template, defn, definition):
    """Make the content of a nested stack.

    :param owner: the stack around it.
    :param child: the stack as it is.
    :param template: the one that it has.
    :param defn: the StackDefinition of the owner, without what is withheld.
    :param definition: that of the resource, with marks.
    :returns: an :class:`Origin`, or None.
    """
    planned = copy.copy(owner)
    planned._resources = planned._dependencies = None
    # So that it finds nothing in the database: that may be older.
    planned.id, planned._db_resources = None, {}
    planned.defn = defn
    kind = defn.env.registry.get_class_to_instantiate(
        definition.resource_type, resource_name=definition.name)
    if issubclass(kind, template_resource.TemplateResource):
        return _of_file(planned, child, definition)
    if issubclass(kind, cfn_stack.NestedStack) or not _is_made(
            kind, definition):
        return None
    found = heat_resource.Resource(definition.name, definition, planned)
    # A ResourceGroup that has none asks other engines for its members.
    found.resource_id = child.id or child.name
    document = _document(found, template)
    return Origin(document, values(_declared(
        document, child, found.child_params(), defn.env)))


def _is_made(kind, definition):
    # Marks in what goes into each member do no harm; elsewhere they would
    # decide what is made.
    body = group_templates.MEMBER.get(kind)
    return not any(
        hidden.is_marked(value) for key, value
        in (definition._properties or {}).items() if key != body)


def _document(found, template):
    there = list(template.t.get(template.RESOURCES) or ())
    if isinstance(found, autoscaling_group.AutoScalingResourceGroup):
        made = group_templates.of_members(found, [
            name for name in there if _RANDOM.fullmatch(name)])
    elif _has_indexes(found, there):
        made = group_templates.of_members(found, there)
    else:
        made = found.child_template()
    return plain(made.t if isinstance(made, templates.Template) else made)


def _has_indexes(found, there):
    # Which of them it does not use any more is in the database.
    return (type(found) is resource_group.ResourceGroup
            and all(_INDEX.fullmatch(name) for name in there)
            and len(there) == found.get_size())


def _of_file(planned, child, definition):
    if not _is_at_hand(planned, definition):
        return None
    given = definition._properties or {}
    marked = {name for name, value in given.items()
              if hidden.is_marked(value)}
    found = heat_resource.Resource(
        definition.name, rsrc_defn.ResourceDefinition(
            definition.name, definition.resource_type,
            properties={name: value for name, value in given.items()
                        if value != hidden.MASK}), planned)
    params, failed = _parameters(found)
    document = plain(found.child_template())
    told = values(_declared(document, child, params, planned.env))
    # What a type makes of a mark may have none.
    return Origin(document, {
        name: hidden.MASK if name in failed or (
            name in marked and not hidden.is_marked(value)) else value
        for name, value in told.items()})


def _is_at_hand(planned, definition):
    url = planned.env.get_resource_info(
        definition.resource_type, resource_name=definition.name,
        registry_type=environment.TemplateResourceInfo).template_name
    return url in planned.t.files or url.startswith('file:')


def _parameters(found):
    # One by one: a mark may be nothing that one of them takes.
    params, failed = {}, set()
    everything = found.properties.props
    for name in everything:
        found.properties.props = {name: everything[name]}
        try:
            params.update(found.child_params())
        except Exception:
            failed.add(name)
    found.properties.props = everything
    return params, failed


def _declared(document, child, params, env):
    made = templates.Template(document, env=environment.Environment({}))
    return made.parameters(child.identifier(), params,
                           param_defaults=env.param_defaults)
