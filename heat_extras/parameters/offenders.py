# SPDX-License-Identifier: Apache-2.0

"""Check the parameters of nested stacks before an update starts.

Heat checks a nested stack when the update of its parent comes to it, which
fails the parent half-way. Here the values that the children would get are
worked out first, as far as they are known by then; the check that each child
makes itself remains for the rest.
"""

from heat.engine import resource as heat_resource
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources import stack_resource
from heat.engine.resources import template_resource
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.parameters import check
from heat_extras.parameters import rules
from heat_extras.parameters import sources
from heat_extras.update_plan import nested_plan

LOG = logging.getLogger(__name__)

# They are the child's own, and it has them once it is updated.
_PSEUDO = frozenset({'OS::stack_id', 'OS::stack_name', 'AWS::StackId',
                     'AWS::StackName'})


def in_nested(current, updated, operation=rules.Operation.UPDATE):
    """List what an update would change in nested stacks but may not.

    :param current: the :class:`heat.engine.stack.Stack` as it is.
    :param updated: the stack as it would be; neither is changed.
    :returns: a list of ``(path, name, answer)``.
    """
    if not _is_concerned(current, updated, operation):
        return []
    return list(_children(current, updated, operation, frozenset(), ()))


def _is_concerned(current, updated, operation):
    """Tell, without a statement where possible, whether to look at all."""
    if any(defn.resource_type == 'AWS::CloudFormation::Stack'
           for defn in _definitions(updated)):
        # Its template is in no file of ours.
        return True
    if _has_words(updated):
        return True
    asks_stored = (operation is rules.Operation.RESTORE
                   or cfg.CONF.heat_extras.parameter_lift == rules.TWO_STEP)
    return asks_stored and _has_words(current)


def _definitions(stack):
    return [stack.defn.resource_definition(name)
            for name in stack.defn.enabled_rsrc_names()]


def _has_words(stack):
    return any(word in text for text in stack.t.files.values()
               for word in rules.WORDS)


def _children(current, updated, operation, unknown, path):
    for defn in _definitions(updated):
        try:
            yield from _child(current, updated, defn, operation, unknown,
                              (*path, defn.name))
        except Exception as error:
            # What can't be worked out is for the child's own check.
            LOG.debug('Not checked in advance: parameters of nested stack '
                      '%(path)s: %(kind)s',
                      {'path': '/'.join((*path, defn.name)),
                       'kind': type(error).__name__})


def _child(current, updated, defn, operation, unknown, path):
    new = heat_resource.Resource(defn.name, defn, updated)
    if not isinstance(new, stack_resource.StackResource):
        return
    existing = current.resources.get(defn.name)
    before = nested_plan.existing(new, existing)
    if before is None:
        # A new stack has nothing to keep.
        return
    unknown_here = _unknown_parameters(updated, new, unknown)
    if unknown_here is None:
        return
    after = nested_plan.stack(new, existing)
    for name, answer in check.answers(
            before.parameters, after.parameters, operation=operation,
            unknown=unknown_here).items():
        yield path, name, answer
    yield from _children(before, after, operation, unknown_here | _PSEUDO,
                         path)


def _unknown_parameters(updated, new, unknown):
    """Return the child's parameters whose values can't be known yet.

    :returns: a set of names; None: nothing about the child is known.
    """
    template = updated.t
    resources = template[template.RESOURCES]
    snippets = resources[new.name].get('Properties') or {}

    is_known = sources.Sources(
        resources, unknown, template.t.get('conditions')
        or template.t.get('Conditions')).is_known
    if isinstance(new, cfn_stack.NestedStack):
        if not is_known(snippets.get(new.TEMPLATE_URL)):
            return None
        snippets = snippets.get(new.PARAMETERS) or {}
    elif not isinstance(new, template_resource.TemplateResource):
        # Its template is made of its properties.
        return frozenset() if is_known(snippets) else None
    if not isinstance(snippets, dict) or len(snippets) == 1 and not is_known(
            snippets):
        # A function may make up all of them.
        return frozenset(snippets) if isinstance(snippets, dict) else None
    return frozenset(name for name, snippet in snippets.items()
                     if not is_known(snippet))
