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


def find(name, package):
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
            'Found no command %s, neither beside %s nor on the PATH: '
            'install %s' % (name, sys.executable, package))
    return path


def openstack_environment(url, token=None):
    """Set what the openstack client reads from its environment.

    :param url: of the sandbox
    :param token: ``alice:member``; without one the client sends none
    :returns: environment variables, this process' own without any OS_*
    """
    environment = _without_cloud()
    environment['OS_ENDPOINT'] = url
    # A proxy would not find this host.
    for name in ('no_proxy', 'NO_PROXY'):
        environment[name] = '127.0.0.1'
    if token is None:
        environment['OS_AUTH_TYPE'] = 'none'
    else:
        environment['OS_AUTH_TYPE'] = 'admin_token'
        environment['OS_TOKEN'] = token
    return environment


def _without_cloud():
    """Copy the environment, without the cloud that the user works with."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith('OS_')}
