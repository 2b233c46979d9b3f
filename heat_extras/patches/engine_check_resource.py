# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.check_resource`: late messages, and resumes."""

from oslo_log import log as logging

from heat_extras.heat_internals import last_applied
from heat_extras import monkey_patch
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record

EXTENDS = 'heat.engine.check_resource'

LOG = logging.getLogger(__name__)


@monkey_patch.wrap(
    '(cnxt, resource_id, resource_data, current_traversal, is_update)',
    why='after a late message of an older traversal, the worker would write '
        'to the resource and send messages of the current traversal',
    feature='stack_lock')
def load_resource(original, cnxt, *args, **kwargs):
    resource, definition, stack = original(cnxt, *args, **kwargs)
    if stack is not None and lock_record.lock_of(stack).is_in_effect:
        LOG.info('A message to resource %(resource)s of stack %(stack)s is '
                 'ignored, because it is older than the lock',
                 {'resource': sanitize.printable(resource.name),
                  'stack': stack.id})
        return None, None, None
    return resource, definition, stack


@monkey_patch.wrap('(rsrc, template_id, engine_id, stack, msg_queue)',
                   '(rsrc, template_id, engine_id, timeout, msg_queue)',
                   why='a resume ignores what a failed update left out')
def check_resource_cleanup(original, rsrc, template_id, engine_id, *args):
    original(rsrc, template_id, engine_id, *args)
    last_applied.resume_left(rsrc, engine_id)
