# SPDX-License-Identifier: Apache-2.0

"""The feature ``lifecycle``: provider code around every action."""

from oslo_config import cfg

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return _engine() if process == 'engine' else []

    @staticmethod
    def start(process):
        """Load the plugins."""
        if process == 'engine':
            from heat_extras.host import hooks
            from heat_extras.lifecycle import locks
            from heat_extras.lifecycle import registry
            registry.start(cfg.CONF)
            hooks.add(locks.ask)

    @staticmethod
    def stop(process):
        """Forget them."""
        if process == 'engine':
            from heat_extras.host import hooks
            from heat_extras.lifecycle import locks
            from heat_extras.lifecycle import registry
            hooks.remove(locks.ask)
            registry.stop()


def _engine():
    from heat_extras.lifecycle.patches import common_lifecycle_plugin_utils
    from heat_extras.lifecycle.patches import engine_service
    from heat_extras.lifecycle.patches import engine_stack
    from heat_extras.lifecycle.patches import engine_update
    from heat_extras.lifecycle.patches import engine_worker
    return [
        *patching.records('heat.common.lifecycle_plugin_utils',
                          common_lifecycle_plugin_utils),
        *patching.records('heat.engine.service:EngineService',
                          engine_service.LifecycleServiceMixin),
        *patching.records('heat.engine.stack:Stack',
                          engine_stack.LifecycleStackMixin),
        *patching.records('heat.engine.update:StackUpdate',
                          engine_update.LifecycleStackUpdateMixin),
        *patching.records('heat.engine.worker', engine_worker),
        *patching.records('heat.engine.worker:WorkerService',
                          engine_worker.LifecycleWorkerServiceMixin),
    ]
