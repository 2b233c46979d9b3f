# SPDX-License-Identifier: Apache-2.0

"""The tables of locks and of stacks that are protected from deletion."""

from django import urls
from django.utils.translation import gettext_lazy as _
from horizon import tables

from heat_extras_dashboard import display_choices
from heat_extras_dashboard.protection import actions
from heat_extras_dashboard import table_templates
from heat_extras_dashboard import timestamps

_GUARDS = '?tab=stack_details__guards'


def guards_url(stack):
    """Return the URL of the guards of a stack, on its own page."""
    return urls.reverse('horizon:project:stacks:detail',
                        args=(stack.id,)) + _GUARDS


def format_pass(lock):
    """Return user and expiration of a lock pass, or None without a pass."""
    lock_pass = lock.lock_pass
    if not lock_pass:
        return None
    user = lock_pass['user'] or {}
    if lock_pass.get('used_at'):
        return _('used by %(user)s') % {'user': _user(user)}
    return _('%(user)s, until %(end)s') % {
        'user': _user(user),
        'end': timestamps.format_local(lock_pass['expires_at'])}


def _user(user):
    return user.get('name') or user.get('id') or _('unknown user')


class LocksFilter(tables.FilterAction):
    """Filter the list of locks with the parameters of Heat's API."""

    filter_type = 'server'
    filter_choices = (
        ('level', _('Level ='), True, _('stacks or all')),
        ('expires_before', _('Expires before ='), True,
         _('A time with its time zone, like 2026-12-24T18:00:00Z')))


class Locks(tables.DataTable):
    """Base of both tables of locks."""

    name = tables.Column('stack_name', verbose_name=_('Stack Name'),
                         link=guards_url)
    level = tables.Column('lock_level', verbose_name=_('Level'))
    status = tables.Column('lock_status', verbose_name=_('Status'),
                           display_choices=display_choices.STATUSES)
    reason = tables.Column('lock_reason', verbose_name=_('Reason'))
    locked_by = tables.Column('locked_by', verbose_name=_('Locked By'))
    since = tables.Column('locked_at', verbose_name=_('Since'),
                          filters=(timestamps.format_local,))
    until = tables.Column('lock_expires_at', verbose_name=_('Until'),
                          filters=(timestamps.format_local,))

    def get_object_display(self, datum):
        return datum.stack_name

    def get_marker(self):
        # The marker of Heat is the ID of the lock, not of the row.
        return self.data[-1].lock_id if self.data else ''


class LocksTable(Locks):
    """The locks of a project."""

    lock_pass = tables.Column(format_pass, verbose_name=_('Lock Pass'))

    class Meta(table_templates.AccessibleMeta):
        name = 'locks'
        verbose_name = _('Locks')
        pagination_param = 'lock_marker'
        # Horizon enables the menu only after rows are selected.
        table_actions = (LocksFilter, actions.LockStacks,
                         actions.ExtendLocks, actions.GrantPasses,
                         actions.UnlockStack)
        table_actions_menu = (actions.RevokePass,)
        row_actions = (actions.UnlockStack, actions.ExtendLock,
                       actions.EditLock, actions.GrantPass,
                       actions.RevokePass)


class NameFilter(tables.FilterAction):
    """Filter the rows by the name of the stack."""

    def filter(self, table, data, filter_string):
        wanted = filter_string.lower()
        return [each for each in data if wanted in each.stack_name.lower()]


class ProtectedTable(tables.DataTable):
    """The stacks that are protected from deletion."""

    name = tables.Column('stack_name', verbose_name=_('Stack Name'),
                         link=guards_url)
    reason = tables.Column('delete_protection_reason',
                           verbose_name=_('Reason'))
    protected_by = tables.Column('delete_protected_by',
                                 verbose_name=_('Protected By'))
    since = tables.Column('delete_protected_at', verbose_name=_('Since'),
                          filters=(timestamps.format_local,))

    def get_object_display(self, datum):
        return datum.stack_name

    class Meta(table_templates.AccessibleMeta):
        name = 'protected'
        verbose_name = _('Protected from Deletion')
        table_actions = (NameFilter, actions.ProtectStacks,
                         actions.UnprotectStack)
        row_actions = (actions.UnprotectStack,)
