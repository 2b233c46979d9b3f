# SPDX-License-Identifier: Apache-2.0

"""Hold an update between the UPDATE that begins it and its write of tags.

Python loads this from PYTHONPATH before anything else, in the sandbox of
tests.exhaustive.test_delete_protection_tag, and nowhere else. The first such
write after the file ``hold`` is there, in the directory that
HEAT_EXTRAS_LATE_TAGS names, makes it ``held`` and waits until that is gone.
"""

import os
import pathlib
import runpy
import time

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
_SECONDS = 60


def _wait(directory):
    hold, held = (os.path.join(directory, name) for name in ('hold', 'held'))
    try:
        os.rename(hold, held)
    except FileNotFoundError:
        return
    deadline = time.monotonic() + _SECONDS
    while os.path.exists(held) and time.monotonic() < deadline:
        time.sleep(0.05)


def _stack(module):
    store_tags = module.Stack._store_tags

    def wait_and_store_tags(self):
        if self._tags is not None and not self._tags_stored:
            _wait(os.environ['HEAT_EXTRAS_LATE_TAGS'])
        return store_tags(self)
    module.Stack._store_tags = wait_and_store_tags


if 'HEAT_EXTRAS_LATE_TAGS' in os.environ:
    runpy.run_path(str(_HARNESS / 'after_import.py'))['act'](
        {'heat.engine.stack': _stack})
