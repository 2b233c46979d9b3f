# SPDX-License-Identifier: Apache-2.0

"""What a request for guards may ask for, in the engine."""

from heat_extras import guard
from heat_extras.guards import errors
from heat_extras.guards import words


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
            message=words.unknown_action(text, guard.ACTIONS))
    return action
