# SPDX-License-Identifier: Apache-2.0

"""Errors that an engine raises and an API process answers with.

Heat's RPC rebuilds an engine's exception in the API process only when its
class is found in ``heat.common.exception`` (``allowed_remote_exmods`` in
heat.common.messaging), so that is where such classes say that they live
(``__module__ = HEAT_MODULE``), and where these records put them.
"""

from heat_extras import patching

HEAT_MODULE = 'heat.common.exception'


def records(*errors):
    """Make the records that add exception classes to heat.common.exception."""
    return [
        patching.Patch(
            f'{HEAT_MODULE}:{error.__name__}', patching.ADD, error,
            why='oslo.messaging rebuilds remote exceptions only from '
                'modules that Heat allows, and Heat allows this one alone')
        for error in errors]
