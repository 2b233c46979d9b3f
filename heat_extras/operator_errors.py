# SPDX-License-Identifier: Apache-2.0

"""Errors of heat-extras itself.

The errors that an engine sends to the API through Heat's RPC are in
:mod:`heat_extras.exception`.
"""


class HeatExtrasError(Exception):
    """Base of the errors that are shown to an operator in one line."""


class PatchError(HeatExtrasError):
    """A patch does not fit this Heat, or cannot be undone."""


class ActivationError(HeatExtrasError):
    """An enabled feature cannot be turned on in this process.

    Its arguments are sentences, one for each problem.
    """

    def __str__(self):
        return '; '.join(map(str, self.args))
