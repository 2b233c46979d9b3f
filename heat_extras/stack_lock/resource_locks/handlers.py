# SPDX-License-Identifier: Apache-2.0

"""The methods that lock and release resources.

They are methods of the class of the resource. For the resource types of Heat
itself, they are methods of a *handler*: a mixin class like
:class:`heat_extras.stack_lock.resource_locks.nova.ServerLockMixin`, which an
entry point in ``heat_extras.lock_handlers`` names. It is for the classes in
its ``TARGETS``, and for their subclasses. A handler of another package with
the name of a handler of heat-extras replaces it.
"""

import functools

from oslo_utils import importutils
from stevedore import extension

from heat_extras import operator_errors

NAMESPACE = 'heat_extras.lock_handlers'
_OWN_PREFIX = 'heat_extras.'


def find_method(resource, name):
    """Return a method of a resource or of its handler, or None.

    :param resource: a heat.engine.resource.Resource.
    :param name: see :mod:`heat_extras.stack_lock.resource_locks.handler_api`.
    """
    own = getattr(resource, name, None)
    if callable(own):
        return own
    handlers = map(load().get, type(resource).__mro__)
    function = next((getattr(each, name, None) for each in handlers if each),
                    None)
    return function and functools.partial(function, resource)


@functools.cache
def load():
    """Load the handlers.

    :returns: the handlers by the classes of Heat.
    :raises ActivationError: if a handler or its target does not load.
    """
    return {_import_target(target): handler
            for handler in _load_entry_points().values()
            for target in handler.TARGETS}


def _import_target(target):
    try:
        return importutils.import_class(target.replace(':', '.'))
    except ImportError as error:
        raise operator_errors.ActivationError(
            f'{target}: the class with a lock handler is missing: {error}'
        ) from error


def _load_entry_points():
    def fail(manager, entry_point, error):
        raise operator_errors.ActivationError(
            f'Lock handler {entry_point.name} ({entry_point.value}) cannot be '
            f'loaded: {type(error).__name__}: {error}') from error

    manager = extension.ExtensionManager(
        NAMESPACE, on_load_failure_callback=fail)
    # Handlers of heat-extras are the first, so that others of the same name
    # replace them.
    handlers = sorted(manager.extensions, key=lambda each: (
        not each.entry_point.value.startswith(_OWN_PREFIX), each.name))
    return {each.name: each.plugin for each in handlers}
