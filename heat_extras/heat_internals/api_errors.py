# SPDX-License-Identifier: Apache-2.0

"""Bad input to the API, as Heat answers it."""

import contextlib

from webob import exc


@contextlib.contextmanager
def value_errors_as_400():
    """Turn what is wrong with a value into 400, with the same words."""
    try:
        yield
    except ValueError as error:
        raise exc.HTTPBadRequest(str(error)) from error
