# SPDX-License-Identifier: Apache-2.0

"""Shorter pauses in Heat, for the demo and for tests.

Heat sleeps a second after each resource that an update begins with
(``Stack._converge_create_or_update``), a second between two checks of a
resource in progress (``TaskRunner``), and five before it checks whether an
update has stopped (``worker._wait_for_cancellation``). oslo.messaging's
driver ``fake`` checks for messages twenty times a second.
"""

import importlib
import types

MODULES = ('heat.engine.scheduler', 'heat.engine.service',
           'heat.engine.snapshots', 'heat.engine.stack',
           'heat.engine.worker', 'oslo_messaging._drivers.impl_fake')
# Shorter sleeps would keep the processor busy.
LEAST_SECONDS = 0.01
# What they sleep by: Heat 24 is the last one on eventlet.
SLEEPERS = ('time', 'eventlet')


def divide_sleeps(divisor):
    """Divide the time of each sleep in Heat.

    :param divisor: a number from 1; with 1 Heat is not changed
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
                setattr(module, sleeper, _with_short_sleep(
                    getattr(module, sleeper), divisor))


def _with_short_sleep(module, divisor):
    """Copy a module for one of its importers, with a shorter ``sleep``."""
    def sleep(seconds=0):
        module.sleep(max(seconds / divisor, min(seconds, LEAST_SECONDS)))

    return types.SimpleNamespace(**{**vars(module), 'sleep': sleep})
