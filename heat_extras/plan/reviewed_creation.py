# SPDX-License-Identifier: Apache-2.0

"""Check that the creation of a stack complies with its reviewed plan.

The seal is checked before Heat reads the request. The plan is made again when
Heat has the new stack, before anything is stored.
"""

import types

from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.heat_internals import rpc_errors
from heat_extras.plan import errors
from heat_extras.plan import preview
from heat_extras.plan import reviewed_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import seal
from heat_extras import rpc_request
from heat_extras import sanitize

_REMEDY = 'Make a new plan of the creation.'


class ReviewedCreation:
    """A creation, or its preview, whose request has a reviewed plan.

    :param planned: the :class:`reviewed_request.Request`.
    :param name: the name of the new stack.
    :param received: the request, see :func:`seal.copy_request`.
    """

    def __init__(self, planned, name, received):
        self._planned, self._name, self._received = planned, name, received

    def check_seal(self, project):
        """Check that the plan is what an engine has made for the request.

        :raises PlanNotApplicable: if not.
        """
        if not self._planned.is_creation:
            self._refuse('it is the plan of an update. To do the update: '
                         'openstack stack update --plan FILE STACK.')
        edit = seal.find_edit(types.SimpleNamespace(
            id=None, name=self._name, tenant_id=project), self._received,
            self._planned)
        if edit is not None:
            self._refuse(f'{edit} {_REMEDY}')

    def check(self, stack):
        """Check that the plan of a new stack is the same again.

        :param stack: the heat.engine.stack.Stack, which is not stored yet.
        :raises PlanNotApplicable: if not.
        """
        for name in preview.list_other_hidden(self._planned, stack):
            if not (name in stack.env.params
                    or name in stack.env.param_defaults):
                self._refuse_missing(name)
            self._refuse(f'hidden parameter "{name}" does not have the same '
                         f'value as in the plan. {_REMEDY}')
        entries, revision = preview.describe_creation(stack)
        if self._planned.revision != revision:
            differences = self._planned.list_differences(entries) or [
                'resources are missing, or have other properties or types']
            self._refuse('the creation would differ from the plan: '
                         f'{sanitize.join_some(differences)}. {_REMEDY}')
        # Making the plan has read them all.
        if not seal.has_same_files(stack, self._received, self._planned,
                                   stack.t.files):
            self._refuse(f'{seal.OTHER_FILE} {_REMEDY}')

    def refuse_if_hidden(self, error):
        """Explain an error of Heat because of a missing hidden parameter."""
        name = error.kwargs.get('key')
        if name in self._planned.hidden:
            self._refuse_missing(name)

    def _refuse_missing(self, name):
        self._refuse(f'the value of hidden parameter "{name}" is not in the '
                     f'plan. Add the parameter "{name}" to the request.')

    def _refuse(self, reason):
        raise errors.PlanNotApplicable(
            message=f'Stack {self._name} cannot be created with this plan: '
                    f'{reason} Nothing was changed.')


def process(request, proceed):
    """Process a creation or its preview, with or without a reviewed plan.

    :param proceed: calls Heat's method.
    :raises InvalidPlan: if the plan is not valid.
    :raises PlanNotApplicable: if the stack would differ from the plan.
    """
    arguments = request.arguments['args']
    plan = arguments.get(reviewed_request.FIELD)
    if plan is None:
        return proceed()
    flag = reviewed_request.DISABLE_ROLLBACK
    if flag in arguments:
        arguments[flag] = reviewed_request.without_suffix(arguments[flag])
    creation = ReviewedCreation(reviewed_plan.parse(plan),
                                request.arguments['stack_name'],
                                request.received)
    creation.check_seal(request.context.project_id)
    request.reviewed_creation = creation
    try:
        return proceed()
    except dispatcher.ExpectedException as error:
        cause = rpc_errors.cause_of(error)
        if isinstance(cause, heat_exception.UserParameterMissing):
            creation.refuse_if_hidden(cause)
        raise


def check(stack):
    """Check a stack against the reviewed plan of the request of this thread.

    :param stack: a heat.engine.stack.Stack. It is only checked if it is new.
    :raises PlanNotApplicable: if it would differ from the plan.
    """
    request = rpc_request.current()
    if request is not None and stack.id is None and (
            request.reviewed_creation is not None):
        request.reviewed_creation.check(stack)
