# SPDX-License-Identifier: Apache-2.0

"""What a feature is: one record, from which the patches are made.

``heat_extras/<name>/feature.py`` declares it as ``FEATURE``, and an entry
point in ``heat_extras.features`` leads there.
"""

import dataclasses
import importlib

from oslo_utils import importutils

from heat_extras import conf as heat_extras_conf
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class Feature:
    """A feature of heat-extras: the package of its name, and this record.

    What is named here is imported when a process turns the feature on. The
    doors in its package ``patches`` are found from the tree.

    :param name: as in ``[heat_extras] features``.
    :param errors: the module of its :mod:`faults <heat_extras.exception>`.
    :param shares: packages of doors that it has in common with others.
    :param handlers: ``module.function`` that lists further patches, for the
        engine.
    :param engine: the module with ``start()`` and ``stop()`` for what is no
        patch, in an engine.
    :param keeps: the tables of :mod:`heat_extras.db.models` whose rows go
        when their stack is gone.
    :param capabilities: those of :mod:`heat_extras.capabilities` that an
        engine has by it.
    :param switch: an option of ours without which an engine does nothing of
        it; APIs know its errors all the same.
    :param purge: ``module.function`` for rows that go otherwise, called with
        an engine of SQLAlchemy; it returns how many went.
    """

    name: str
    errors: str | None = None
    shares: tuple = ()
    handlers: str | None = None
    engine: str | None = None
    keeps: tuple = ()
    capabilities: tuple = ()
    purge: str | None = None
    switch: str | None = None

    def is_wanted(self, conf, process):
        """Return whether there is something to turn on in a process."""
        return (self.switch is None or process != monkey_patch.ENGINE
                or bool(conf[heat_extras_conf.GROUP][self.switch]))

    def records(self, process):
        """List the patches for ``engine`` or ``api``."""
        found = []
        if self.errors:
            from heat_extras import exception
            found += exception.records(importlib.import_module(self.errors))
        for package in (*self.shares, f'heat_extras.{self.name}.patches'):
            found += monkey_patch.package_records(package, process)
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


def known():
    """Return the records of all features, turned on or not."""
    return [importlib.import_module(f'heat_extras.{name}.feature').FEATURE
            for name in heat_extras_conf.FEATURES]
