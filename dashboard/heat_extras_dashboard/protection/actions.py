# SPDX-License-Identifier: Apache-2.0

"""What is done with stacks from a table, here and on the page of stacks.

Each takes a stack of Heat's list, or a lock of the list of locks, which has
the same attributes.
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
    """Return whether a stack can be locked, for it is nested in none."""
    return (heat_api.has_lock_fields(stack)
            and not getattr(stack, 'parent', None))


def is_locked(stack):
    """Return whether a lock of its own holds a root stack."""
    return is_root(stack) and stack.lock_level is not None


def is_protected(stack):
    """Return whether nobody deletes a stack; None: Heat does not know."""
    return getattr(stack, 'delete_protected', None)


class _StateMixin:
    """Is shown where it fits to the state of the stack."""

    def applies_to(self, stack):
        """Return whether it can be done with a stack."""
        raise NotImplementedError

    def allowed(self, request, datum=None):
        # There is none above the table.
        return datum is None or self.applies_to(datum)


class FormAction(policy_checks.CachedPolicyMixin, _StateMixin,
                 tables.LinkAction):
    """Opens a form: about one stack, or of a table about those it asks for."""

    classes = ('ajax-modal',)

    def get_link_url(self, datum=None):
        return targets.form_url(self.view,
                                datum and targets.format_target(datum))


class LockStack(FormAction):
    """Asks how to lock a stack."""

    name = 'lock'
    verbose_name = _('Lock Stack')
    view = 'lock'
    icon = 'lock'
    rules = (('heat_extras', 'actions:lock'),)

    def applies_to(self, stack):
        return is_root(stack) and not is_locked(stack)


class EditLock(FormAction):
    """Asks for another level and reason of a lock."""

    name = 'edit_lock'
    verbose_name = _('Edit Lock')
    view = 'lock'
    icon = 'pencil'
    rules = (('heat_extras', 'actions:lock'),)

    def applies_to(self, stack):
        return is_locked(stack)


class ExtendLock(FormAction):
    """Asks for another expiration of a lock."""

    name = 'extend_lock'
    verbose_name = _('Change Expiration of Lock')
    view = 'extend'
    icon = 'calendar'
    rules = (('heat_extras', 'actions:extend_lock'),)

    def applies_to(self, stack):
        return is_locked(stack)


class GrantPass(FormAction):
    """Asks whose update goes through a lock."""

    name = 'grant_pass'
    verbose_name = _('Grant Lock Pass')
    view = 'pass'
    icon = 'ticket'
    rules = (('heat_extras', 'actions:lock_pass'),)

    def applies_to(self, stack):
        # There is one pass at a time, and none through level all.
        return (is_locked(stack) and stack.lock_level == 'stacks'
                and not stack.lock_pass)


class ProtectStack(FormAction):
    """Asks why nobody is to delete a stack."""

    name = 'protect'
    verbose_name = _('Protect from Deletion')
    view = 'protect'
    icon = 'shield'
    rules = (('heat_extras', 'actions:protect'),)

    def applies_to(self, stack):
        return is_root(stack) and is_protected(stack) is False


class LockStacks(LockStack):
    """Above a table: the form asks for the stacks."""

    name = 'lock_several'
    verbose_name = _('Lock Stacks')


class ExtendLocks(ExtendLock):
    """Above a table: the form asks for the stacks."""

    name = 'extend_several'
    verbose_name = _('Change Expirations')


class GrantPasses(GrantPass):
    """Above a table: the form asks for the stacks."""

    name = 'grant_several'
    verbose_name = _('Grant Lock Passes')


class ProtectStacks(ProtectStack):
    """Above a table: the form asks for the stacks."""

    name = 'protect_several'
    verbose_name = _('Protect Stacks from Deletion')


class _ImmediateAction(policy_checks.CachedPolicyMixin,
                       action_names.FixedNameMixin, _StateMixin,
                       tables.BatchAction):
    """Needs no form; :meth:`send` does it."""

    def action(self, request, obj_id):
        stack = self.table.get_object_by_id(obj_id)
        self.send(request, heat_api.stack_identity(stack), stack)


class UnlockStack(request_errors.ShowErrorMixin, _ImmediateAction):
    """Lifts the lock that the page shows, and no later one."""

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
        """Return what the row sends back of its lock."""
        return targets.format_target(self.datum)

    def send(self, request, identity, stack):
        shown = targets.shown_target(request, stack)
        if shown is None:
            raise request_errors.LockedSince
        heat_api.lock_manager(request).unlock(identity, targets.lock_id(shown))


class RevokePass(request_errors.ShowErrorMixin, _ImmediateAction):
    """Takes a pass back that is not used."""

    name = 'revoke_pass'
    icon = 'ban'
    help_text = _('The next update of this user is rejected like all others.')
    rules = (('heat_extras', 'actions:lock_pass'),)

    @staticmethod
    def action_present(count):
        return ngettext_lazy('Revoke Lock Pass', 'Revoke Lock Passes', count)

    @staticmethod
    def action_past(count):
        return ngettext_lazy('Revoked Lock Pass', 'Revoked Lock Passes', count)

    def applies_to(self, stack):
        found = is_locked(stack) and stack.lock_pass
        return bool(found) and not found.get('used_at')

    def send(self, request, identity, stack):
        heat_api.lock_manager(request).revoke_pass(identity)


class UnprotectStack(request_errors.ShowErrorMixin, _ImmediateAction):
    """Lets a stack be deleted again."""

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
