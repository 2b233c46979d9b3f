# SPDX-License-Identifier: Apache-2.0

"""The arguments of a request for guards, as the engine reads them."""

from heat_extras import guard
from heat_extras.guards import errors
from heat_extras import timestamps


def parse_action(text):
    """Read the name of an action, in any usual spelling.

    :param text: None for all actions.
    :raises GuardsInvalid: naming the actions that there are.
    """
    if text is None:
        return None
    action = text.strip().lower().replace('-', '_')
    if action not in guard.ACTIONS:
        raise errors.GuardsInvalid(
            message=f'Invalid blocking: found {text!r}, wanted one of '
                    f'{", ".join(guard.ACTIONS)}.')
    return action


def parse_moment(text):
    """Read for which moment guards are asked.

    :param text: like ``2026-12-24T18:00:00Z``; None: now.
    :raises GuardsInvalid: saying what was found and what was wanted.
    """
    if text is None:
        return None
    try:
        return timestamps.parse(text, 'at')
    except ValueError as error:
        raise errors.GuardsInvalid(message=str(error)) from error
