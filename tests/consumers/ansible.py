# SPDX-License-Identifier: Apache-2.0

"""Released Ansible with the collection openstack.cloud."""

import functools
import glob
import json
import os
import tempfile
import zipfile

from tests.consumers import scenarios
from tests.harness import software

_HERE = os.path.dirname(__file__)
_COLLECTION = 'ansible_collections/openstack/cloud/'


class AnsibleSoftware(software.Software):
    """Ansible with one collection."""

    def __init__(self):
        super().__init__('ansible-venv', 'HEAT_EXTRAS_ANSIBLE_VENV', *(
            os.path.join(_HERE, name)
            for name in ('ansible.txt', 'collections.txt')))

    def install(self, place):
        super().install(place)
        with tempfile.TemporaryDirectory() as directory:
            self.pip(place, 'download', '--no-deps', '--dest', directory,
                     '-r', self.requirements[1])
            wheel, = glob.glob(os.path.join(directory, 'ansible-*.whl'))
            with zipfile.ZipFile(wheel) as source:
                source.extractall(place, [
                    name for name in source.namelist()
                    if name.startswith(_COLLECTION)])


@functools.cache
def place():
    """Return the directory of Ansible; install it if needed."""
    return AnsibleSoftware().environment()


def words(scenario):
    """Return the command that runs an operation."""
    path = os.path.join(scenario.environment.directory,
                        f'{scenario.project}.play.yaml')
    with open(path, 'w') as target:
        json.dump([{'hosts': 'localhost', 'gather_facts': False,
                    'tasks': [_task(scenario)]}], target)
    return [_program('ansible-playbook'), '-i', 'localhost,', path]


def environment():
    """Return the variables that Ansible needs besides those of a cloud."""
    return {'ANSIBLE_COLLECTIONS_PATH': place(), 'ANSIBLE_NOCOLOR': '1',
            'ANSIBLE_PYTHON_INTERPRETER': _program('python'),
            'ANSIBLE_HOST_PATTERN_MISMATCH': 'ignore',
            'ANSIBLE_LOCALHOST_WARNING': 'false',
            'ANSIBLE_INVENTORY_UNPARSED_WARNING': 'false',
            'LC_ALL': 'C.UTF-8'}


def _task(scenario):
    module = {'name': scenarios.NAME, 'state': 'present', 'rollback': True,
              'template': scenario.template_path,
              'parameters': scenarios.PARAMETERS[scenario.operation]}
    if scenario.operation == scenarios.DELETE:
        module = {'name': scenarios.NAME, 'state': 'absent', 'wait': True}
    return {'name': scenario.operation, 'connection': 'local',
            'openstack.cloud.stack': module}


def _program(name):
    return os.path.join(place(), 'bin', name)
