# SPDX-License-Identifier: Apache-2.0

"""Which kinds of guards there are: each feature brings its own.

An entry point in ``heat_extras.guards``, named like the feature it belongs
to, is a function that takes a request context and a
:class:`heat_extras.heat_internals.guard_tree.Tree` and returns
:class:`heat_extras.guard.Guard` objects. It is asked only where its
feature is on, and should cost one query, however large the tree is.
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
    :raises ActivationError: when one cannot be loaded.
    """
    return _load(namespace, tuple(activation.wanted(cfg.CONF)))


@functools.cache
def _load(namespace, names):
    def fail(manager, entry_point, error):
        raise errors.ActivationError(
            f'{namespace} of {entry_point.name}: found '
            f'{type(error).__name__}: {error}, wanted {entry_point.value} '
            'to load') from error

    manager = named.NamedExtensionManager(
        namespace, names, name_order=True, on_load_failure_callback=fail,
        warn_on_missing_entrypoint=False)
    return [extension.plugin for extension in manager]
