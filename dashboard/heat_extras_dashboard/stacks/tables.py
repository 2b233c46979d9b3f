# SPDX-License-Identifier: Apache-2.0

"""heat-dashboard's table of stacks, with their locks, and what is refused."""

from django.utils import html
from django.utils.translation import gettext_lazy as _
from heat_dashboard.content.stacks import tables as theirs
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

# Of what is just locked, all but its level is plain.
_STATUSES = {status: text for status, text in display_choices.STATUSES
             if status != 'lock_complete'}


def protection_icons(stack):
    """Show with the icons of Horizon's instances what holds a stack.

    It asks nobody: lists of stacks tell it.
    """
    icons = []
    if actions.is_locked(stack):
        icons.append(('fa-lock', _lock_text(stack)))
    if actions.is_protected(stack):
        icons.append(('fa-shield', _protection_text(stack)))
    return html.format_html_join(
        '', _ICON, ((icon, text, text) for icon, text in icons))


def _lock_text(stack):
    return _told(
        _('%(status)s (level %(level)s)') % {
            'status': _lock_status_text(stack), 'level': stack.lock_level},
        stack.locked_by, stack.locked_at, stack.lock_reason)


def _lock_status_text(stack):
    # Which the stack's own status tells only where an operator wants that.
    status = (getattr(stack, 'lock_status', None) or '').lower()
    return _STATUSES.get(status, _('Locked'))


def _protection_text(stack):
    return _told(
        _('Protected from deletion'), stack.delete_protected_by,
        stack.delete_protected_at, stack.delete_protection_reason)


def _told(what, who, when, why):
    text = str(what)
    if who:
        text += _(' by %s') % who
    if when:
        text += _(' since %s') % timestamps.format_local(when)
    return f'{text}: {why}' if why else text


class _ActionMixin(request_errors.ShowErrorMixin,
                   policy_checks.CachedPolicyMixin,
                   action_names.FixedNameMixin):
    """One of heat-dashboard's actions, whose refusals are told."""


class CheckStack(_ActionMixin, theirs.CheckStack):
    rules = theirs.CheckStack.policy_rules


class SuspendStack(_ActionMixin, theirs.SuspendStack):
    rules = theirs.SuspendStack.policy_rules


class ResumeStack(_ActionMixin, theirs.ResumeStack):
    rules = theirs.ResumeStack.policy_rules


class DeleteStack(_ActionMixin, theirs.DeleteStack):
    rules = theirs.DeleteStack.policy_rules


_OURS = {theirs.CheckStack: CheckStack, theirs.SuspendStack: SuspendStack,
         theirs.ResumeStack: ResumeStack, theirs.DeleteStack: DeleteStack}


def _with_our_actions(theirs_too):
    """Put our actions in the place of those that they extend."""
    return tuple(_OURS.get(each, each) for each in theirs_too)


class StacksTable(theirs.StacksTable):
    """Has a column of locks more, and actions."""

    stack_status = tables.Column(
        'stack_status', verbose_name=_('Status'),
        display_choices=(theirs.StacksTable.STACK_STATUS_DISPLAY_CHOICES
                         + display_choices.STATUSES))
    protection = tables.Column(protection_icons, verbose_name=_('Protection'))

    class Meta(table_templates.AccessibleMeta, theirs.StacksTable.Meta):
        table_actions = (
            *_with_our_actions(theirs.StacksTable.Meta.table_actions),
            actions.LockStacks)
        table_actions_menu = (
            *_with_our_actions(theirs.StacksTable.Meta.table_actions_menu),
            actions.UnlockStack, actions.UnprotectStack)
        row_actions = (
            *_with_our_actions(theirs.StacksTable.Meta.row_actions),
            actions.LockStack, actions.UnlockStack, actions.ExtendLock,
            actions.EditLock, actions.GrantPass, actions.RevokePass,
            actions.ProtectStack, actions.UnprotectStack)
