# SPDX-License-Identifier: Apache-2.0

"""Processes in which something is broken; see ``sabotage/``."""

import pathlib

PLACE = pathlib.Path(__file__).parent / 'sabotage'


def environment(name=None, **variables):
    """Return the variables of a process in which something is broken.

    :param name: of a function of sabotage/sitecustomize.py; None: nothing is.
    :param variables: what that function reads besides.
    """
    return {
        # Not what the tests themselves run under, like coverage.
        'PYTHONPATH': name and PLACE, 'HEAT_EXTRAS_SABOTAGE': name,
        **variables}


def beside(name, **variables):
    """Return those of a process that finds ``sabotage`` by other means."""
    return {'HEAT_EXTRAS_SABOTAGE': name, **variables}
