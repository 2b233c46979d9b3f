# SPDX-License-Identifier: Apache-2.0

"""Errors of requests to Heat, as messages on the page."""

from django.contrib import messages as queued
from django.utils.translation import gettext as _
from heat_extras.client import error_message
from heat_extras.client import stack_action
from heatclient import exc
from horizon import exceptions
from horizon import messages

# Heat rejects the request, or the request does not reach Heat.
FAILURES = stack_action.FAILURES


class LockedSince(exc.BaseException):
    """The page has not shown the lock that would be removed."""

    def __init__(self):
        super().__init__(_('It was locked after this page was loaded. Check '
                           'who locked it, and why.'))


class ShowErrorMixin:
    """A table action that shows Heat's error message.

    Horizon's BatchAction shows only the name of the stack.
    """

    def action(self, request, obj_id):
        try:
            return super().action(request, obj_id)
        except exc.HTTPUnauthorized:
            # The token has expired. Horizon shows the login page.
            raise
        except FAILURES as error:
            datum = self.table.get_object_by_id(obj_id)
            show_error(request, self._get_action_name(),
                       self.table.get_object_display(datum), error)
            # BatchAction.handle shows no message for this exception.
            raise exceptions.HandledException(
                [type(error), error, error.__traceback__]) from error


def describe(error, missing=None):
    """Explain why a request failed.

    :param missing: as for :func:`heat_extras.client.error_message.describe`.
    """
    return _without_ellipsis(error_message.describe(error, missing))


def show_error(request, action, name, error):
    """Show an error message with action, stack and reason."""
    messages.error(request, _('Unable to %(action)s: %(name)s. %(why)s') % {
        'action': str(action).lower(), 'name': name, 'why': describe(error)})


def show_details(request):
    """Show error messages that Horizon hides behind a link *Details*.

    When a form of heat-dashboard fails, it calls horizon.exceptions.handle
    without a message. The page would then show only this link.
    """
    for message in request.horizon['async_messages']:
        message[1] = _with_details(message[1])
    for message in queued.get_messages(request)._queued_messages:
        message.message = _with_details(message.message)


def _with_details(text):
    if not text.startswith(exceptions.SEPARATOR):
        return text
    return _without_ellipsis(
        text.removeprefix(exceptions.SEPARATOR).removeprefix('ERROR: '))


def _without_ellipsis(text):
    # Horizon hides the text after an ellipsis behind a link.
    return text.replace(exceptions.SEPARATOR, '...')
