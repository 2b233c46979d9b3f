# SPDX-License-Identifier: Apache-2.0

"""Moments, as Heat tells them and as people read them."""

from django.utils import timezone
from horizon.utils import filters


def format_local(text):
    """Write a moment in the time zone that the user has set.

    :param text: like ``2026-12-24T18:00:00Z``, or None
    """
    moment = filters.parse_isotime(text) if text else None
    if moment is None:
        return None
    return timezone.localtime(moment).strftime('%Y-%m-%d %H:%M %Z')
