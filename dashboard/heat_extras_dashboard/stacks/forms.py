# SPDX-License-Identifier: Apache-2.0

"""The form of an update."""

from heat_dashboard.content.stacks import forms

from heat_extras_dashboard import request_errors


class EditStackForm(forms.EditStackForm):
    """Says at once why Heat refuses an update."""

    def handle(self, request, data):
        done = super().handle(request, data)
        if not done:
            request_errors.show_details(request)
        return done
