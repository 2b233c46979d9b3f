# SPDX-License-Identifier: Apache-2.0

"""Load the handlers of Heat's own resource types by entry points.

Each entry point in ``heat_extras.lock_handlers`` is a mixin class like
:class:`heat_extras.stack_lock.resource_locks.nova.ServerLockMixin`: its
decorated methods are added to the classes in its ``TARGETS``. A handler of
another package with the name of a handler of heat-extras replaces it.
"""

from stevedore import extension

from heat_extras import errors
from heat_extras import monkey_patch

NAMESPACE = 'heat_extras.lock_handlers'
_OWN_PREFIX = 'heat_extras.'


def records():
    """Make the patch records of all handlers.

    :raises ActivationError: if a handler does not load.
    """
    return [record
            for handler in _load().values()
            for target in handler.TARGETS
            for record in monkey_patch.records(target, handler)]


def _load():
    def fail(manager, entry_point, error):
        raise errors.ActivationError(
            f'Lock handler {entry_point.name} ({entry_point.value}) cannot be '
            f'loaded: {type(error).__name__}: {error}') from error

    manager = extension.ExtensionManager(
        NAMESPACE, on_load_failure_callback=fail)
    # Handlers of heat-extras are the first, so that others of the same name
    # replace them.
    handlers = sorted(manager.extensions, key=lambda each: (
        not each.entry_point.value.startswith(_OWN_PREFIX), each.name))
    return {each.name: each.plugin for each in handlers}
