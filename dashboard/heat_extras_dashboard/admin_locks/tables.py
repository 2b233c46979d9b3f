# SPDX-License-Identifier: Apache-2.0

"""The table of the locks of all projects."""

from django.utils.translation import gettext_lazy as _
from horizon import tables

from heat_extras_dashboard.protection import tables as locks
from heat_extras_dashboard import table_templates


def format_project(lock):
    """Return the name of a lock's project, or the ID."""
    return lock.project_name or lock.project


class AdminLocksTable(locks.Locks):
    """The table has no actions.

    Heat accepts requests only for the project of the token.
    """

    project = tables.Column(format_project, verbose_name=_('Project'))
    name = tables.Column('stack_name', verbose_name=_('Stack Name'))
    lock_pass = tables.Column(locks.format_pass, verbose_name=_('Lock Pass'))

    class Meta(table_templates.AccessibleMeta):
        name = 'admin_locks'
        verbose_name = _('Locks')
        pagination_param = 'lock_marker'
        columns = ('project', 'name', 'level', 'status', 'reason',
                   'locked_by', 'since', 'until', 'lock_pass')
        table_actions = (locks.LocksFilter,)
        multi_select = False
