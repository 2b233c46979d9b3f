# SPDX-License-Identifier: Apache-2.0

"""Actions of the tables of locks and of stacks.

An action takes a stack, or a lock, which has the same attributes.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from horizon import tables

from heat_extras_dashboard import action_names
from heat_extras_dashboard import heat_api
from heat_extras_dashboard import policy_checks
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import request_errors


def is_root(stack):
    """Return whether a stack is a root stack, which can be locked."""
    return (heat_api.has_lock_fields(stack)
            and not getattr(stack, 'parent', None))


def is_locked(stack):
    """Return whether a stack is a locked root stack."""
    return is_root(stack) and stack.lock_level is not None


def is_protected(stack):
    """Return whether a stack is protected from deletion.

    :returns: None if this Heat has no delete protection.
    """
    return getattr(stack, 'delete_protected', None)


class _StateMixin:
    """An action that is shown if the state of the stack allows it."""

    def applies_to(self, stack):
        """Return whether the state of a stack allows the action."""
        raise NotImplementedError

    def allowed(self, request, datum=None):
        # The actions above the table have no stack.
        return datum is None or self.applies_to(datum)


class FormAction(policy_checks.CachedPolicyMixin, _StateMixin,
                 tables.LinkAction):
    """Open a form, for one stack or for stacks selected in the form."""

    classes = ('ajax-modal',)

    def get_link_url(self, datum=None):
        return targets.form_url(self.view,
                                datum and targets.format_target(datum))


class LockStack(FormAction):
    """Open the form that locks a stack."""

    name = 'lock'
    verbose_name = _('Lock Stack')
    view = 'lock'
    icon = 'lock'
    rules = (('heat_extras', 'actions:lock'),)

    def applies_to(self, stack):
        return is_root(stack) and not is_locked(stack)


class EditLock(FormAction):
    """Open the form that changes level and reason of a lock."""

    name = 'edit_lock'
    verbose_name = _('Edit Lock')
    view = 'lock'
    icon = 'pencil'
    rules = (('heat_extras', 'actions:lock'),)

    def applies_to(self, stack):
        return is_locked(stack)


class ExtendLock(FormAction):
    """Open the form that changes the expiration of a lock."""

    name = 'extend_lock'
    verbose_name = _('Change Expiration of Lock')
    view = 'extend'
    icon = 'calendar'
    rules = (('heat_extras', 'actions:extend_lock'),)

    def applies_to(self, stack):
        return is_locked(stack)


class GrantPass(FormAction):
    """Open the form that grants a lock pass."""

    name = 'grant_pass'
    verbose_name = _('Grant Lock Pass')
    view = 'pass'
    icon = 'ticket'
    rules = (('heat_extras', 'actions:lock_pass'),)

    def applies_to(self, stack):
        # A lock has at most one pass, and level all allows none.
        return (is_locked(stack) and stack.lock_level == 'stacks'
                and not stack.lock_pass)


class ProtectStack(FormAction):
    """Open the form that protects a stack from deletion."""

    name = 'protect'
    verbose_name = _('Protect from Deletion')
    view = 'protect'
    icon = 'shield'
    rules = (('heat_extras', 'actions:protect'),)

    def applies_to(self, stack):
        return is_root(stack) and is_protected(stack) is False


class LockStacks(LockStack):
    """An action above the table. The user selects stacks in the form."""

    name = 'lock_several'
    verbose_name = _('Lock Stacks')


class ExtendLocks(ExtendLock):
    """An action above the table. The user selects stacks in the form."""

    name = 'extend_several'
    verbose_name = _('Change Expirations')


class GrantPasses(GrantPass):
    """An action above the table. The user selects stacks in the form."""

    name = 'grant_several'
    verbose_name = _('Grant Lock Passes')


class ProtectStacks(ProtectStack):
    """An action above the table. The user selects stacks in the form."""

    name = 'protect_several'
    verbose_name = _('Protect Stacks from Deletion')


class _ImmediateAction(policy_checks.CachedPolicyMixin,
                       action_names.FixedNameMixin, _StateMixin,
                       tables.BatchAction):
    """An action without a form, which sends a request."""

    def action(self, request, obj_id):
        stack = self.table.get_object_by_id(obj_id)
        self.send(request, heat_api.stack_identity(stack), stack)


class UnlockStack(request_errors.ShowErrorMixin, _ImmediateAction):
    """Remove the lock that the page shows, but no later lock."""

    name = 'unlock'
    icon = 'unlock'
    help_text = _('Users can change these stacks again.')
    rules = (('heat_extras', 'actions:unlock'),)

    @staticmethod
    def action_present(count):
        return ngettext_lazy('Unlock Stack', 'Unlock Stacks', count)

    @staticmethod
    def action_past(count):
        return ngettext_lazy('Unlocked Stack', 'Unlocked Stacks', count)

    def applies_to(self, stack):
        return is_locked(stack)

    @property
    def shown(self):
        """Return the target that the page sends back."""
        return targets.format_target(self.datum)

    def send(self, request, identity, stack):
        shown = targets.shown_target(request, stack)
        if shown is None:
            raise request_errors.LockedSince
        heat_api.lock_manager(request).unlock(identity, targets.lock_id(shown))


class RevokePass(request_errors.ShowErrorMixin, _ImmediateAction):
    """Revoke a lock pass that has not been used."""

    name = 'revoke_pass'
    icon = 'ban'
    help_text = _('The next update of this user is rejected, like the updates '
                  'of all other users.')
    rules = (('heat_extras', 'actions:lock_pass'),)

    @staticmethod
    def action_present(count):
        return ngettext_lazy('Revoke Lock Pass', 'Revoke Lock Passes', count)

    @staticmethod
    def action_past(count):
        return ngettext_lazy('Revoked Lock Pass', 'Revoked Lock Passes', count)

    def applies_to(self, stack):
        lock_pass = is_locked(stack) and stack.lock_pass
        return bool(lock_pass) and not lock_pass.get('used_at')

    def send(self, request, identity, stack):
        heat_api.lock_manager(request).revoke_pass(identity)


class UnprotectStack(request_errors.ShowErrorMixin, _ImmediateAction):
    """Remove the protection from deletion."""

    name = 'unprotect'
    icon = 'unlock-alt'
    help_text = _('Users can delete these stacks again.')
    rules = (('heat_extras', 'actions:unprotect'),)

    @staticmethod
    def action_present(count):
        return ngettext_lazy('Allow Deletion', 'Allow Deletions', count)

    @staticmethod
    def action_past(count):
        return ngettext_lazy('Allowed Deletion', 'Allowed Deletions', count)

    def applies_to(self, stack):
        return is_root(stack) and bool(is_protected(stack))

    def send(self, request, identity, stack):
        heat_api.lock_manager(request).unprotect(identity)
