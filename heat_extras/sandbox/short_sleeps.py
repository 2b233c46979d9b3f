# SPDX-License-Identifier: Apache-2.0

"""Shorter pauses in Heat, for the demo and for tests.

Heat sleeps for one second after each of the first resources of an update
(``Stack._converge_create_or_update``), and for one second between two checks
of a resource in progress (``TaskRunner``). It sleeps for five seconds before
it checks whether an update has stopped (``worker._wait_for_cancellation``).
"""

import importlib
import threading
import types

from oslo_messaging._drivers import impl_fake

MODULES = ('heat.engine.scheduler', 'heat.engine.service',
           'heat.engine.snapshots', 'heat.engine.stack',
           'heat.engine.worker')
# Shorter sleeps would keep the processor busy.
LEAST_SECONDS = 0.01
# The modules with a sleep function. Heat 24 is the last release on eventlet.
SLEEPERS = ('time', 'eventlet')


def divide_sleeps(divisor):
    """Divide the time of each sleep in Heat.

    :param divisor: a number from 1. With 1, Heat is not changed
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
    """Return a copy of a module with a shorter ``sleep``."""
    def sleep(seconds=0):
        module.sleep(max(seconds / divisor, min(seconds, LEAST_SECONDS)))

    return types.SimpleNamespace(**{**vars(module), 'sleep': sleep})


def wait_for_messages():
    """Wake oslo.messaging's driver ``fake`` at each message.

    It checks for messages twenty times a second, which delays each call of
    the engine. More frequent checks would keep the processor busy.
    """
    arrival = threading.Condition()
    deliver = impl_fake.FakeExchange.deliver_message

    def deliver_message(*args, **keywords):
        deliver(*args, **keywords)
        with arrival:
            arrival.notify_all()

    def sleep(seconds):
        with arrival:
            arrival.wait(seconds)

    impl_fake.FakeExchange.deliver_message = deliver_message
    impl_fake.time = types.SimpleNamespace(
        **{**vars(impl_fake.time), 'sleep': sleep})
