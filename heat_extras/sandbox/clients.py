# SPDX-License-Identifier: Apache-2.0

"""The real command line clients, pointed at a sandbox."""

import os
import shlex
import shutil
import sys

# For a shell in which the environment of this Python is not active.
SET_PATH = 'export PATH=%s:$PATH' % shlex.quote(
    os.path.dirname(sys.executable))


class ClientMissing(Exception):
    """A client is not installed. The message has an instruction."""


def find_client(name, package):
    """Find a client, first in the environment of this Python.

    :param name: ``openstack`` or ``heat``
    :param package: the package that installs it
    :returns: path of the command
    :raises ClientMissing: if the client is not installed
    """
    own = os.path.dirname(sys.executable)
    path = shutil.which(name, path=own) or shutil.which(name)
    if path is None:
        raise ClientMissing(
            'The command "%s" is not installed: it is neither beside %s nor '
            'in the PATH. Install %s'
            % (name, sys.executable, package))
    return path


def openstack_environment(url, token):
    """Return the environment variables for the openstack client.

    :param url: the URL of the sandbox
    :param token: a token like ``alice:member``
    :returns: environment variables, without any OS_* of this process
    """
    return {
        **{name: value for name, value in os.environ.items()
           if not name.startswith('OS_')},
        # A proxy cannot connect to this host.
        'no_proxy': '127.0.0.1', 'NO_PROXY': '127.0.0.1',
        'OS_ENDPOINT': url, 'OS_AUTH_TYPE': 'admin_token', 'OS_TOKEN': token}
