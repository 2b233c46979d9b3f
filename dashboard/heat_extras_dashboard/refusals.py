# SPDX-License-Identifier: Apache-2.0

"""What Heat answered, told to who asked."""

from django.contrib import messages as queued
from django.utils.translation import gettext as _
from heat_extras.client import messages as sentences
from heatclient import exc
from horizon import exceptions
from horizon import messages


class TellsWhy:
    """For an action of a table: show Heat's own words where it refuses.

    Horizon's BatchAction tells the name of the stack only.
    """

    def action(self, request, obj_id):
        try:
            return super().action(request, obj_id)
        except exc.HTTPUnauthorized:
            # Its token has expired: Horizon asks to log in again.
            raise
        except exc.HTTPException as error:
            datum = self.table.get_object_by_id(obj_id)
            _handle(request, unable(
                self._get_action_name(), self.table.get_object_display(datum),
                error))


def unable(action, name, error):
    """Say what could not be done with which stack, and why."""
    return _('Unable to %(action)s: %(name)s. %(why)s') % {
        'action': str(action).lower(), 'name': name,
        'why': sentences.describe(error)}


def tell(request, action, name, error):
    """Show why something was refused."""
    messages.error(request, unable(action, name, error))


def unfold(request):
    """Show at once what is hidden behind a link *Details*.

    Where a form of heat-dashboard fails, horizon.exceptions.handle is called
    without a message of its own: it shows none, and the server's sentence
    behind that link.
    """
    for message in request.horizon['async_messages']:
        message[1] = _unfolded(message[1])
    for message in queued.get_messages(request)._queued_messages:
        message.message = _unfolded(message.message)


def _unfolded(text):
    if not text.startswith(exceptions.SEPARATOR):
        return text
    return text.removeprefix(exceptions.SEPARATOR).removeprefix('ERROR: ')


def _handle(request, message):
    """Show it, and let BatchAction.handle know that this was done."""
    # Without details Horizon would add the exception once more.
    exceptions.handle(request, message, escalate=True, details='')
