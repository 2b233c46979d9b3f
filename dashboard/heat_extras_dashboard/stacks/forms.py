# SPDX-License-Identifier: Apache-2.0

"""The form of an update."""

import json

from django.utils.translation import gettext_lazy as _
from django.views.decorators import debug
from heat_dashboard.content.stacks import forms
from heatclient import exc

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
        plan = None
        if policy_checks.is_allowed(request, _PREVIEW):
            try:
                plan = self._read_plan(request, data)
            except exc.HTTPUnauthorized:
                raise
            except request_errors.FAILURES as error:
                request_errors.show_error(request, _('Plan Update of Stack'),
                                          data['stack_name'], error)
                return False
        shown = request.POST.get(update_plan.SHOWN)
        if plan is not None and (plan.is_rejected
                                 or plan.fingerprint != shown):
            self.is_new_plan = shown not in (None, plan.fingerprint)
            self._show(plan)
            return False
        if self._lacks_password(data):
            if plan is not None:
                self._show(plan)
            return False
        done = super().handle(request, data)
        if not done:
            request_errors.show_details(request)
        return done

    def _read_plan(self, request, data):
        fields = self._update_fields(data)
        found = heat_api.preview_update(
            request, f'{data["stack_name"]}/{data["stack_id"]}', fields)
        return found and update_plan.UpdatePlan(fields, *found)

    def _update_fields(self, data):
        """Return the body that heat-dashboard sends, without credentials."""
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
