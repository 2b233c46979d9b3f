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
    """A client is not installed; the message says what to do."""


def find_client(name, package):
    """Find a client, first in the environment of this Python.

    :param name: ``openstack`` or ``heat``
    :param package: what brings it
    :returns: path of the command
    :raises ClientMissing: if there is none
    """
    own = os.path.dirname(sys.executable)
    path = shutil.which(name, path=own) or shutil.which(name)
    if path is None:
        raise ClientMissing(
            'The command %s is neither beside %s nor on the PATH: install %s'
            % (name, sys.executable, package))
    return path


def openstack_environment(url, token):
    """Set what the openstack client reads from its environment.

    :param url: of the sandbox
    :param token: like ``alice:member``
    :returns: environment variables, those of this process without any OS_*
    """
    return {
        **{name: value for name, value in os.environ.items()
           if not name.startswith('OS_')},
        # A proxy would not find this host.
        'no_proxy': '127.0.0.1', 'NO_PROXY': '127.0.0.1',
        'OS_ENDPOINT': url, 'OS_AUTH_TYPE': 'admin_token', 'OS_TOKEN': token}
