# SPDX-License-Identifier: Apache-2.0

"""Check that an update complies with its reviewed plan, before it starts."""

from heat.common import exception as heat_exception

from heat_extras.heat_internals import operation_names
from heat_extras.heat_internals import rpc_errors
from heat_extras.plan import errors
from heat_extras.plan import preview
from heat_extras.plan import reviewed_plan
from heat_extras.plan import reviewed_request
from heat_extras import rpc_request
from heat_extras import sanitize

_PARAMETERS = 'parameters'
_REMEDY = 'Make a new plan of the update.'


class PlannedUpdate:
    """An update whose request has a reviewed plan.

    :param request: the :class:`reviewed_request.Request`.
    :param stack: the current heat.engine.stack.Stack.
    """

    def __init__(self, request, stack):
        self._request, self._stack = request, stack

    def check_stack(self):
        """Check that all engines know plans, and that the stack is the same.

        :raises PlanNotApplicable: if not.
        """
        engines = preview.list_engines_without(self._stack.context)
        if engines:
            self._refuse('these engines do not have both features "plan" and '
                         f'"update_policy": {", ".join(engines)}. Enable both '
                         'features on these engines, or send the update '
                         'without a plan.')
        if self._request.revision != reviewed_plan.compute_revision(
                self._stack.context, self._stack.id):
            self._refuse('the stack was updated or locked after the plan was '
                         f'made, or the plan is for another stack. {_REMEDY}')

    def check_start(self):
        """Check that no other update of the stack has started first.

        Heat does not report this to the caller.

        :raises PlanNotApplicable: if another update has started.
        """
        if reviewed_plan.is_superseded(self._stack):
            self._refuse('another update of the stack started at the same '
                         f'time. {_REMEDY}')

    def add_hidden_values(self, environment):
        """Add the unchanged values of hidden parameters to an environment.

        They are not in a plan file.
        """
        given = environment.setdefault(_PARAMETERS, {})
        for name, digest in self._request.hidden.items():
            if name not in given and self._has_value(name) and (
                    digest == self._digest(self._stack, name)):
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
        for name, digest in sorted(self._request.hidden.items()):
            if name not in updated.parameters or digest != self._digest(
                    updated, name):
                self._refuse(
                    f'hidden parameter "{name}" does not have the same value '
                    f'as in the plan. {_REMEDY}' if name in given
                    else self._describe_missing(name))
        differences = self._request.list_differences(
            preview.list_entry_bodies(self._stack, updated))
        if differences:
            self._refuse('the update would differ from the plan: '
                         f'{sanitize.join_some(differences)}. {_REMEDY}')
        reviewed_plan.attach(updated, reviewed_plan.ReviewedPlan(
            self._request.revision,
            tuple(self._request.list_replaceable()),
            tuple(self._request.list_unknown_stacks())))

    def _has_value(self, name):
        environment = self._stack.env
        return name in self._stack.parameters and (
            name in environment.params or name in environment.param_defaults)

    def _digest(self, stack, name):
        return preview.compute_digest(self._request.salt, stack, name)

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


def prepare(update, prepare_stacks):
    """Prepare a preview or an update, and check its reviewed plan.

    :param update: a :class:`heat_extras.guard.Update`. Its arguments may
        contain a plan. Its environment is changed.
    :param prepare_stacks: continues with the update.
    :returns: the template, and the current and the updated stack.
    :raises InvalidPlan: if the plan is not valid.
    :raises PlanNotApplicable: if the update would differ from the plan.
    """
    arguments, environment = update.arguments, update.environment
    plan = arguments.get(reviewed_request.FIELD)
    if plan is None or rpc_request.operation() == operation_names.PREVIEW:
        return prepare_stacks()
    converge = arguments.get(reviewed_request.CONVERGE)
    if isinstance(converge, str):
        arguments[reviewed_request.CONVERGE] = converge.removesuffix(
            reviewed_request.ONLY_WITH_PLAN)
    with rpc_errors.hide_internal_errors('update'):
        planned = PlannedUpdate(_parse(plan), update.stack)
        planned.check_stack()
        given = [*(environment.get(_PARAMETERS) or {})]
        planned.add_hidden_values(environment)
        try:
            prepared = prepare_stacks()
        except heat_exception.UserParameterMissing as error:
            raise planned.missing_parameter(error) from None
        planned.check(prepared[-1], given)
        if (request := rpc_request.current()) is not None:
            request.planned_update = planned
        return prepared


def _parse(plan):
    try:
        return reviewed_request.parse(plan)
    except ValueError as error:
        raise errors.InvalidPlan(message=str(error)) from None
