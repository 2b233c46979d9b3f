# SPDX-License-Identifier: Apache-2.0

"""The brake: how much of a stack may be unhealthy at once. Pure."""


def is_exceeded(unhealthy: int, total: int, percent: int | None) -> bool:
    """Return whether one more unhealthy resource is too many.

    :param unhealthy: how many are marked already.
    :param total: how many resources the stack has.
    :param percent: what is allowed, or None for no limit.
    """
    if percent is None:
        return False
    return (unhealthy + 1) * 100 > percent * total
