# SPDX-License-Identifier: Apache-2.0

"""Tacker's client of Heat, as it was released; its server is not run."""

import functools
import json
import os

from tests.consumers import scene as scenes
from tests.rigs import command
from tests.rigs import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'tacker_heat.py')


@functools.cache
def python():
    """Return the interpreter of Tacker, which is installed if it was not."""
    return os.path.join(software.Software(
        'tacker-venv', 'HEAT_EXTRAS_TACKER_VENV',
        os.path.join(_HERE, 'tacker.txt')).environment(), 'bin', 'python')


@functools.cache
def release():
    """Return what runs, in which release."""
    return command.check([python(), '-c', (
        'from importlib import metadata; '
        'print("tacker", metadata.version("tacker"))')]).strip()


def words(scene):
    """Return the command that plays an operation."""
    return [python(), _PROGRAM, scene.operation, scenes.NAME,
            scene.template_path,
            json.dumps(scenes.PARAMETERS[scene.operation])]
