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

# heat.engine.service:EngineService
GET_STACK = '(self, cnxt, stack_identity, show_deleted=False)'
PREPARE_STACK_UPDATES = ('(self, cnxt, current_stack, template, params, '
                         'environment_files, files, files_container, args, '
                         'template_id=None)')
PREVIEW_UPDATE_STACK = ('(self, cnxt, stack_identity, template, params, '
                        'files, args, environment_files=None, '
                        'files_container=None)')
CREATE_STACK = ('(self, cnxt, stack_name, template, params, files, args, '
                'environment_files=None, files_container=None, owner_id=None, '
                'nested_depth=0, user_creds_id=None, '
                'stack_user_project_id=None, parent_resource_name=None, '
                'template_id=None)')
UPDATE_STACK = ('(self, cnxt, stack_identity, template, params, files, args, '
                'environment_files=None, files_container=None, '
                'template_id=None)')
STACK_RESTORE = '(self, cnxt, stack_identity, snapshot_id)'
ABANDON_STACK = '(self, cnxt, stack_identity, abandon=True)'
RESOURCE_SIGNAL = ('(self, cnxt, stack_identity, resource_name, details, '
                   'sync_call=False)')
MARK_UNHEALTHY = ('(self, cnxt, stack_identity, resource_name, '
                  'mark_unhealthy, resource_status_reason=None)')
SHOW_STACK = '(self, cnxt, stack_identity, resolve_outputs=True)'
LIST_STACKS = ('(self, cnxt, limit=None, marker=None, sort_keys=None, '
               'sort_dir=None, filters=None, tenant_safe=True, '
               'show_deleted=False, show_nested=False, show_hidden=False, '
               'tags=None, tags_any=None, not_tags=None, not_tags_any=None)')
