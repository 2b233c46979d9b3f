# SPDX-License-Identifier: Apache-2.0

"""Released heat-translator in a separate environment."""

import functools
import os

from tests.consumers import environments
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
# A TOSCA template with one object container.
TEMPLATE = os.path.join(_HERE, 'tosca', 'store.yaml')
_TYPES = os.path.join(_HERE, 'tosca_types')


class Environment(environments.SandboxEnvironment):
    """A sandbox that needs no object store."""

    settings = f'[DEFAULT]\nenvironment_dir = {_TYPES}\n'


@functools.cache
def place():
    """Return the directory of heat-translator; install it if needed."""
    return software.Software(
        'translator-venv', 'HEAT_EXTRAS_TRANSLATOR_VENV',
        os.path.join(_HERE, 'translator.txt')).environment()


@functools.cache
def release():
    """Return the name and release of the software."""
    return software.releases(place(), 'heat-translator', 'python-heatclient')


def deploy(environment, project, name):
    """Translate the template and create a stack of it.

    :returns: the completed process, whatever its status
    """
    return command.run([
        os.path.join(place(), 'bin', 'heat-translator'), '--deploy',
        '--template-file', TEMPLATE, '--stack-name', name,
        '--os-auth-url', environment.auth_url,
        '--os-username', environments.CONSUMER,
        '--os-password', 'secret', '--os-user-domain-id', 'default',
        '--os-project-name', project, '--os-project-domain-id', 'default'],
        environment=environment.os_environ(project))
