# SPDX-License-Identifier: Apache-2.0

"""Remove the fence of locks, for a test of the stress tests only.

Python loads this file from PYTHONPATH first.
"""

import pathlib
import runpy

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
_remove_fence = runpy.run_path(str(_HARNESS / 'remove_fence.py'))


def _persisting(module):
    module.is_persisting = lambda: False


_ACTS = {**_remove_fence['ACTS'],
         _remove_fence['LOCK'] + 'write_options': _persisting}

runpy.run_path(str(_HARNESS / 'after_import.py'))['act'](_ACTS)
