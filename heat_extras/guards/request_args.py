# SPDX-License-Identifier: Apache-2.0

"""Parse the arguments of a request for guards, in the engine."""

from heat_extras import guard_info
from heat_extras.guards import errors
from heat_extras import timestamps


def parse_action(text):
    """Parse the name of an action, in any usual spelling.

    :param text: the name, or None for all actions.
    :raises GuardsInvalid: with the names of all actions.
    """
    if text is None:
        return None
    action = text.strip().lower().replace('-', '_')
    if action not in guard_info.ACTIONS:
        raise errors.GuardsInvalid(
            message=f'Invalid blocking: {text!r} must be one of '
                    f'{", ".join(guard_info.ACTIONS)}.')
    return action


def parse_time(text):
    """Parse the time for which to list guards.

    :param text: a time like ``2026-12-24T18:00:00Z``, or None for now.
    :raises GuardsInvalid: if the text is not a time.
    """
    if text is None:
        return None
    try:
        return timestamps.parse(text, 'at')
    except ValueError as error:
        raise errors.GuardsInvalid(message=str(error)) from error
