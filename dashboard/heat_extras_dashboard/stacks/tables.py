# SPDX-License-Identifier: Apache-2.0

"""The table of stacks with locks, protections and error messages."""

from django.utils import html
from django.utils.translation import gettext_lazy as _
from heat_dashboard.content.stacks import tables as stack_tables
from horizon import tables

from heat_extras_dashboard import action_names
from heat_extras_dashboard import display_choices
from heat_extras_dashboard import policy_checks
from heat_extras_dashboard.protection import actions
from heat_extras_dashboard import request_errors
from heat_extras_dashboard import table_templates
from heat_extras_dashboard import timestamps

_ICON = ('<span class="fa fa-fw {}" aria-hidden="true"'
         ' data-toggle="tooltip" title="{}"></span>'
         '<span class="sr-only">{}</span>')

# A complete lock has no status text of its own.
_STATUSES = {status: text for status, text in display_choices.STATUSES
             if status != 'lock_complete'}


def protection_icons(stack):
    """Return the icons of the lock and the delete protection of a stack.

    The list of stacks has all fields, so that no other request is needed.
    """
    icons = []
    if actions.is_locked(stack):
        icons.append(('fa-lock', _lock_text(stack)))
    if actions.is_protected(stack):
        icons.append(('fa-shield', _protection_text(stack)))
    return html.format_html_join(
        '', _ICON, ((icon, text, text) for icon, text in icons))


def _lock_text(stack):
    return _describe(
        _('%(status)s (level %(level)s)') % {
            'status': _lock_status_text(stack), 'level': stack.lock_level},
        stack.locked_by, stack.locked_at, stack.lock_reason)


def _lock_status_text(stack):
    # The stack status shows the lock only with the option status_overlay.
    status = (getattr(stack, 'lock_status', None) or '').lower()
    return _STATUSES.get(status, _('Locked'))


def _protection_text(stack):
    extent = (_('Protected from deletion, with its resources')
              if getattr(stack, 'delete_protection_resources', False)
              else _('Protected from deletion'))
    return _describe(extent, stack.delete_protected_by,
                     stack.delete_protected_at, stack.delete_protection_reason)


def _describe(action, who, when, why):
    text = str(action)
    if who:
        text += _(' by %s') % who
    if when:
        text += _(' since %s') % timestamps.format_local(when)
    return f'{text}: {why}' if why else text


class _ActionMixin(request_errors.ShowErrorMixin,
                   policy_checks.CachedPolicyMixin,
                   action_names.FixedNameMixin):
    """Base of heat-dashboard's actions with Heat's error message."""


class CheckStack(_ActionMixin, stack_tables.CheckStack):
    rules = stack_tables.CheckStack.policy_rules


class SuspendStack(_ActionMixin, stack_tables.SuspendStack):
    rules = stack_tables.SuspendStack.policy_rules


class ResumeStack(_ActionMixin, stack_tables.ResumeStack):
    rules = stack_tables.ResumeStack.policy_rules


class DeleteStack(_ActionMixin, stack_tables.DeleteStack):
    rules = stack_tables.DeleteStack.policy_rules


_REPLACED = {stack_tables.CheckStack: CheckStack,
             stack_tables.SuspendStack: SuspendStack,
             stack_tables.ResumeStack: ResumeStack,
             stack_tables.DeleteStack: DeleteStack}


def _replace_actions(actions_of_table):
    """Return a table's actions with the replaced ones."""
    return tuple(_REPLACED.get(each, each) for each in actions_of_table)


_Meta = stack_tables.StacksTable.Meta


class StacksTable(stack_tables.StacksTable):
    """The table with the column *Protection* and more actions."""

    stack_status = tables.Column(
        'stack_status', verbose_name=_('Status'),
        display_choices=(stack_tables.StacksTable.STACK_STATUS_DISPLAY_CHOICES
                         + display_choices.STATUSES))
    protection = tables.Column(protection_icons, verbose_name=_('Protection'))

    class Meta(table_templates.AccessibleMeta, _Meta):
        table_actions = (
            *_replace_actions(_Meta.table_actions),
            actions.LockStacks)
        table_actions_menu = (
            *_replace_actions(_Meta.table_actions_menu),
            actions.UnlockStack, actions.UnprotectStack)
        row_actions = (
            *_replace_actions(_Meta.row_actions),
            actions.LockStack, actions.UnlockStack, actions.ExtendLock,
            actions.EditLock, actions.GrantPass, actions.RevokePass,
            actions.ProtectStack, actions.UnprotectStack)
