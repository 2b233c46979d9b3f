# SPDX-License-Identifier: Apache-2.0

"""Load the functions that list the guards of each feature.

An entry point in ``heat_extras.guards`` has the name of its feature. It is a
function that takes a request context and a
:class:`heat_extras.heat_internals.guard_tree.Tree`, and returns
:class:`heat_extras.guard.Guard` objects. It is called only while its feature
is on, and should need only one query, regardless of the size of the tree.
"""

import functools

from oslo_config import cfg
from stevedore import named

from heat_extras import activation
from heat_extras import errors

NAMESPACE = 'heat_extras.guards'


def load(namespace=NAMESPACE):
    """Load the functions of the features that are on.

    :returns: a list of functions, in the order of the features' names.
    :raises ActivationError: if a function cannot be loaded.
    """
    return _load(namespace, tuple(activation.configured_features(cfg.CONF)))


@functools.cache
def _load(namespace, names):
    def fail(manager, entry_point, error):
        raise errors.ActivationError(
            f'Entry point {entry_point.name} = {entry_point.value} in '
            f'{namespace} cannot be loaded: {type(error).__name__}: {error}'
        ) from error

    manager = named.NamedExtensionManager(
        namespace, names, name_order=True, on_load_failure_callback=fail,
        warn_on_missing_entrypoint=False)
    return [extension.plugin for extension in manager]
