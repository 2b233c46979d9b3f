# SPDX-License-Identifier: Apache-2.0

"""The tab *Guards* on the page of a stack."""

from django.utils.translation import gettext_lazy as _
from heat_extras.client import error_message
from heatclient import exc
from horizon import messages
from horizon import tables
from horizon import tabs
from openstack_dashboard import policy

from heat_extras_dashboard import display_choices
from heat_extras_dashboard import heat_api
from heat_extras_dashboard.protection import actions
from heat_extras_dashboard import request_errors
from heat_extras_dashboard import table_templates
from heat_extras_dashboard import timestamps


def format_stops(guard):
    """Return the actions that a guard stops, or may stop."""
    if guard.may_stop:
        return _('may stop: %s') % ', '.join(guard.may_stop)
    return ', '.join(guard.stops)


class GuardsTable(tables.DataTable):
    """The guards of a stack and its nested stacks."""

    kind = tables.Column('kind', verbose_name=_('Kind'),
                         display_choices=display_choices.KINDS)
    stack_name = tables.Column('stack_name', verbose_name=_('Stack'))
    name = tables.Column('name', verbose_name=_('Name'))
    reason = tables.Column('reason', verbose_name=_('Reason'))
    set_by = tables.Column('set_by', verbose_name=_('Set By'))
    since = tables.Column('set_at', verbose_name=_('Since'),
                          filters=(timestamps.format_local,))
    until = tables.Column('expires_at', verbose_name=_('Until'),
                          filters=(timestamps.format_local,))
    stops = tables.Column(format_stops, verbose_name=_('Stops'))
    how_to_lift = tables.Column('how_to_lift',
                                verbose_name=_('How to Remove It'))
    lifted_by = tables.Column('lifted_by', verbose_name=_('Required Policy'))

    class Meta(table_templates.AccessibleMeta):
        name = 'guards'
        verbose_name = _('Guards')
        multi_select = False


class GuardsTab(tabs.TableTab):
    """The tab sends its requests only when it is opened."""

    name = _('Guards')
    slug = 'guards'
    table_classes = (GuardsTable,)
    template_name = 'heat_extras_dashboard/_guards.html'
    preload = False

    def allowed(self, request):
        return policy.check((('heat_extras', 'stacks:guards'),), request)

    def get_guards_data(self):
        return self.request_list(heat_api.list_guards,
                                 error_message.MISSING_GUARDS)

    def get_context_data(self, request, **kwargs):
        context = super().get_context_data(request, **kwargs)
        if actions.is_locked(self.stack):
            context['ignored'] = [
                (each, timestamps.format_local(each.event_time))
                for each in self.request_list(heat_api.list_ignored_signals)]
            if self.stack.lock_level == 'all':
                context['failed'] = self.request_list(
                    heat_api.list_unprotected_resources)
        return context

    @property
    def stack(self):
        return self.tab_group.kwargs['stack']

    def request_list(self, find, missing=None):
        """Send a request about the stack, and show its error."""
        try:
            return find(self.request, self.stack)
        except exc.HTTPUnauthorized:
            raise
        except request_errors.FAILURES as error:
            messages.error(self.request,
                           request_errors.describe(error, missing))
            return []
