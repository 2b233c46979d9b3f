# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: where updates and rollbacks start."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.pre_update_state import current_update

_ROLLED_BACK = 'heat_extras_rolled_back'
_KEY_BEFORE = 'heat_extras_key_before'


@monkey_patch.extends('heat.engine.stack:Stack')
class PreUpdateStateStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap('(self)', why='the rollback has another traversal than '
                                     'the update that it undoes')
    def rollback(self, original):
        setattr(self, _ROLLED_BACK, current_update.RolledBack(
            current_update.key_of(self), self.action))
        return original()

    @monkey_patch.wrap(signatures.CONVERGE_CREATE_OR_UPDATE,
                       signatures.CONVERGE_CREATE_OR_UPDATE_24,
                       why='the new traversal is in the database, and nothing '
                           'is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        rolled_back = self.__dict__.pop(_ROLLED_BACK, None)
        if self.action in current_update.ACTIONS:
            current_update.notify(self, rolled_back)
        return original(*args, **kwargs)

    @monkey_patch.wrap(
        signatures.UPDATE_TASK,
        why='the same for the legacy engine, where a rollback is '
            'a part of the update')
    def update_task(self, original, newstack, action='UPDATE', **kwargs):
        setattr(self, _KEY_BEFORE, current_update.key_of(self))
        yield from original(newstack, action=action, **kwargs)

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='update_task stores once before it begins')
    def store(self, original, *args, **kwargs):
        stored = original(*args, **kwargs)
        before = getattr(self, _KEY_BEFORE, None)
        if (before is not None and self.status == self.IN_PROGRESS
                and current_update.key_of(self) != before):
            delattr(self, _KEY_BEFORE)
            current_update.notify(
                self, None if self.action != current_update.ROLLBACK
                else current_update.RolledBack(before, current_update.UPDATE))
        return stored
