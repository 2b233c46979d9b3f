# SPDX-License-Identifier: Apache-2.0

"""Tacker's client of Heat, as it was released; its server is not run."""

import functools
import json
import os

from tests.consumers import scenarios
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'tacker_heat.py')


@functools.cache
def place():
    """Return where Tacker is installed; it is if it was not."""
    return software.Software(
        'tacker-venv', 'HEAT_EXTRAS_TACKER_VENV',
        os.path.join(_HERE, 'tacker.txt')).environment()


def python():
    """Return the interpreter of Tacker."""
    return os.path.join(place(), 'bin', 'python')


@functools.cache
def release():
    """Return what runs, in which release."""
    return software.releases(place(), 'tacker')


def words(scenario):
    """Return the command that runs an operation."""
    return [python(), _PROGRAM, scenario.operation, scenarios.NAME,
            scenario.template_path,
            json.dumps(scenarios.PARAMETERS[scenario.operation])]
