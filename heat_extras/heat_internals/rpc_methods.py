# SPDX-License-Identifier: Apache-2.0

"""The RPC methods of Heat's engine that guards check, with their signatures.

Pure: does not import Heat.
"""

from heat_extras.heat_internals import operation_names as names
from heat_extras import monkey_patch

_ENGINE = 'heat.engine.service:EngineService'
_IDENTITY = '(self, cnxt, stack_identity)'
_SNAPSHOT = '(self, cnxt, stack_identity, snapshot_id)'
_UPDATE = ('(self, cnxt, stack_identity, template, params, files, args, '
           'environment_files=None, files_container=None')

# The operation that a method starts, and the signature.
_METHODS = {
    'abandon_stack': (names.ABANDON,
                      '(self, cnxt, stack_identity, abandon=True)'),
    'create_stack': (names.CREATE, (
        '(self, cnxt, stack_name, template, params, files, args, '
        'environment_files=None, files_container=None, owner_id=None, '
        'nested_depth=0, user_creds_id=None, stack_user_project_id=None, '
        'parent_resource_name=None, template_id=None)')),
    'delete_snapshot': (names.SNAPSHOT_DELETE, _SNAPSHOT),
    'delete_stack': (names.DELETE, _IDENTITY),
    'export_stack': (names.EXPORT, _IDENTITY),
    'migrate_convergence_1': (names.MIGRATE, '(self, ctxt, stack_id)'),
    'preview_update_stack': (names.PREVIEW, _UPDATE + ')'),
    'resource_mark_unhealthy': (names.MARK_UNHEALTHY, (
        '(self, cnxt, stack_identity, resource_name, mark_unhealthy, '
        'resource_status_reason=None)')),
    'resource_signal': (names.SIGNAL, (
        '(self, cnxt, stack_identity, resource_name, details, '
        'sync_call=False)')),
    'stack_cancel_update': (names.CANCEL, (
        '(self, cnxt, stack_identity, cancel_with_rollback=True)')),
    'stack_check': (names.CHECK, _IDENTITY),
    'stack_restore': (names.RESTORE, _SNAPSHOT),
    'stack_resume': (names.RESUME, _IDENTITY),
    'stack_snapshot': (names.SNAPSHOT, '(self, cnxt, stack_identity, name)'),
    'stack_suspend': (names.SUSPEND, _IDENTITY),
    'update_stack': (names.UPDATE, _UPDATE + ', template_id=None)'),
}

#: The operations, by the names of the methods.
OPERATIONS = {name: operation for name, (operation, _) in _METHODS.items()}


def find_problems() -> list[str]:
    """List the changes of the methods in Heat.

    :returns: a list of sentences.
    """
    return monkey_patch.problems([
        monkey_patch.Patch(f'{_ENGINE}.{name}', monkey_patch.WRAP, None,
                           (signature,))
        for name, (_, signature) in _METHODS.items()])
