# SPDX-License-Identifier: Apache-2.0

"""What a database driver said, behind what its callers made of it."""


def error_behind(error):
    """Return the driver's own exception.

    SQLAlchemy wraps it, and oslo.db wraps that.
    """
    error = getattr(error, 'inner_exception', None) or error
    return getattr(error, 'orig', None) or error
