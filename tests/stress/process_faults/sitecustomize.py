# SPDX-License-Identifier: Apache-2.0

"""Remove the fence of locks, for a test of the stress tests only.

Python loads this file from PYTHONPATH first.
"""

import pathlib
import runpy

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
_remove_fence = runpy.run_path(str(_HARNESS / 'remove_fence.py'))


_ACTS = _remove_fence['ACTS']
_CRITERIA = _remove_fence['LOCK'] + 'write_criteria'


def _write_criteria(module):
    _ACTS[_CRITERIA](module)
    module.is_persisting = lambda: False


runpy.run_path(str(_HARNESS / 'after_import.py'))['act']({
    **_ACTS, _CRITERIA: _write_criteria})
