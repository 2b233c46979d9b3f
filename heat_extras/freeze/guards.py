# SPDX-License-Identifier: Apache-2.0

"""The guards that freezes are."""

from oslo_utils import timeutils

from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras import timestamps


def list_guards(context, found):
    """List the windows that the caller meets; no query."""
    at = windows.clamp(found.at or timeutils.utcnow())
    known = [each for each in file_watch.current_windows()
             if each.projects is None or found.stack.tenant in each.projects]
    return [_guard(found, each, at)
            for each in windows.active(known, at)
            if not exempt.is_exempt(context, each)]


def _guard(found, window, at):
    span = window.span(at)
    return guard.Guard(
        kind='freeze', stack_id=found.stack.id, name=window.name,
        stops=window.stops(),
        set_at=span.since, reason=window.reason,
        lifted_by=window.exempt or 'nobody',
        how_to_lift=f'try again at {timestamps.to_iso(span.until)}',
        expires_at=span.until)
