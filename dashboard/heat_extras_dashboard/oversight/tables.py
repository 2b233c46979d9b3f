# SPDX-License-Identifier: Apache-2.0

"""The locks of all projects."""

from django.utils.translation import gettext_lazy as _
from horizon import tables

from heat_extras_dashboard import markup
from heat_extras_dashboard.protection import tables as locks


def project_of(lock):
    """Return the name of a lock's project, or its id."""
    return lock.project_name or lock.project


class OversightTable(locks.Locks):
    """Without actions: Heat lets nobody act in a project but its own."""

    project = tables.Column(project_of, verbose_name=_('Project'))
    name = tables.Column('stack_name', verbose_name=_('Stack Name'))
    lock_pass = tables.Column(locks.pass_of, verbose_name=_('Lock Pass'))

    class Meta(markup.Labelled):
        name = 'oversight'
        verbose_name = _('Locks')
        pagination_param = 'lock_marker'
        columns = ('project', 'name', 'level', 'status', 'reason',
                   'locked_by', 'since', 'until', 'lock_pass')
        table_actions = (locks.LocksFilter,)
        multi_select = False
