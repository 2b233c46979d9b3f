# SPDX-License-Identifier: Apache-2.0

"""Compare Heat before and after an action, in a new process.

Run by test_heat_unchanged: the first argument is the action, and the others
are the classes and modules of Heat to compare, as ``module:Class``. Prints
the differences as JSON.
"""

from heat_extras.sandbox import interpreter

interpreter.prepare()

import importlib  # noqa: E402
from importlib import metadata  # noqa: E402
import json  # noqa: E402
import pathlib  # noqa: E402
import pkgutil  # noqa: E402
import sys  # noqa: E402

from heat.db import models  # noqa: E402
from oslo_config import cfg  # noqa: E402
from sqlalchemy import orm  # noqa: E402

# heat-engine has imported it when it loads its plugins.
import heat.engine.service  # noqa: E402, F401

FREEZES = str(pathlib.Path(__file__).parents[2]
              / 'etc/heat-extras/freezes.yaml')
GROUPS = ('heat.stack_lifecycle_plugins', 'paste.filter_factory')


def look(targets):
    """Return the current attributes of the targets, by name."""
    attributes = {f'{target}.{name}': value for target in targets for name,
                  value in vars(_resolve(target)).items()}
    for name, table in models.BASE.metadata.tables.items():
        attributes |= {f'column {name}.{column}': True
                       for column in table.columns.keys()}
    attributes |= {
        f'listener {listener}': True
        for listener in orm.Session().dispatch.after_transaction_create}
    return attributes


def _resolve(target):
    module, _, name = target.partition(':')
    owner = importlib.import_module(module)
    return getattr(owner, name) if name else owner


def difference(before, after):
    """List the names of added, removed and replaced attributes."""
    nothing = object()
    return sorted(name for name in before.keys() | after.keys()
                  if before.get(name, nothing)
                  is not after.get(name, nothing))


def load(targets, before):
    """Import all of heat-extras, and load it as Heat does, not enabled."""
    import heat_extras
    for module in pkgutil.walk_packages(heat_extras.__path__,
                                        'heat_extras.'):
        importlib.import_module(module.name)
    for entry_point in metadata.distribution('heat-extras').entry_points:
        loaded = entry_point.load()
        if entry_point.group in GROUPS:
            loaded({}) if 'paste' in entry_point.group else loaded()
    return {'after': difference(before, look(targets))}


def apply(targets, before):
    """Activate all features, and deactivate them again."""
    from heat_extras import conf
    from heat_extras import fixture
    conf.register_opts(cfg.CONF)
    # The feature freeze does nothing without it.
    cfg.CONF.set_override('freezes_file', FREEZES, 'heat_extras')
    with fixture.HeatExtras():
        during = difference(before, look(targets))
    return {'during': during, 'after': difference(before, look(targets))}


def main():
    """Print the differences after the action in the first argument."""
    action, *targets = sys.argv[1:]
    cfg.CONF([], project='heat')
    print(json.dumps(globals()[action](targets, look(targets))))


if __name__ == '__main__':
    main()
