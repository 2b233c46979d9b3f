# SPDX-License-Identifier: Apache-2.0

"""The forms of locks, lock passes and delete protection."""

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


def _check_duration(text):
    try:
        options.expiration(text)
    except ValueError as error:
        raise exceptions.ValidationError(str(error)) from error


def _reason(help_text):
    return forms.CharField(
        label=_('Reason'), required=False, max_length=255,
        help_text=help_text)


def _duration(label, help_text, required=False):
    return forms.CharField(
        label=label, required=required, validators=[_check_duration],
        widget=forms.TextInput(attrs={'placeholder': '2h'}),
        help_text=help_text)


class Targets(forms.MultipleChoiceField):
    """Accept each valid target, also if it is no longer a choice.

    Heat rejects the request if the stack has changed.
    """

    def valid_value(self, value):
        return targets.is_target(value)


class StacksForm(forms.SelfHandlingForm):
    """Send a request for each selected stack, and show each result.

    :cvar done: the message before the names of successful stacks.
    :cvar verb: the action in the error message "Unable to ...".
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
        """Send one request, and show its error."""
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
    """Lock stacks, for level all after a confirmation.

    The confirmation shows the resources that the lock would protect.
    """

    done = _('Locked Stacks')
    verb = _('Lock Stack')

    level = forms.ChoiceField(label=_('Level'), choices=display_choices.LEVELS,
                              widget=forms.ThemableSelectWidget())
    reason = _reason(_('Shown to users whose requests the lock rejects.'))
    duration = _duration(_('Duration'), _(
        'Time from now until the lock expires: 30m, 2h, 3d or 1d12h. If '
        'empty, the lock does not expire.'))
    # The expiration of the edited lock, which stays without a new duration.
    expires_at = forms.CharField(required=False, widget=forms.HiddenInput())
    # Set by the confirmation.
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput())

    def __init__(self, request, *args, **kwargs):
        self.confirm = kwargs.pop('confirm', None)
        super().__init__(request, *args, **kwargs)
        if self['expires_at'].value():
            self.fields['duration'].help_text = _(
                'Time from now until the lock expires: 30m, 2h, 3d or 1d12h. '
                'If empty, the expiration is not changed.')

    def handle(self, request, data):
        if data['level'] == 'all' and not data['confirmed']:
            return self.confirm(request, data)
        done = super().handle(request, data)
        if not done:
            # The confirmation is not valid for changed values.
            self.data = {**self.data.dict(), 'confirmed': '',
                         'stacks': data['stacks']}
        return done

    def send(self, manager, target, data):
        # An unlocked target is only locked if it is still unlocked.
        manager.lock(targets.stack_identity(target), level=data['level'],
                     reason=data['reason'] or None,
                     lock_id=targets.lock_id(target),
                     replace=targets.lock_id(target) is not None,
                     expires_at=(_expiration(data['duration'])
                                 or data['expires_at'] or None))


class ExtendForm(StacksForm):
    """Change the expiration of locks."""

    done = _('Changed Expiration of Locks')
    verb = _('Change Expiration of Lock')

    duration = _duration(_('Duration From Now'), _(
        'Time from now until the lock expires: 30m, 2h, 3d or 1d12h. If '
        'empty, the lock does not expire.'))

    def send(self, manager, target, data):
        manager.extend_lock(targets.stack_identity(target),
                            _expiration(data['duration']),
                            targets.lock_id(target))


class PassForm(StacksForm):
    """Grant lock passes for locks of level stacks."""

    done = _('Granted Lock Passes')
    verb = _('Grant Lock Pass')

    user = forms.CharField(label=_('User'), max_length=255, help_text=_(
        'The ID of the user, or the name if you also give the domain. Heat '
        'does not check that the user exists.'))
    domain = forms.CharField(
        label=_('Domain'), required=False, max_length=255,
        help_text=_('The domain of the user. Only needed if you give the name '
                    'of the user.'))
    duration = _duration(_('Can Be Used For'), _(
        'Time from now during which the lock pass can be used, at most a day: '
        '30m, 2h or 1d. An update that starts in this time can end '
        'later.'), required=True)
    reason = _reason(_('Shown to users who display the stack.'))

    def send(self, manager, target, data):
        manager.grant_pass(
            targets.stack_identity(target),
            options.pass_user(data['user'], data['domain'] or None),
            _expiration(data['duration']), data['reason'] or None)


class ProtectForm(StacksForm):
    """Protect stacks from deletion."""

    done = _('Protected Stacks from Deletion')
    verb = _('Protect Stack from Deletion')

    reason = _reason(_('Shown to users whose requests are rejected.'))
    resources = forms.BooleanField(
        label=_('Protect Resources From Updates'), required=False,
        help_text=_('Also reject updates that would replace or remove a '
                    'resource of the stack or of a nested stack.'))

    def send(self, manager, target, data):
        manager.protect(targets.stack_identity(target), data['reason'] or None,
                        resources=data['resources'])


def _expiration(duration):
    return options.expiration(duration) if duration else None
