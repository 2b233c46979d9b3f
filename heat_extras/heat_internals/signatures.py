# SPDX-License-Identifier: Apache-2.0

"""Signatures of Heat's functions that several features wrap.

They are arguments of :func:`heat_extras.monkey_patch.wrap`. A name that ends
in ``_24`` is the signature in Heat 24.
"""

# heat.engine.stack:Stack
STORE = ('(self, backup=False, exp_trvsl=None, '
         'ignore_traversal_check=False, use_stored_context=False)')
STORE_24 = ('(self, backup=False, exp_trvsl=None, '
            'ignore_traversal_check=False)')
VALIDATE = '(self, ignorable_errors=None, validate_res_tmpl_only=False)'
CONVERGE_STACK = ("(self, template, action='UPDATE', new_stack=None, "
                  "pre_converge=None, new_traversal_id=None, abandon=False)")
CONVERGE_STACK_24 = ("(self, template, action='UPDATE', new_stack=None, "
                     "pre_converge=None)")
CONVERGE_CREATE_OR_UPDATE = '(self, pre_converge=None, abandon=False)'
CONVERGE_CREATE_OR_UPDATE_24 = '(self, pre_converge=None)'
FROM_DB = ('(cls, context, stack, use_stored_context=False, cache_data=None, '
           'load_template=True, refresh_cred=False)')
GET_KWARGS_FOR_CLONING = ('(self, keep_status=False, only_db=False, '
                          'keep_tags=False)')
UPDATE_TASK = ("(self, newstack, action='UPDATE', msg_queue=None, "
               'notify=None)')

# heat.engine.hot.parameters:HOTParamSchema
FROM_DICT = '(cls, param_name, schema_dict)'

# heat.engine.resource:Resource
RESOURCE_UPDATE = ('(self, after, before=None, prev_resource=None, '
                   'new_template_id=None, new_requires=None)')

# heat.engine.api
FORMAT_STACK = '(stack, preview=False, resolve_outputs=True)'
