# SPDX-License-Identifier: Apache-2.0

"""Check the parameters of nested stacks before an update starts.

Heat checks a nested stack when the update of its parent reaches it, and so
the parent fails half-way. Here the known values that the nested stacks would
get are computed first. Each nested stack checks the other values itself.
"""

from oslo_log import log as logging

from heat_extras.parameters import rules
from heat_extras.parameters import values
from heat_extras.update_plan import stack_plan

LOG = logging.getLogger(__name__)


def find_violations(current, updated, operation=rules.Operation.UPDATE):
    """List the parameters of nested stacks that an update may not change.

    :param current: the :class:`heat.engine.stack.Stack` as it is.
    :param updated: the stack as it would be; neither is changed.
    :returns: a list of ``(path, name, answer)``.
    """
    if not any(map(_may_restrict, (current, updated))):
        return []
    return list(_inside(stack_plan.plan_update(current, updated), operation,
                        ()))


def _may_restrict(stack):
    """Return whether a nested template may restrict a parameter."""
    defn = stack.defn
    return any(word in text for text in stack.t.files.values()
               for word in rules.WORDS) or any(
        # Its template is in none of the files.
        defn.resource_definition(name).resource_type
        == 'AWS::CloudFormation::Stack'
        for name in defn.enabled_rsrc_names())


def _inside(plan, operation, path):
    for name in filter(plan.new_names.__contains__, plan.existing_names()):
        try:
            yield from _child(plan, name, operation, (*path, name))
        except Exception as error:
            # The nested stack checks itself what cannot be planned.
            LOG.debug('Not checked in advance: parameters of nested stack '
                      '%(path)s: %(kind)s',
                      {'path': '/'.join((*path, name)),
                       'kind': type(error).__name__})


def _child(plan, name, operation, path):
    if not (plan.is_nested(name) and plan.predict(name).keeps_id):
        # A nested stack that is or may be replaced has no values to keep.
        return
    child = plan.child(name)
    if not child.inputs.is_known:
        return
    for parameter, answer in values.find_violations(
            child.stack.parameters, child.planned.parameters,
            operation=operation, unknown=child.inputs.parameters).items():
        yield path, parameter, answer
    yield from _inside(child, operation, path)
