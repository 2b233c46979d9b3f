# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: what templates say is read and told.

An ``allow`` is checked with the rest of the template. Of words whose feature
is off, the author is told, and what is kept of them stays right.
"""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.template_syntax import idle
from heat_extras.template_syntax import validation


@monkey_patch.extends('heat.engine.stack:Stack')
class ReadingStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        signatures.VALIDATE,
        why='Heat validates no external resources, and of definitions that '
            'are equal only one')
    def validate(self, original, *args, **kwargs):
        with validation.of(self):
            with validation.hints(self):
                result = original(*args, **kwargs)
            validation.check(self)
        return result

    @monkey_patch.wrap(
        '(self)', why='both engines come here when an operation '
                      'has begun')
    def _send_notification_and_add_event(self, original):
        original()
        idle.tell(self)

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='a template of a new stack is stored here')
    def store(self, original, *args, **kwargs):
        was_new = self.id is None
        stored = original(*args, **kwargs)
        if was_new and stored is not None:
            idle.note_new(self)
        return stored

    @monkey_patch.wrap(
        signatures.CONVERGE_STACK,
        signatures.CONVERGE_STACK_24,
        why='another template comes in the place of the present '
            'one')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, **kwargs):
        with idle.replaced(self, template, action, new_stack):
            return original(template, action=action, new_stack=new_stack,
                            **kwargs)

    @monkey_patch.wrap(signatures.UPDATE_TASK,
                       why='the same for the legacy engine')
    def update_task(self, original, newstack, action='UPDATE',
                    msg_queue=None, notify=None):
        with idle.replaced(self, newstack.t, action, newstack):
            yield from original(newstack, action=action, msg_queue=msg_queue,
                                notify=notify)
