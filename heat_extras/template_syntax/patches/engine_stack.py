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
        why='Heat does not validate external resources, and it validates '
            'only one of several equal definitions')
    def validate(self, original, *args, **kwargs):
        with validation.set_outermost_stack(self):
            with validation.add_hints(self):
                result = original(*args, **kwargs)
            validation.check_allow(self)
        return result
