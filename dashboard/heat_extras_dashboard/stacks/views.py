# SPDX-License-Identifier: Apache-2.0

"""heat-dashboard's views with other tables and forms."""

from heat_dashboard.content.stacks import views

from heat_extras_dashboard.stacks import forms
from heat_extras_dashboard.stacks import tables


class IndexView(views.IndexView):
    """The list of stacks."""

    table_class = tables.StacksTable


class DetailView(views.DetailView):
    """The page of a stack."""

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        context['actions'] = tables.StacksTable(
            self.request).render_row_actions(context['stack'])
        return context


class EditStackView(views.EditStackView):
    """The second page of an update, with its plan before it starts."""

    template_name = 'heat_extras_dashboard/update_stack.html'
    form_class = forms.EditStackForm


class ChangeTemplateView(views.ChangeTemplateView):
    """The first page of an update, which leads to the second."""

    def get_form_kwargs(self):
        return {**super().get_form_kwargs(), 'next_view': EditStackView}
