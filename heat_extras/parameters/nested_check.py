# SPDX-License-Identifier: Apache-2.0

"""Check the parameters of nested stacks before an update starts.

Heat checks a nested stack when the update of its parent reaches it, so the
update of the parent fails half-way. This module computes in advance the
values that the nested stacks would get. A nested stack itself checks the
values that are not known in advance.
"""

from oslo_log import log as logging

from heat_extras.parameters import rules
from heat_extras.parameters import values
from heat_extras.plan import stack_plan

LOG = logging.getLogger(__name__)


def find_violations(current, updated, operation=rules.Operation.UPDATE):
    """List the parameters of nested stacks that an update may not change.

    The stacks are not modified.

    :param current: the current :class:`heat.engine.stack.Stack`.
    :param updated: the stack as it would be after the update.
    :returns: a list of ``(path, name, decision)``.
    """
    if not any(map(_may_restrict, (current, updated))):
        return []
    return list(_find_in_children(stack_plan.plan_update(current, updated),
                                  operation, ()))


def _may_restrict(stack):
    """Return whether a nested template may restrict a parameter."""
    defn = stack.defn
    return any(attribute in text for text in stack.t.files.values()
               for attribute in rules.ATTRIBUTES) or any(
        # The template of this type is not in a file.
        defn.resource_definition(name).resource_type
        == 'AWS::CloudFormation::Stack'
        for name in defn.enabled_rsrc_names())


def _find_in_children(plan, operation, path):
    for name in filter(plan.new_names.__contains__, plan.existing_names()):
        try:
            yield from _find_in_child(plan, name, operation, (*path, name))
        except RecursionError:
            raise
        except Exception as error:
            # The nested stack checks itself what cannot be planned.
            LOG.debug('Not checked in advance: parameters of nested stack '
                      '%(path)s: %(kind)s',
                      {'path': '/'.join((*path, name)),
                       'kind': type(error).__name__})


def _find_in_child(plan, name, operation, path):
    if not plan.keeps_nested(name):
        # A nested stack that is or may be replaced has no values to keep.
        return
    child = plan.child(name)
    if not child.inputs.is_known:
        return
    for parameter, decision in values.find_violations(
            child.stack.parameters, child.planned.parameters,
            operation=operation, unknown=child.inputs.parameters).items():
        yield path, parameter, decision
    yield from _find_in_children(child, operation, path)
