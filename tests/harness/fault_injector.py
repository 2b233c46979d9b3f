# SPDX-License-Identifier: Apache-2.0

"""Processes with injected faults; see ``process_faults/``."""

import pathlib

PLACE = pathlib.Path(__file__).parent / 'process_faults'


def environment(name=None, **variables):
    """Return the environment variables of a process with an injected fault.

    :param name: of a function of process_faults/sitecustomize.py; None:
        nothing is.
    :param variables: what that function reads besides.
    """
    return {
        # Without settings of the test run, like coverage.
        'PYTHONPATH': name and PLACE, 'HEAT_EXTRAS_FAULT': name,
        **variables}


def beside(name, **variables):
    """Return the variables without PYTHONPATH, which already has the path."""
    return {'HEAT_EXTRAS_FAULT': name, **variables}
