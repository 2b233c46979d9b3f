# SPDX-License-Identifier: Apache-2.0

"""The features of heat-extras: one record each, from which patches are made.

A record names the modules of its feature, which are imported only when a
process turns the feature on.
"""

import dataclasses
import importlib

from oslo_utils import importutils

from heat_extras.db import models
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class Feature:
    """A feature of heat-extras: the package of its name, and this record.

    The patch modules in its package ``patches`` are found from the tree.

    :param name: as in ``[heat_extras] features``.
    :param errors: the module of its :mod:`errors <heat_extras.exception>`.
    :param handlers: ``module.function`` that lists further patches, for the
        engine.
    :param engine: the module with ``start()`` and ``stop()`` for what is no
        patch, in an engine.
    :param keeps: the tables of :mod:`heat_extras.db.models` whose rows go
        when their stack is gone.
    :param switch: an option of ours without which an engine does nothing of
        it; APIs know its errors all the same.
    :param purge: ``module.function`` for rows that go otherwise, called with
        an engine of SQLAlchemy; it returns how many went.
    """

    name: str
    errors: str | None = None
    handlers: str | None = None
    engine: str | None = None
    keeps: tuple = ()
    purge: str | None = None
    switch: str | None = None

    def is_wanted(self, conf, process):
        """Return whether there is something to turn on in a process."""
        return (self.switch is None or process != monkey_patch.ENGINE
                or bool(conf.heat_extras[self.switch]))

    def records(self, process):
        """List the patches for ``engine`` or ``api``."""
        found = []
        if self.errors:
            from heat_extras import exception
            found += exception.records(importlib.import_module(self.errors))
        found += monkey_patch.package_records(
            f'heat_extras.{self.name}.patches', process)
        if self.handlers and process == monkey_patch.ENGINE:
            found += importutils.import_class(self.handlers)()
        return found

    def start(self, process):
        """Start what is not a patch."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).start()

    def stop(self, process):
        """Stop what start() started."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).stop()


#: All features, turned on or not, by their names.
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


def known():
    """Return the records of all features, turned on or not."""
    return list(FEATURES.values())
