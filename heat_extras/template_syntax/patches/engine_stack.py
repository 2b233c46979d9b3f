# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: ``allow`` is checked with its template."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.template_syntax import validation


@monkey_patch.extends('heat.engine.stack:Stack')
class ReadingStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        signatures.VALIDATE,
        why='Heat validates no external resources, and of definitions that '
            'are equal only one')
    def validate(self, original, *args, **kwargs):
        with validation.set_entry(self):
            with validation.hints(self):
                result = original(*args, **kwargs)
            validation.check(self)
        return result
