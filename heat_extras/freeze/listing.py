# SPDX-License-Identifier: Apache-2.0

"""List the freezes of a project, now and next."""

from oslo_utils import timeutils

from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras import timestamps


def list_freezes(context):
    """List the freezes that apply to the caller, the first begin first.

    Each window is listed once: with its current period, or with its next
    period if it is not active. Windows without a next period are left out.

    :returns: a list of dicts, as in the response of the API.
    """
    now = windows.clamp(timeutils.utcnow())
    listed = [
        (span, each) for each in file_watch.current_windows()
        for span in [each.current_or_next(now)]
        if span and each.is_of(context.project_id)
        and not exempt.is_exempt(context, each)]
    return [_to_body(span, each, now) for span, each in sorted(
        listed, key=lambda pair: (pair[0].since, pair[1].name))]


def _to_body(span, window, now):
    return {'name': window.name, 'reason': window.reason,
            'begin': timestamps.to_iso(span.since),
            'end': timestamps.to_iso(span.until),
            'active': span.includes(now),
            'operations': sorted(each.replace(' ', '_')
                                 for each in window.operations)}
