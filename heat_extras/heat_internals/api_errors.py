# SPDX-License-Identifier: Apache-2.0

"""Errors of the API for values that are not valid."""

import contextlib

from webob import exc


@contextlib.contextmanager
def value_errors_as_400():
    """Raise a ValueError again as an HTTP error 400 with the same text."""
    try:
        yield
    except ValueError as error:
        raise exc.HTTPBadRequest(str(error)) from error
