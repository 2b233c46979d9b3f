# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.db.filters`: filter by the shown status."""

from heat.db import models

from heat_extras import monkey_patch
from heat_extras.stack_lock import fields

EXTENDS = 'heat.db.filters'
FEATURE = 'stack_lock'


@monkey_patch.wrap(
    '(query, model, filters)',
    why='filters are compared with columns of the database, which always '
        "have the stack's own action and status")
def exact_filter(original, query, model, filters):
    if model is models.Stack and filters:
        query, filters = fields.filter_shown_status(query, filters)
    return original(query, model, filters)
