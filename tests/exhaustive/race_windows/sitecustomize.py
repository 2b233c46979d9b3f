# SPDX-License-Identifier: Apache-2.0

"""Hold operations in the window between Heat's check and Heat's write.

Python loads this from PYTHONPATH before anything else, in the sandbox of
tests.exhaustive.test_race_windows, and nowhere else. When the file ``hold``
is in the directory that HEAT_EXTRAS_WINDOWS names, an operation that passed
the early check of its RPC method writes ``held`` and waits until ``hold`` is
gone. With HEAT_EXTRAS_WITHOUT_FENCE what refuses it afterwards is taken out;
with HEAT_EXTRAS_SCALING_STUCK no scaling ever ends, as if its engine had died.
"""

import os
import pathlib
import runpy
import time

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
_remove_fence = runpy.run_path(str(_HARNESS / 'remove_fence.py'))
_SECONDS = 60


def _wait():
    directory = os.environ['HEAT_EXTRAS_WINDOWS']
    hold = os.path.join(directory, 'hold')
    if not os.path.exists(hold):
        return
    with open(os.path.join(directory, 'held'), 'w'):
        pass
    deadline = time.monotonic() + _SECONDS
    while os.path.exists(hold) and time.monotonic() < deadline:
        time.sleep(0.05)


def _check(module):
    check_lock = module.check_lock

    def check_lock_and_wait(context, stack, operation):
        if stack.owner_id is None:
            check_lock(context, stack, operation)
            _wait()
        elif 'HEAT_EXTRAS_WITHOUT_FENCE' not in os.environ:
            # Signals to a nested stack have no earlier check.
            check_lock(context, stack, operation)
    module.check_lock = check_lock_and_wait
    if 'HEAT_EXTRAS_WITHOUT_FENCE' in os.environ:
        _remove_fence['ACTS'][_remove_fence['LOCK'] + 'check'](module)


def _signal(module):
    is_ignored = module.is_ignored

    def is_ignored_or_wait(resource):
        ignored = is_ignored(resource)
        if not ignored:
            _wait()
        return ignored
    module.is_ignored = is_ignored_or_wait


def _cooldown(module):
    module.CooldownMixin._finished_scaling = (
        lambda self, *args, **kwargs: None)


_ACTS = {}
if 'HEAT_EXTRAS_WITHOUT_FENCE' in os.environ:
    _ACTS.update(_remove_fence['ACTS'])
if 'HEAT_EXTRAS_SCALING_STUCK' in os.environ:
    _ACTS['heat.scaling.cooldown'] = _cooldown
_ACTS.update({_remove_fence['LOCK'] + 'check': _check,
              _remove_fence['LOCK'] + 'ignored_signals': _signal})

if 'HEAT_EXTRAS_WINDOWS' in os.environ:
    runpy.run_path(str(_HARNESS / 'after_import.py'))['act'](_ACTS)
