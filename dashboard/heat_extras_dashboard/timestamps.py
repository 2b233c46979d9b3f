# SPDX-License-Identifier: Apache-2.0

"""Timestamps of Heat in the time zone of the user."""

from django.utils import timezone
from horizon.utils import filters


def format_local(text):
    """Format a timestamp in the time zone of the user's settings.

    :param text: like ``2026-12-24T18:00:00Z``, or None
    """
    time = filters.parse_isotime(text) if text else None
    if time is None:
        return None
    return timezone.localtime(time).strftime('%Y-%m-%d %H:%M %Z')
