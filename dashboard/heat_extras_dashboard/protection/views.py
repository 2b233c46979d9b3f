# SPDX-License-Identifier: Apache-2.0

"""The pages of locks and of delete protection."""

from django import urls
from django.utils.translation import gettext_lazy as _
from heat_dashboard import api
from heat_extras.client import error_message
from heatclient import exc
from horizon import exceptions
from horizon import forms
from horizon import messages
from horizon import tables
from horizon.utils import functions

from heat_extras_dashboard import heat_api
from heat_extras_dashboard.protection import actions
from heat_extras_dashboard.protection import forms as stack_forms
from heat_extras_dashboard.protection import lock_dry_run
from heat_extras_dashboard.protection import tables as locks
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import request_errors

INDEX = urls.reverse_lazy('horizon:project:protection:index')
DELETION = urls.reverse_lazy('horizon:project:protection:deletion')


class LockPages(tables.DataTableView):
    """A list of locks with several pages."""

    has_more = False
    all_projects = False

    def get_data(self):
        try:
            page, self.has_more = heat_api.list_locks(
                self.request, functions.get_page_size(self.request),
                all_projects=self.all_projects,
                marker=self.request.GET.get(
                    self.table_class._meta.pagination_param),
                **self.get_filters())
        except exc.HTTPUnauthorized:
            exceptions.handle(self.request)
        except request_errors.FAILURES as error:
            messages.error(self.request, request_errors.describe(
                error, error_message.MISSING_LIST))
            return []
        return page

    def has_more_data(self, table):
        return self.has_more


class LocksView(LockPages):
    """The locks of a project."""

    table_class = locks.LocksTable
    template_name = 'project/protection/index.html'
    page_title = _('Protection')


class ProtectedView(tables.DataTableView):
    """The stacks of a project that are protected from deletion.

    Heat cannot list only these stacks. The view lists all stacks, up to
    Horizon's API_RESULT_LIMIT.
    """

    table_class = locks.ProtectedTable
    template_name = 'project/protection/index.html'
    page_title = _('Protection')

    def get_data(self):
        try:
            return [each for each in heat_api.list_stacks(self.request)
                    if actions.is_protected(each)]
        except Exception:
            exceptions.handle(self.request, _('Unable to list stacks.'))
            return []


class StacksFormView(forms.ModalFormView):
    """A form for several stacks, or for the only stack that the URL names.

    :cvar view: the name of the URL.
    """

    template_name = 'project/protection/stacks_form.html'
    success_url = INDEX

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        context['submit_url'] = targets.form_url(self.view, self.target)
        context['description'] = self.description
        return context

    @property
    def target(self):
        """Return the only stack, or None if the user selects stacks."""
        parameter = self.request.GET.get(targets.PARAMETER, '')
        return parameter if targets.is_target(parameter) else None

    @property
    def modal_id(self):
        return f'{self.view}_modal'

    @property
    def form_id(self):
        return f'{self.view}_form'

    def get_form_kwargs(self):
        return {**super().get_form_kwargs(), 'offered': self.offered()}

    def get_initial(self):
        return {'stacks': [self.target]} if self.target else {}

    def offered(self):
        """List the targets that can be selected."""
        if self.target:
            return [self.target]
        try:
            return [targets.format_target(each) for each in self.candidates()]
        except Exception:
            exceptions.handle(self.request, _('Unable to list stacks.'),
                              redirect=self.success_url)

    def candidates(self):
        """List the stacks whose state allows the action."""
        return [each for each in heat_api.list_stacks(self.request)
                if actions.is_locked(each)]


class LockView(StacksFormView):
    """Lock stacks, or change the level and reason of a lock."""

    view = 'lock'
    form_class = stack_forms.LockForm
    page_title = _('Lock Stacks')
    submit_label = _('Lock')
    description = _(
        'Requests to change a locked stack or its nested stacks are '
        'rejected. The error states who locked the stack, when, and why. '
        'Scaling signals are ignored. Read requests still work.')

    def get_form_kwargs(self):
        return {**super().get_form_kwargs(), 'confirm': self.confirm}

    def get_initial(self):
        initial = super().get_initial()
        if self.is_edit and self.request.method == 'GET':
            stack = self.locked()
            initial.update(level=stack.lock_level, reason=stack.lock_reason,
                           expires_at=stack.lock_expires_at)
        return initial

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        if self.is_edit:
            context.update(page_title=_('Edit Lock'),
                           submit_label=_('Save Changes'))
        return context

    @property
    def is_edit(self):
        """Return whether the form changes an existing lock."""
        return bool(self.target and targets.lock_id(self.target))

    def locked(self):
        """Return the stack of the lock."""
        try:
            return api.heat.stack_get(self.request,
                                      targets.stack_identity(self.target))
        except Exception:
            exceptions.handle(self.request, _('Unable to retrieve stack.'),
                              redirect=self.success_url)

    def candidates(self):
        return [each for each in heat_api.list_stacks(self.request)
                if actions.is_root(each) and not actions.is_locked(each)]

    def confirm(self, request, data):
        """Show the resources that the lock would protect.

        The confirmation has only the stacks whose dry run has succeeded. If
        there are none, the form stays.
        """
        chosen, resources = lock_dry_run.list_resources(
            request, data['stacks'])
        if not chosen:
            return None
        request.method = 'GET'
        return ConfirmView.as_view()(
            request, asked={**data, 'stacks': chosen}, coverage=resources)


class ConfirmView(LockView):
    """The confirmation of a lock of level all.

    :meth:`LockView.confirm` calls it. It has no URL.
    """

    template_name = 'project/protection/confirm.html'
    page_title = _('Lock Stacks and Their Resources')

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        context['coverage'] = self.kwargs['coverage']
        return context

    def get_initial(self):
        return {**self.kwargs['asked'], 'confirmed': 'yes'}

    def get_form(self, form_class=None):
        form = super().get_form(form_class)
        # The user has already filled in the form.
        for field in form.fields.values():
            field.widget = field.hidden_widget()
        return form

    def offered(self):
        return self.kwargs['asked']['stacks']


class ExtendView(StacksFormView):
    """Change the expiration of locks."""

    view = 'extend'
    form_class = stack_forms.ExtendForm
    page_title = _('Change Expiration of Locks')
    submit_label = _('Change Expiration')
    description = _('Heat unlocks a stack when its lock expires. The lock '
                    'keeps its ID, level and reason.')


class PassView(StacksFormView):
    """Grant lock passes."""

    view = 'pass'
    form_class = stack_forms.PassForm
    page_title = _('Grant Lock Passes')
    submit_label = _('Grant Lock Pass')
    description = _('A lock pass allows one update by one user. The lock '
                    'stays in effect for all other users, and again for this '
                    'user when the update has finished.')

    def candidates(self):
        return [each for each in super().candidates()
                if each.lock_level == 'stacks' and not each.lock_pass]


class ProtectView(StacksFormView):
    """Protect stacks from deletion."""

    view = 'protect'
    form_class = stack_forms.ProtectForm
    success_url = DELETION
    page_title = _('Protect Stacks from Deletion')
    submit_label = _('Protect')
    description = _('A protected stack cannot be deleted or abandoned. All '
                    'other operations are allowed, including updates.')

    def candidates(self):
        return [each for each in heat_api.list_stacks(self.request)
                if actions.is_protected(each) is False]
