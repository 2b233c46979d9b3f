# SPDX-License-Identifier: Apache-2.0

"""What an engine starts for lifecycle plugins besides the patches."""

from oslo_config import cfg

from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import locks
from heat_extras.lifecycle import registry


def start():
    """Load the plugins, and have them asked about locks."""
    registry.start(cfg.CONF)
    lock_callbacks.add(locks.ask)


def stop():
    """Forget them."""
    lock_callbacks.remove(locks.ask)
    registry.stop()
