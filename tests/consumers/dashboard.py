# SPDX-License-Identifier: Apache-2.0

"""heat-dashboard's unit tests, with heat-extras-dashboard and without."""

import contextlib
import functools
import json
import os
import tempfile

from tests.dashboard import horizon
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAMS = os.path.join(_HERE, 'programs')
_PROGRAM = os.path.join(_PROGRAMS, 'dashboard_tests.py')
_HORIZON = os.path.join(os.path.dirname(_HERE), 'dashboard')
_SECONDS = 1800
OURS = 'heat_extras_dashboard.'


@functools.cache
def place():
    """Return the directory of Horizon and its tests; install if needed."""
    return software.Software(
        'dashboard-venv', 'HEAT_EXTRAS_DASHBOARD_VENV',
        os.path.join(_HERE, 'dashboard.txt'),
        os.path.join(_HORIZON, 'requirements.txt')).environment()


# A placeholder: no request is sent to Heat.
without = functools.partial(contextlib.nullcontext, False)
enabled = functools.partial(contextlib.nullcontext, True)


def run(is_ours):
    """Run the tests.

    :param is_ours: whether heat-extras-dashboard is enabled.
    :returns: what ``programs/dashboard_tests.py`` writes: what became of each
        test by its id.
    :raises AssertionError: where the pages of stacks are another's.
    """
    with tempfile.TemporaryDirectory() as directory:
        target = os.path.join(directory, 'found.json')
        print(command.check(
            [horizon.program(place()), _PROGRAM, target], seconds=_SECONDS,
            directory=directory, environment=_environment(is_ours)),
            flush=True)
        with open(target) as source:
            result = json.load(source)
    if result['urls'].startswith(OURS) != is_ours:
        raise AssertionError(f'The URLs of stacks are {result["urls"]!r}')
    return result


def _environment(is_ours):
    return {**os.environ, **horizon.variables(place()),
            'DJANGO_SETTINGS_MODULE': 'dashboard_settings',
            'HEAT_EXTRAS_DASHBOARD': 'on' if is_ours else ''}
