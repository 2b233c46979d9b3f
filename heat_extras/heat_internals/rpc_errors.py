# SPDX-License-Identifier: Apache-2.0

"""Errors of an RPC method that its caller is told, and nobody else needs."""

import contextlib

from heat.common import exception
from oslo_messaging.rpc import dispatcher


@contextlib.contextmanager
def as_expected():
    """Let the RPC server not log what the caller is told anyway.

    As heat.common.context.request_context does, for what is raised before
    or after it.
    """
    try:
        yield
    except exception.HeatException as error:
        raise dispatcher.ExpectedException() from error
