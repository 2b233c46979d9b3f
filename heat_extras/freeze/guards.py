# SPDX-License-Identifier: Apache-2.0

"""List freezes as guards."""

from oslo_utils import timeutils

from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras import timestamps


def list_guards(context, tree):
    """List the windows that apply to the caller, without a query."""
    at = windows.clamp(tree.at or timeutils.utcnow())
    known = [each for each in file_watch.current_windows()
             if each.projects is None or tree.stack.tenant in each.projects]
    return [_to_guard(tree, each, at)
            for each in windows.active_windows(known, at)
            if not exempt.is_exempt(context, each)]


def _to_guard(tree, window, at):
    span = window.span(at)
    return guard.Guard(
        kind='freeze', stack_id=tree.stack.id, name=window.name,
        stops=window.stops(),
        set_at=span.since, reason=window.reason,
        lifted_by=window.exempt or 'nobody',
        how_to_lift=f'try again at {timestamps.to_iso(span.until)}',
        expires_at=span.until)
