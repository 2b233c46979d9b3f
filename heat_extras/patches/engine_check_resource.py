# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.check_resource`: resume after a failed update."""

from heat_extras import monkey_patch
from heat_extras.pre_update_state import last_applied

EXTENDS = 'heat.engine.check_resource'


@monkey_patch.wrap('(rsrc, template_id, engine_id, stack, msg_queue)',
                   '(rsrc, template_id, engine_id, timeout, msg_queue)',
                   why='a resume ignores what a failed update left out')
def check_resource_cleanup(original, rsrc, template_id, engine_id, *args):
    original(rsrc, template_id, engine_id, *args)
    last_applied.resume_left(rsrc, engine_id)
