# SPDX-License-Identifier: Apache-2.0

"""Released client of Tacker for Heat, without the server of Tacker."""

import functools
import json
import os

from tests.consumers import scenarios
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'tacker_heat.py')


@functools.cache
def place():
    """Return the directory of Tacker; install it if needed."""
    return software.Software(
        'tacker-venv', 'HEAT_EXTRAS_TACKER_VENV',
        os.path.join(_HERE, 'tacker.txt')).environment()


def python():
    """Return the Python interpreter of Tacker."""
    return os.path.join(place(), 'bin', 'python')


@functools.cache
def release():
    """Return the name and release of the software."""
    return software.releases(place(), 'tacker')


def words(scenario):
    """Return the command that runs an operation."""
    return [python(), _PROGRAM, scenario.operation, scenarios.NAME,
            scenario.template_path,
            json.dumps(scenarios.PARAMETERS[scenario.operation])]
