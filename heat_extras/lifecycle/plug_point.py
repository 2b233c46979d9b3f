# SPDX-License-Identifier: Apache-2.0

"""What an engine starts for lifecycle plugins besides the patches."""

from oslo_config import cfg

from heat_extras.host import hooks
from heat_extras.lifecycle import locks
from heat_extras.lifecycle import registry


def start():
    """Load the plugins, and have them asked about locks."""
    registry.start(cfg.CONF)
    hooks.add(locks.ask)


def stop():
    """Forget them."""
    hooks.remove(locks.ask)
    registry.stop()
