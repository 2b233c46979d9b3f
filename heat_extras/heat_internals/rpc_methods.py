# SPDX-License-Identifier: Apache-2.0

"""The operations of Heat's engine that guards check, and their RPC methods.

Messages and options have the names of the operations.

Pure: does not import Heat.
"""

from heat_extras import monkey_patch


CREATE, UPDATE, DELETE = 'create', 'update', 'delete'
SUSPEND, RESUME, CHECK = 'suspend', 'resume', 'check'
SNAPSHOT, SNAPSHOT_DELETE = 'snapshot', 'snapshot delete'
RESTORE, CANCEL, ABANDON = 'restore', 'cancel', 'abandon'
MARK_UNHEALTHY, CLEAR_HOOK = 'mark unhealthy', 'hook clearing'
MIGRATE, SIGNAL = 'migrate', 'signal'
PREVIEW, EXPORT = 'preview', 'export'


_ENGINE = 'heat.engine.service:EngineService'
_IDENTITY = '(self, cnxt, stack_identity)'
_SNAPSHOT = '(self, cnxt, stack_identity, snapshot_id)'
_UPDATE = ('(self, cnxt, stack_identity, template, params, files, args, '
           'environment_files=None, files_container=None')

# The operation that a method starts, and the signature.
_METHODS = {
    'abandon_stack': (ABANDON,
                      '(self, cnxt, stack_identity, abandon=True)'),
    'create_stack': (CREATE, (
        '(self, cnxt, stack_name, template, params, files, args, '
        'environment_files=None, files_container=None, owner_id=None, '
        'nested_depth=0, user_creds_id=None, stack_user_project_id=None, '
        'parent_resource_name=None, template_id=None)')),
    'delete_snapshot': (SNAPSHOT_DELETE, _SNAPSHOT),
    'delete_stack': (DELETE, _IDENTITY),
    'export_stack': (EXPORT, _IDENTITY),
    'migrate_convergence_1': (MIGRATE, '(self, ctxt, stack_id)'),
    'preview_update_stack': (PREVIEW, _UPDATE + ')'),
    'resource_mark_unhealthy': (MARK_UNHEALTHY, (
        '(self, cnxt, stack_identity, resource_name, mark_unhealthy, '
        'resource_status_reason=None)')),
    'resource_signal': (SIGNAL, (
        '(self, cnxt, stack_identity, resource_name, details, '
        'sync_call=False)')),
    'stack_cancel_update': (CANCEL, (
        '(self, cnxt, stack_identity, cancel_with_rollback=True)')),
    'stack_check': (CHECK, _IDENTITY),
    'stack_restore': (RESTORE, _SNAPSHOT),
    'stack_resume': (RESUME, _IDENTITY),
    'stack_snapshot': (SNAPSHOT, '(self, cnxt, stack_identity, name)'),
    'stack_suspend': (SUSPEND, _IDENTITY),
    'update_stack': (UPDATE, _UPDATE + ', template_id=None)'),
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
