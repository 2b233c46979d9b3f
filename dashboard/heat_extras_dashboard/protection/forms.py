# SPDX-License-Identifier: Apache-2.0

"""What is asked before a stack is locked, extended, passed or protected."""

from django.core import exceptions
from django.utils.translation import gettext_lazy as _
from heat_extras.client import options
from heatclient import exc
from horizon import forms
from horizon import messages

from heat_extras_dashboard import display_choices
from heat_extras_dashboard import heat_api
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import request_errors


def _is_duration(text):
    try:
        options.expiration(text)
    except ValueError as error:
        raise exceptions.ValidationError(str(error)) from error


def _reason(help_text):
    return forms.CharField(
        label=_('Reason'), required=False, max_length=255,
        help_text=help_text)


def _lasts(label, help_text, required=False):
    return forms.CharField(
        label=label, required=required, validators=[_is_duration],
        widget=forms.TextInput(attrs={'placeholder': '2h'}),
        help_text=help_text)


class Targets(forms.MultipleChoiceField):
    """Takes what was offered once, too: Heat says what has become of it."""

    def valid_value(self, value):
        return targets.is_target(value)


class StacksForm(forms.SelfHandlingForm):
    """Does the same with each of several stacks, and tells each result.

    :cvar done: what is told of those with which it was done
    :cvar verb: what is told of the others: "Unable to ..."
    """

    stacks = Targets(label=_('Stacks'), widget=forms.SelectMultiple())

    def __init__(self, request, *args, **kwargs):
        offered = kwargs.pop('offered')
        super().__init__(request, *args, **kwargs)
        self.fields['stacks'].choices = [
            (target, targets.stack_name(target)) for target in offered]

    def handle(self, request, data):
        """Send the requests; return whether one of them was accepted."""
        done = [targets.stack_name(target) for target in data['stacks']
                if self.was_done(request, target, data)]
        if done:
            messages.success(request, _('%(done)s: %(names)s') % {
                'done': self.done, 'names': ', '.join(done)})
        return bool(done)

    def was_done(self, request, target, data):
        """Do it with one; tell if it was refused."""
        try:
            self.send(heat_api.lock_manager(request), target, data)
        except exc.HTTPUnauthorized:
            raise
        except request_errors.FAILURES as error:
            request_errors.show_error(request, self.verb,
                                      targets.stack_name(target), error)
            return False
        return True


class LockForm(StacksForm):
    """Locks; level all asks once more, and tells what it would protect."""

    done = _('Locked Stacks')
    verb = _('Lock Stack')

    level = forms.ChoiceField(label=_('Level'), choices=display_choices.LEVELS,
                              widget=forms.ThemableSelectWidget())
    reason = _reason(_('Shown to users whose requests the lock rejects.'))
    lasts = _lasts(_('Lasts'), _(
        'Time until the lock expires: 30m, 2h, 3d or 1d12h. Without it, the '
        'lock does not expire.'))
    # The end of a lock that is edited stays, unless another one is given.
    ends = forms.CharField(required=False, widget=forms.HiddenInput())
    # Set by the second page.
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput())

    def __init__(self, request, *args, **kwargs):
        self.confirm = kwargs.pop('confirm', None)
        super().__init__(request, *args, **kwargs)
        if self['ends'].value():
            self.fields['lasts'].help_text = _(
                'Time until the lock expires, from now: 30m, 2h, 3d or 1d12h. '
                'Without it, the expiration stays.')

    def handle(self, request, data):
        if data['level'] == 'all' and not data['confirmed']:
            return self.confirm(request, data)
        done = super().handle(request, data)
        if not done:
            # What is changed in the form now has not been shown.
            self.data = {**self.data.dict(), 'confirmed': '',
                         'stacks': data['stacks']}
        return done

    def send(self, manager, target, data):
        # A target without a lock is locked only if it still has none.
        manager.lock(targets.stack_identity(target), level=data['level'],
                     reason=data['reason'] or None,
                     lock_id=targets.lock_id(target),
                     replace=targets.lock_id(target) is not None,
                     expires_at=_end(data['lasts']) or data['ends'] or None)


class ExtendForm(StacksForm):
    """Changes the expiration of locks."""

    done = _('Changed Expiration of Locks')
    verb = _('Change Expiration of Lock')

    lasts = _lasts(_('Lasts From Now'), _(
        '30m, 2h, 3d or 1d12h. Without it, the lock does not expire.'))

    def send(self, manager, target, data):
        manager.extend_lock(targets.stack_identity(target),
                            _end(data['lasts']), targets.lock_id(target))


class PassForm(StacksForm):
    """Lets one update of one user through locks of level stacks."""

    done = _('Granted Lock Passes')
    verb = _('Grant Lock Pass')

    user = forms.CharField(label=_('User'), max_length=255, help_text=_(
        'The ID of the user, or with a domain the name. Heat does not check '
        'that the user exists.'))
    domain = forms.CharField(
        label=_('Domain'), required=False, max_length=255,
        help_text=_('The domain of the user, for a user name.'))
    lasts = _lasts(_('Can Be Used For'), _(
        'At most a day: 30m, 2h or 1d. An update that has started '
        'continues.'), required=True)
    reason = _reason(_('Shown to users who show the stack.'))

    def send(self, manager, target, data):
        manager.grant_pass(
            targets.stack_identity(target),
            options.pass_user(data['user'], data['domain'] or None),
            _end(data['lasts']), data['reason'] or None)


class ProtectForm(StacksForm):
    """Protects stacks from deletion."""

    done = _('Protected Stacks from Deletion')
    verb = _('Protect Stack from Deletion')

    reason = _reason(_('Shown to users whose deletion is rejected.'))

    def send(self, manager, target, data):
        manager.protect(targets.stack_identity(target), data['reason'] or None)


def _end(lasts):
    return options.expiration(lasts) if lasts else None
