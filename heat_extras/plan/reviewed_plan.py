# SPDX-License-Identifier: Apache-2.0

"""Check that an update complies with its reviewed plan.

The request is checked before the update starts. Values that are not known then
can still lead to a replacement that is not in the plan. So the resources that
the plan replaces or removes are stored, and each resource is checked when the
update reaches it.
"""

from heat.common import exception as heat_exception
from heat.objects import stack as stack_object

from heat_extras.heat_internals import current_update
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import rpc_errors
from heat_extras.plan import change
from heat_extras.plan import errors
from heat_extras.plan import preview
from heat_extras.plan import reviewed_request
from heat_extras.plan import seal
from heat_extras import rpc_request
from heat_extras import sanitize

_PARAMETERS = 'parameters'
_REMEDY = 'Make a new plan of the update.'
_REMEDY_AT_RESOURCE = (
    f'{_REMEDY} If the new plan does not contain this change either, do the '
    'update without a plan.')

_WOULD = {change.REPLACE: 'replaced', change.REMOVE: 'removed'}


class ReviewedUpdate:
    """An update whose request has a reviewed plan.

    :param request: the :class:`reviewed_request.Request`.
    :param stack: the current heat.engine.stack.Stack.
    """

    def __init__(self, request, stack):
        self._request, self._stack = request, stack
        self._key_before, self._is_replaced = None, False
        self._revision = request.revision

    def check_stack(self, received):
        """Check that all engines know plans, and that the stack is the same.

        :param received: the request, see :func:`seal.copy_request`.
        :raises PlanNotApplicable: if not, or if the plan was edited.
        """
        engines = preview.list_engines_without(self._stack.context)
        if engines:
            self._refuse('these engines do not have both features "plan" and '
                         f'"update_policy": {", ".join(engines)}. Enable both '
                         'features on these engines, or send the update '
                         'without a plan.')
        if self._request.is_creation:
            self._refuse('it is the plan of a new stack. To create the stack: '
                         'openstack stack create --plan FILE.')
        edit = seal.find_edit(self._stack, received, self._request)
        if edit is not None:
            self._refuse(f'{edit} {_REMEDY}')
        if self._request.list_changes() and self._is_outdated():
            self._refuse_outdated()

    def check_start(self):
        """Check that no other update of the stack has started first.

        Heat does not report this to the caller.

        :raises PlanNotApplicable: if another update has started.
        """
        if self._is_replaced or (self._stack.convergence
                                 and self._key_before is not None):
            self._refuse('another update of the stack started at the same '
                         f'time. {_REMEDY}')

    def add_hidden_values(self, environment):
        """Add the unchanged values of hidden parameters to an environment.

        They are not in a plan file.
        """
        given = environment.setdefault(_PARAMETERS, {})
        for name, digest in self._request.hidden.items():
            if name not in given and self._has_value(name) and (
                    digest == preview.compute_digest(
                        self._request.salt, self._stack, name)):
                given[name] = self._stack.parameters[name]

    def missing_parameter(self, error):
        """Return the error for a hidden parameter that Heat misses."""
        name = error.kwargs.get('key')
        return (self._refusal(self._describe_missing(name))
                if name in self._request.hidden else error)

    def check(self, updated, given):
        """Compare the plan with the update, and keep it for its duration.

        :param updated: the stack with its new template.
        :param given: the names of the parameters in the request.
        :raises PlanNotApplicable: if the update would differ from the plan.
        """
        for name in preview.list_other_hidden(self._request, updated):
            self._refuse(
                f'hidden parameter "{name}" does not have the same value as '
                f'in the plan. {_REMEDY}' if name in given
                else self._describe_missing(name))
        received = rpc_request.current().received
        if not seal.has_same_files(self._stack, received, self._request,
                                   updated.t.files):
            self._refuse(f'{seal.OTHER_FILE} {_REMEDY}')
        differences = self._request.list_differences(
            preview.list_changes(self._stack, updated))
        if differences:
            self._refuse('the update would differ from the plan: '
                         f'{sanitize.join_some(differences)}. {_REMEDY}')
        # A plan without changes can be applied again.
        if not self._request.list_changes() and self._is_outdated():
            if preview.changes_definition(self._stack, updated):
                self._refuse_outdated()
            self._revision = self._compute_revision()
        object_data.of_stack(updated).reviewed_update = self

    def reject_outdated(self, stack):
        """Give an update of the legacy engine up if its plan is outdated.

        :param stack: the stack, which is not changed.
        :returns: whether another update has started since the check of the
            plan. With convergence, the first write of the update fails in
            this case.
        """
        self._is_replaced = self._is_outdated()
        if self._is_replaced:
            # Heat can write the state when it releases the lock of the stack.
            row = stack_object.Stack.get_by_id(stack.context, stack.id)
            stack.action, stack.status = row.action, row.status
            stack.status_reason = row.status_reason
        return self._is_replaced

    def start(self, stack):
        """Let the first write of the stack by the update store the plan."""
        self._key_before = current_update.update_key(stack)
        object_data.of_stack(stack).reviewed_update = self

    def record(self, stack):
        """Store what may be replaced or removed, if the update has started."""
        key = current_update.update_key(stack)
        if stack.status == stack.IN_PROGRESS and key != self._key_before:
            object_data.of_stack(stack).reviewed_update = None
            self._key_before = None
            current_update.record_once(
                stack.context, stack.id, current_update.REVIEWED_PLAN, key,
                lambda: [self._request.list_replaceable(),
                         self._request.list_unknown_stacks()])

    def _is_outdated(self):
        return self._revision != self._compute_revision()

    def _compute_revision(self):
        return preview.compute_revision(self._stack.context, self._stack.id)

    def _has_value(self, name):
        environment = self._stack.env
        return name in self._stack.parameters and (
            name in environment.params or name in environment.param_defaults)

    @staticmethod
    def _describe_missing(name):
        return (f'the update changes hidden parameter "{name}", whose value '
                f'is not in the plan. Add the parameter "{name}" to the '
                'request.')

    def _refusal(self, reason):
        return errors.PlanNotApplicable(
            message=f'Stack {self._stack.name} ({self._stack.id}) cannot be '
                    f'updated with this plan: {reason} Nothing was changed.')

    def _refuse(self, reason):
        raise self._refusal(reason)

    def _refuse_outdated(self):
        self._refuse('the stack was updated or locked after the plan was '
                     f'made. {_REMEDY}')


def prepare(update, plan, prepare_stacks):
    """Prepare an update, and check its reviewed plan.

    :param update: a :class:`heat_extras.guard.Update`. Its arguments and its
        environment are changed.
    :param plan: the field ``plan`` of the request.
    :param prepare_stacks: continues with the update.
    :returns: the template, and the current and the updated stack.
    :raises InvalidPlan: if the plan is not valid.
    :raises PlanNotApplicable: if the update would differ from the plan.
    """
    arguments, environment = update.arguments, update.environment
    converge = arguments.get(reviewed_request.CONVERGE)
    if isinstance(converge, str):
        arguments[reviewed_request.CONVERGE] = converge.removesuffix(
            reviewed_request.ONLY_WITH_PLAN)
    with rpc_errors.hide_internal_errors('update'):
        planned = ReviewedUpdate(parse(plan), update.stack)
        request = rpc_request.current()
        planned.check_stack(request.received)
        given = [*(environment.get(_PARAMETERS) or {})]
        planned.add_hidden_values(environment)
        try:
            prepared = prepare_stacks()
        except heat_exception.UserParameterMissing as error:
            raise planned.missing_parameter(error) from None
        planned.check(prepared[-1], given)
        request.reviewed_update = planned
        return prepared


def parse(plan):
    """Parse the field ``plan`` of a request.

    :raises InvalidPlan: if it is not valid.
    """
    try:
        return reviewed_request.parse(plan)
    except ValueError as error:
        raise errors.InvalidPlan(message=str(error)) from None


def find_refusal(resource, act):
    """Return why a reviewed plan forbids an act, or None.

    :param act: one of the actions of :mod:`change`.
    """
    if act not in _WOULD:
        return None
    stack = resource.stack
    update = current_update.find_update(stack.context, stack.id)
    if not update.is_in_progress or update.action != current_update.UPDATE:
        return None
    reviewed = current_update.read_state(
        stack.context, update.stack_id, current_update.REVIEWED_PLAN,
        update.key)
    names = (*update.path, resource.name)
    paths = ['/'.join(names[:end]) for end in range(1, len(names) + 1)]
    if reviewed is None:
        return None
    replaceable, unknown_stacks = reviewed
    if {*paths} & {*replaceable} or {*paths[:-1]} & {*unknown_stacks}:
        return None
    return (f'Not done: resource {"/".join(names)} ({resource.type()}) would '
            f'be {_WOULD[act]}, but the reviewed plan does not contain this '
            f'change. {_REMEDY_AT_RESOURCE}')
