# SPDX-License-Identifier: Apache-2.0

"""The page of the locks of all projects."""

from django.utils.translation import gettext_lazy as _
from horizon import exceptions
from openstack_dashboard import api

from heat_extras_dashboard.admin_locks import tables
from heat_extras_dashboard.protection import views


class AdminLocksView(views.LockPages):
    """Lists the locks of all projects, with the names of the projects."""

    table_class = tables.AdminLocksTable
    page_title = _('Protection')
    all_projects = True

    def get_data(self):
        locks = super().get_data()
        names = self.project_names() if locks else {}
        for each in locks:
            each.project_name = names.get(each.project)
        return locks

    def project_names(self):
        """Map the IDs of projects to their names."""
        try:
            projects, _more = api.keystone.tenant_list(self.request)
        except Exception:
            exceptions.handle(self.request, _('Unable to list projects.'))
            return {}
        return {each.id: each.name for each in projects}
