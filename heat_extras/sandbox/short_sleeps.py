# SPDX-License-Identifier: Apache-2.0

"""Heat's own pauses, made shorter.

Heat sleeps a second after each resource that an update begins with
(``Stack._converge_create_or_update``), a second between two looks at a
resource that is under way (``TaskRunner``), and five before it looks whether
an update has stopped (``worker._wait_for_cancellation``). In the one process
of a sandbox nobody is spared by that.
"""

import importlib
import types

MODULES = ('heat.engine.scheduler', 'heat.engine.service',
           'heat.engine.snapshots', 'heat.engine.stack',
           'heat.engine.worker')
# What they sleep by: Heat 24 is the last one on eventlet.
SLEEPERS = ('time', 'eventlet')


def divide(divisor):
    """Let Heat sleep that many times shorter than it says.

    :param divisor: a number from 1; with 1 Heat stays as it is
    """
    if divisor == 1:
        return
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            # Heat 24 and 25 have no heat.engine.snapshots.
            continue
        for sleeper in SLEEPERS:
            if hasattr(module, sleeper):
                setattr(module, sleeper, _Hurried(
                    getattr(module, sleeper), divisor))


class _Hurried(types.ModuleType):
    """A module as another one sees it, but for its ``sleep``."""

    def __init__(self, module, divisor):
        super().__init__(module.__name__)
        self._module = module
        self._divisor = divisor

    def __getattr__(self, name):
        return getattr(self._module, name)

    def sleep(self, seconds=0):
        """Sleep a part of that."""
        self._module.sleep(seconds / self._divisor)
