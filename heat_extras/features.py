# SPDX-License-Identifier: Apache-2.0

"""The features of heat-extras: one record for each, the source of its patches.

A record names the modules of its feature. They are imported when a process
turns the feature on.
"""

import dataclasses
import importlib

from oslo_utils import importutils

from heat_extras.db import models
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class Feature:
    """A feature of heat-extras: the package of its name, and this record.

    All modules in its package ``patches`` are patch modules.

    :param name: as in ``[heat_extras] features``.
    :param errors: the module of its :mod:`errors <heat_extras.exception>`.
    :param handlers: ``module.function`` that lists further patches, for the
        engine.
    :param engine: the module whose ``start()`` and ``stop()`` an engine calls
        for changes that are not patches.
    :param keeps: the tables of :mod:`heat_extras.db.models` whose rows are
        deleted with their stack.
    :param switch: an option in ``[heat_extras]``. If it is empty, an engine
        leaves the feature off. APIs still know its errors.
    :param purge: ``module.function`` that deletes other rows. It is called
        with an engine of SQLAlchemy and returns how many rows it deleted.
    """

    name: str
    errors: str | None = None
    handlers: str | None = None
    engine: str | None = None
    keeps: tuple = ()
    purge: str | None = None
    switch: str | None = None

    def is_wanted(self, conf, process):
        """Return whether a process has to turn the feature on."""
        return (self.switch is None or process != monkey_patch.ENGINE
                or bool(conf.heat_extras[self.switch]))

    def records(self, process):
        """List the patches for ``engine`` or ``api``."""
        patches = []
        if self.errors:
            from heat_extras import exception
            patches += exception.records(importlib.import_module(self.errors))
        patches += monkey_patch.package_records(
            f'heat_extras.{self.name}.patches', process)
        if self.handlers and process == monkey_patch.ENGINE:
            patches += importutils.import_class(self.handlers)()
        return patches

    def start(self, process):
        """Start the parts of the feature that are not patches."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).start()

    def stop(self, process):
        """Stop the parts that start() started."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).stop()


#: All features, on and off, by their names.
FEATURES = {feature.name: feature for feature in (
    Feature('freeze',
            errors='heat_extras.freeze.errors',
            engine='heat_extras.freeze.file_watch',
            switch='freezes_file'),
    Feature('guards',
            errors='heat_extras.guards.errors',
            engine='heat_extras.guards.listing'),
    Feature('health',
            errors='heat_extras.health.errors',
            engine='heat_extras.health.guards',
            keeps=(models.mark_table,)),
    Feature('lifecycle',
            engine='heat_extras.lifecycle.lock_callback',
            purge='heat_extras.db.purge.delete_operations'),
    Feature('parameters'),
    Feature('plan',
            errors='heat_extras.plan.errors',
            engine='heat_extras.plan.preview'),
    Feature('stack_lock',
            errors='heat_extras.stack_lock.errors',
            handlers='heat_extras.stack_lock.resource_locks.handlers.records',
            engine='heat_extras.stack_lock.guarded_writes',
            keeps=(models.ignored_signal_table, models.protection_table,
                   models.lock_table),
            purge='heat_extras.db.counters.move_deleted'),
    Feature('update_policy',
            errors='heat_extras.update_policy.errors',
            keeps=(models.baseline_table,)),
)}


def all_features():
    """Return the records of all features, on and off."""
    return list(FEATURES.values())
