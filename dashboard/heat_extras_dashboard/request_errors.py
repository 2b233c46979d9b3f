# SPDX-License-Identifier: Apache-2.0

"""Errors of requests to Heat, as messages on the page."""

from django.utils.translation import gettext as _
from heat_extras.client import error_message
from heatclient import exc
from horizon import exceptions
from horizon import messages

# Heat rejects the request, or the request does not reach Heat.
FAILURES = error_message.FAILURES


class LockedSince(exc.BaseException):
    """The page has not shown the lock that would be removed."""

    def __init__(self):
        super().__init__(_('The stack was locked after this page was loaded. '
                           'Check who locked the stack, and why.'))


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


def _without_ellipsis(text):
    # Horizon hides the text after an ellipsis behind a link.
    return text.replace(exceptions.SEPARATOR, '...')
