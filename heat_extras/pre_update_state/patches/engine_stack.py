# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: where updates and rollbacks begin."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.pre_update_state import beginnings
from heat_extras.pre_update_state import operation

_ACTIONS = (operation.UPDATE, operation.ROLLBACK, operation.RESTORE)
_UNDONE = 'heat_extras_undone'
_PENDING = 'heat_extras_begins'


@monkey_patch.extends('heat.engine.stack:Stack')
class RollbackStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap('(self)', why='the rollback has another traversal than '
                                     'the update that it undoes')
    def rollback(self, original):
        setattr(self, _UNDONE, beginnings.Undone(operation.key_of(self),
                                                 self.action))
        return original()

    @monkey_patch.wrap(signatures.CONVERGE_CREATE_OR_UPDATE,
                       signatures.CONVERGE_CREATE_OR_UPDATE_24,
                       why='the new traversal is in the database, and nothing '
                           'is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        undone = self.__dict__.pop(_UNDONE, None)
        if self.action in _ACTIONS:
            beginnings.begun(self, undone)
        return original(*args, **kwargs)

    @monkey_patch.wrap(
        signatures.UPDATE_TASK,
        why='the same for the legacy engine, where a rollback is '
            'a part of the update')
    def update_task(self, original, newstack, action='UPDATE', **kwargs):
        setattr(self, _PENDING, operation.key_of(self))
        yield from original(newstack, action=action, **kwargs)

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='update_task stores once before it begins')
    def store(self, original, *args, **kwargs):
        stored = original(*args, **kwargs)
        before = getattr(self, _PENDING, None)
        if (before is not None and self.status == self.IN_PROGRESS
                and operation.key_of(self) != before):
            delattr(self, _PENDING)
            beginnings.begun(self, None if self.action != operation.ROLLBACK
                             else beginnings.Undone(before, operation.UPDATE))
        return stored
