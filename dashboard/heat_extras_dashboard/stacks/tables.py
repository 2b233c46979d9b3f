# SPDX-License-Identifier: Apache-2.0

"""heat-dashboard's table of stacks, with their locks, and what is refused."""

from django.utils import html
from django.utils.translation import gettext_lazy as _
from heat_dashboard.content.stacks import tables as theirs
from horizon import tables

from heat_extras_dashboard import markup
from heat_extras_dashboard import moments
from heat_extras_dashboard import naming
from heat_extras_dashboard.protection import actions
from heat_extras_dashboard import refusals
from heat_extras_dashboard import rights
from heat_extras_dashboard import words

_ICON = ('<span class="fa fa-fw {}" aria-hidden="true"'
         ' data-toggle="tooltip" title="{}"></span>'
         '<span class="sr-only">{}</span>')

# Of what is just locked, all but its level is plain.
_STATUSES = {status: text for status, text in words.STATUSES
             if status != 'lock_complete'}


def protection_of(stack):
    """Show with the icons of Horizon's instances what holds a stack.

    It asks nobody: lists of stacks tell it.
    """
    icons = []
    if actions.is_locked(stack):
        icons.append(('fa-lock', _lock_of(stack)))
    if actions.is_protected(stack):
        icons.append(('fa-shield', _protection_of(stack)))
    return html.format_html_join(
        '', _ICON, ((icon, text, text) for icon, text in icons))


def _lock_of(stack):
    return _told(
        _('%(status)s (level %(level)s)') % {
            'status': _status_of(stack), 'level': stack.lock_level},
        stack.locked_by, stack.locked_at, stack.lock_reason)


def _status_of(stack):
    # Which the stack's own status tells only where an operator wants that.
    status = (getattr(stack, 'lock_status', None) or '').lower()
    return _STATUSES.get(status, _('Locked'))


def _protection_of(stack):
    return _told(
        _('Protected from deletion'), stack.delete_protected_by,
        stack.delete_protected_at, stack.delete_protection_reason)


def _told(what, who, when, why):
    text = str(what)
    if who:
        text += _(' by %s') % who
    if when:
        text += _(' since %s') % moments.shown(when)
    return f'{text}: {why}' if why else text


class _Told(refusals.TellsWhy, rights.Asked, naming.Named):
    """One of heat-dashboard's actions, whose refusals are told."""


class CheckStack(_Told, theirs.CheckStack):
    rules = theirs.CheckStack.policy_rules


class SuspendStack(_Told, theirs.SuspendStack):
    rules = theirs.SuspendStack.policy_rules


class ResumeStack(_Told, theirs.ResumeStack):
    rules = theirs.ResumeStack.policy_rules


class DeleteStack(_Told, theirs.DeleteStack):
    rules = theirs.DeleteStack.policy_rules


_OURS = {theirs.CheckStack: CheckStack, theirs.SuspendStack: SuspendStack,
         theirs.ResumeStack: ResumeStack, theirs.DeleteStack: DeleteStack}


def _ours(theirs_too):
    """Put our actions in the place of those that they extend."""
    return tuple(_OURS.get(each, each) for each in theirs_too)


class StacksTable(theirs.StacksTable):
    """Has a column of locks more, and actions."""

    stack_status = tables.Column(
        'stack_status', verbose_name=_('Status'),
        display_choices=(theirs.StacksTable.STACK_STATUS_DISPLAY_CHOICES
                         + words.STATUSES))
    protection = tables.Column(protection_of, verbose_name=_('Protection'))

    class Meta(markup.Labelled, theirs.StacksTable.Meta):
        table_actions = (
            *_ours(theirs.StacksTable.Meta.table_actions),
            actions.LockStacks)
        table_actions_menu = (
            *_ours(theirs.StacksTable.Meta.table_actions_menu),
            actions.UnlockStack, actions.UnprotectStack)
        row_actions = (
            *_ours(theirs.StacksTable.Meta.row_actions),
            actions.LockStack, actions.UnlockStack, actions.ExtendLock,
            actions.EditLock, actions.GrantPass, actions.RevokePass,
            actions.ProtectStack, actions.UnprotectStack)
