# SPDX-License-Identifier: Apache-2.0

"""The guards that freezes are."""

from oslo_utils import timeutils

from heat_extras.freeze import exemption
from heat_extras.freeze import outlook
from heat_extras.freeze import reach
from heat_extras.freeze import standing
from heat_extras.freeze import words
from heat_extras import guard
from heat_extras import timestamps


def list_guards(context, found):
    """List the windows that the caller meets; no query."""
    at = outlook.within(found.at or timeutils.utcnow())
    known = [each for each in standing.windows(context)
             if each.projects is None or found.stack.tenant in each.projects]
    return [_guard(found, each, at) for each in outlook.frozen(known, at)
            if not exemption.is_exempt(context, each)]


def _guard(found, window, at):
    over = outlook.over([window], at)
    return guard.Guard(
        kind='freeze', stack_id=found.stack.id, name=window.name,
        stops=reach.stopped(window.operations),
        set_at=window.span(at).since, reason=window.reason,
        lifted_by=window.exempt or words.NOBODY,
        how_to_lift=words.wait(timestamps.to_iso(over)), expires_at=over)
