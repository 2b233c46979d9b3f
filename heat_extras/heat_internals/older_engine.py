# SPDX-License-Identifier: Apache-2.0

"""An engine of an older release, as the API meets it during an upgrade."""

# As oslo_messaging.rpc.dispatcher calls a method that is not there, and as
# Python says that a method takes no such argument.
_NO_METHOD, _NO_ARGUMENT = 'NoSuchMethod', 'unexpected keyword argument'


def is_one(error):
    """Return whether an engine has answered that it knows of no such call.

    :param error: an oslo_messaging.RemoteError, or a TypeError.
    """
    return (getattr(error, 'exc_type', None) == _NO_METHOD
            or _NO_ARGUMENT in str(error))
