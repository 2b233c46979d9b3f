# SPDX-License-Identifier: Apache-2.0

"""Delay engines between their checks and their writes, as under load.

Python loads this file from PYTHONPATH first. Without the delay, a lock is set
between check and write so rarely that minutes of faults do not show whether it
has a fence. ``HEAT_EXTRAS_WITHOUT_FENCE`` removes the fence for a test of the
fault injection only. ``HEAT_EXTRAS_BROKEN`` is for :file:`broken.py`.
"""

import os
import pathlib
import runpy
import time

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
_remove_fence = runpy.run_path(str(_HARNESS / 'remove_fence.py'))
_CHECK = _remove_fence['LOCK'] + 'check'
_CRITERIA = _remove_fence['LOCK'] + 'write_criteria'
_ACTS = _remove_fence[
    'ACTS'] if 'HEAT_EXTRAS_WITHOUT_FENCE' in os.environ else {}
_SECONDS = 0.3


def _check(module):
    check_lock = module.check_lock

    def check_lock_slowly(context, stack, operation):
        check_lock(context, stack, operation)
        time.sleep(_SECONDS)
    module.check_lock = check_lock_slowly
    _ACTS.get(_CHECK, lambda module: None)(module)


def _write_criteria(module):
    if _ACTS:
        _ACTS[_CRITERIA](module)
        module.is_persisting = lambda: False


runpy.run_path(str(_HARNESS / 'after_import.py'))['act']({
    **_ACTS, _CHECK: _check, _CRITERIA: _write_criteria})
if 'HEAT_EXTRAS_BROKEN' in os.environ:
    runpy.run_path(str(pathlib.Path(__file__).with_name('broken.py')))
if 'HEAT_EXTRAS_FAULT' in os.environ:
    # The clock of this engine is wrong.
    runpy.run_path(str(_HARNESS / 'process_faults' / 'sitecustomize.py'))
