# SPDX-License-Identifier: Apache-2.0

"""What Heat answered, told to who asked."""

from django.contrib import messages as queued
from django.utils.translation import gettext as _
from heat_extras.client import error_message
from heat_extras.client import stack_action
from heatclient import exc
from horizon import exceptions
from horizon import messages

# What Heat refuses, and what becomes of a request that does not reach it.
FAILURES = stack_action.FAILURES


class LockedSince(exc.BaseException):
    """A lock that nobody has seen is not to be lifted."""

    def __init__(self):
        super().__init__(_('It was locked after this page was loaded. Check '
                           'who locked it, and why.'))


class ShowErrorMixin:
    """For an action of a table: show Heat's own words where it refuses.

    Horizon's BatchAction tells the name of the stack only.
    """

    def action(self, request, obj_id):
        try:
            return super().action(request, obj_id)
        except exc.HTTPUnauthorized:
            # Its token has expired: Horizon asks to log in again.
            raise
        except FAILURES as error:
            datum = self.table.get_object_by_id(obj_id)
            show_error(request, self._get_action_name(),
                       self.table.get_object_display(datum), error)
            # So BatchAction.handle knows that this was done.
            raise exceptions.HandledException(
                [type(error), error, error.__traceback__]) from error


def describe(error, missing=None):
    """Say why a request failed, as heat_extras.client.error_message does."""
    return _whole(error_message.describe(error, missing))


def show_error(request, action, name, error):
    """Show what could not be done with which stack, and why."""
    messages.error(request, _('Unable to %(action)s: %(name)s. %(why)s') % {
        'action': str(action).lower(), 'name': name, 'why': describe(error)})


def show_details(request):
    """Show at once what is hidden behind a link *Details*.

    Where a form of heat-dashboard fails, horizon.exceptions.handle is called
    without a message of its own: it shows none, and the server's sentence
    behind that link.
    """
    for message in request.horizon['async_messages']:
        message[1] = _with_details(message[1])
    for message in queued.get_messages(request)._queued_messages:
        message.message = _with_details(message.message)


def _with_details(text):
    if not text.startswith(exceptions.SEPARATOR):
        return text
    return _whole(text.removeprefix(exceptions.SEPARATOR)
                  .removeprefix('ERROR: '))


def _whole(text):
    # An ellipsis, which Horizon hides what follows of a message behind.
    return text.replace(exceptions.SEPARATOR, '...')
