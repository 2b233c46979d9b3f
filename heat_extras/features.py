# SPDX-License-Identifier: Apache-2.0

"""The features of heat-extras: one record for each.

The package of a feature has its name. A record names only modules that not
every package has. They are imported when a process turns the feature on. The
patches of all features are in :mod:`heat_extras.patches`.
"""

import dataclasses
import importlib
import importlib.util
import inspect

from heat_extras.db import models
from heat_extras import guard
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class Feature:
    """A feature of heat-extras: the package of its name, and this record.

    Its ``guard.py`` has its :class:`heat_extras.guard.Guard`, and its
    ``errors.py`` its :mod:`errors <heat_extras.exception>`, if any.

    :param name: as in ``[heat_extras] features``.
    :param controller: the module whose ``connect()`` adds its URL to the API.
    :param cfn_errors: from errors of Heat to those of the cfn API, by the
        names of their classes.
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
    controller: str | None = None
    cfn_errors: dict = dataclasses.field(default_factory=dict, hash=False)
    engine: str | None = None
    keeps: tuple = ()
    purge: str | None = None
    switch: str | None = None

    def is_wanted(self, conf, process):
        """Return whether a process has to turn the feature on."""
        return (self.switch is None or process != monkey_patch.ENGINE
                or bool(conf.heat_extras[self.switch]))

    def load_errors(self):
        """Import the module of its errors, so that they can be found.

        :returns: the module, or None.
        """
        name = f'heat_extras.{self.name}.errors'
        return (importlib.import_module(name)
                if importlib.util.find_spec(name) else None)

    def make_guard(self):
        """Import and create the guard."""
        module = importlib.import_module(f'heat_extras.{self.name}.guard')
        made, = (each for _, each in inspect.getmembers(module,
                                                        inspect.isclass)
                 if issubclass(each, guard.Guard)
                 and each.__module__ == module.__name__)
        return made()

    def start(self, process):
        """Start the parts of the feature that are not patches."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).start()

    def stop(self, process):
        """Stop the parts that start() started."""
        if self.engine and process == monkey_patch.ENGINE:
            importlib.import_module(self.engine).stop()


#: All features, on and off, by their names. Their guards are asked in this
#: order. If a guard rejects a request, the guards after it do not learn of it.
FEATURES = {feature.name: feature for feature in (
    # Freezes are in memory, so that this check needs no query.
    Feature('freeze', controller='heat_extras.freeze.controller',
            engine='heat_extras.freeze.file_watch', switch='freezes_file'),
    # Before health and update_policy: any change of a locked stack is rejected
    # because of the lock, also if it is locked during the request. Before
    # lifecycle: the locks of a dead engine are LOCK_FAILED before the plugins
    # are notified of the failure.
    Feature('stack_lock',
            controller='heat_extras.stack_lock.api',
            engine='heat_extras.stack_lock.write_criteria',
            keeps=(models.ignored_signal_table, models.protection_table,
                   models.guard_table),
            purge='heat_extras.db.counters.move_deleted'),
    Feature('health', keeps=(models.mark_table,)),
    # After health: the mark of an unhealthy resource causes its replacement,
    # which the policy must check. Before lifecycle: an update that a policy
    # rejects does not begin, so no plugin is called.
    Feature('update_policy', keeps=(models.baseline_table,)),
    Feature('lifecycle', engine='heat_extras.lifecycle.lock_callback',
            purge='heat_extras.db.purge.delete_operations'),
    # Before parameters: a reviewed plan adds hidden values to the update.
    Feature('plan', controller='heat_extras.plan.controller'),
    Feature('parameters',
            cfn_errors={'ImmutableParameterModified':
                        'HeatInvalidParameterValueError'}),
    Feature('guards', controller='heat_extras.guards.controller'),
)}


def all_features():
    """Return the records of all features, on and off."""
    return list(FEATURES.values())


#: Each feature that a process of this interpreter has turned on, with the name
#: of the process. Only :mod:`heat_extras.activation` changes it.
ACTIVE = []


def active(process):
    """List the features that are on in a process, in the order of guards."""
    order = list(FEATURES)
    return sorted((feature for feature, where in ACTIVE if where == process),
                  key=lambda feature: order.index(feature.name))


def connect_routes(routes, conf):
    """Add the URLs of the features that are on to the routes of the API."""
    for feature in active(monkey_patch.API):
        if feature.controller:
            importlib.import_module(feature.controller).connect(routes, conf)


def find_cfn_error(name):
    """Return the name of an error of the cfn API, or None.

    :param name: the name of the class of an error from an engine.
    """
    from heat_extras import exception
    if name in exception.classes:
        return exception.classes[name].cfn_error
    return next((feature.cfn_errors[name]
                 for feature in active(monkey_patch.API)
                 if name in feature.cfn_errors), None)
