# SPDX-License-Identifier: Apache-2.0

"""The form of an update."""

import json

from django.utils.translation import gettext_lazy as _
from django.views.decorators import debug
from heat_dashboard.content.stacks import forms
from heatclient import exc
from horizon import messages

from heat_extras_dashboard import heat_api
from heat_extras_dashboard import policy_checks
from heat_extras_dashboard import request_errors
from heat_extras_dashboard.stacks import update_plan

_PREVIEW = (('orchestration', 'stacks:preview_update'),)


class EditStackForm(forms.EditStackForm):
    """Shows the plan of the update first, and why Heat rejects an update.

    :ivar plan: the plan that is shown with the form, or None.
    :ivar is_new_plan: whether another plan was shown before.
    """

    plan = None
    is_new_plan = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if 'password' in self.fields:
            # Only the update needs it. The browser does not get it back.
            self.fields['password'].required = False

    @debug.sensitive_variables()
    def handle(self, request, data):
        """Show the plan, or start the update whose plan has been shown."""
        action = _('Plan Update of Stack')
        try:
            plan = (self._read_plan(request, data)
                    if policy_checks.is_allowed(request, _PREVIEW) else None)
            if not self._is_confirmed(request, data, plan):
                return False
            action = _('Update Stack')
            heat_api.update_stack(
                request, _identity(data), data.get('password') or None,
                plan.request if plan else self._update_fields(data))
        except exc.HTTPUnauthorized:
            raise
        except request_errors.FAILURES as error:
            request_errors.show_error(request, action, data['stack_name'],
                                      error)
            return False
        messages.info(request, _('Stack update started.'))
        return True

    def _is_confirmed(self, request, data, plan):
        """Return whether the update can start. If not, show its plan."""
        if plan is None:
            return not self._lacks_password(data)
        shown = request.POST.get(update_plan.SHOWN)
        if (plan.fingerprint == shown and not plan.is_rejected
                and not self._lacks_password(data)):
            return True
        self.is_new_plan = shown not in (None, plan.fingerprint)
        self._show(plan)
        return False

    def _read_plan(self, request, data):
        fields = self._update_fields(data)
        changes = heat_api.preview_update(request, _identity(data), fields)
        return changes and update_plan.UpdatePlan(fields, changes)

    def _update_fields(self, data):
        """Return the body that heat-dashboard sends."""
        validated = json.loads(data['parameters'])
        fields = {
            'stack_name': data['stack_name'],
            'timeout_mins': data['timeout_mins'],
            'disable_rollback': not data['enable_rollback'],
            'parameters': {
                name.removeprefix(self.param_prefix): value
                for name, value in data.items()
                if name.startswith(self.param_prefix)},
            'files': validated.get('files'),
            'template': validated.get('template')}
        if data['environment_data']:
            fields['environment'] = data['environment_data']
        return fields

    def _lacks_password(self, data):
        if 'password' not in self.fields or data.get('password'):
            return False
        field = self.fields['password']
        self.add_error('password', field.error_messages['required'])
        return True

    def _show(self, plan):
        self.plan = plan
        if 'password' in self.fields:
            self.fields['password'].required = not plan.is_rejected
        # Without the password, the browser can send the form for a new plan.
        self.use_required_attribute = False


def _identity(data):
    return f'{data["stack_name"]}/{data["stack_id"]}'
