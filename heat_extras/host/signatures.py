# SPDX-License-Identifier: Apache-2.0

"""Signatures of Heat's functions that more than one feature wraps.

As :func:`heat_extras.patching.wrap` takes them; a name ends in ``_24`` for
what Heat 24 has in its place.
"""

# heat.engine.stack:Stack
STORE = ('(self, backup=False, exp_trvsl=None, '
         'ignore_traversal_check=False, use_stored_context=False)')
STORE_24 = ('(self, backup=False, exp_trvsl=None, '
            'ignore_traversal_check=False)')
CONVERGE_STACK = ("(self, template, action='UPDATE', new_stack=None, "
                  "pre_converge=None, new_traversal_id=None, abandon=False)")
CONVERGE_STACK_24 = ("(self, template, action='UPDATE', new_stack=None, "
                     "pre_converge=None)")

# heat.engine.service:EngineService
SHOW_STACK = '(self, cnxt, stack_identity, resolve_outputs=True)'
LIST_STACKS = ('(self, cnxt, limit=None, marker=None, sort_keys=None, '
               'sort_dir=None, filters=None, tenant_safe=True, '
               'show_deleted=False, show_nested=False, show_hidden=False, '
               'tags=None, tags_any=None, not_tags=None, not_tags_any=None)')
