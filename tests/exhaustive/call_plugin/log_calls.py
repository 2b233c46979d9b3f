# SPDX-License-Identifier: Apache-2.0

"""Writes to heat.log who calls the engine's methods that change a stack.

It is loaded by ``plugin_dirs`` and replaces them by functions that note the
name of the method, that of the stack, and whether a parent calls.
"""

import functools
import json

from heat.engine import service
from oslo_log import log as logging

from heat_extras.heat_internals import caller

LOG = logging.getLogger(__name__)

METHODS = ('create_stack', 'update_stack', 'delete_stack', 'abandon_stack',
           'stack_suspend', 'stack_resume', 'stack_check',
           'stack_cancel_update')


def _note(name):
    original = getattr(service.EngineService, name)

    @functools.wraps(original)
    def noting(self, cnxt, *args, **kwargs):
        identity = kwargs.get('stack_identity') or {}
        stack = kwargs.get('stack_name') or identity.get('stack_name')
        LOG.info('CALL %s', json.dumps(
            [name, stack, bool(caller.is_parent_call(cnxt))]))
        return original(self, cnxt, *args, **kwargs)
    setattr(service.EngineService, name, noting)


def resource_mapping():
    """Bring no resource."""
    return {}


for _name in METHODS:
    _note(_name)
