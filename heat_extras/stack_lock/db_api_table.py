# SPDX-License-Identifier: Apache-2.0

"""Heat's database writers, and what a lock means for each of them: data.

Every function of heat.db.api that writes is listed, those of all supported
releases together; a test fails when a Heat has one that is not. Pure.
"""

REFUSE, BY_VALUE, PASS = 'refuse', 'by value', 'pass'
# Not a lock, but a later operation keeps it away.
OVERTAKEN = 'overtaken'

# A write of nothing but these leaves the resource what it is, but for
# metadata that say that it is being scaled.
PASSING_VALUES = frozenset({'rsrc_metadata', 'attr_data_id', 'atomic_key'})

_OPERATION = ('only inside an operation, which a lock waits for: the '
              'resource row is held by an engine, or the stack by StackLock')
_LATE = 'whose StackLock an engine can lose that hangs, and writes later'
_DETACHED = 'a row that no stack refers to yet, or no longer'
_AFTER_DELETE = ('only when the stack is DELETE_COMPLETE, which cannot be '
                 'locked')
_NOT_OURS = 'nothing of a stack'
_MANAGE = 'an operator with heat-manage, which no plugin is loaded into'

WRITERS = {
    'stack_create': (REFUSE, 'under a locked owner'),
    'stack_update': (REFUSE, 'the lock is a predicate of the UPDATE'),
    'persist_state_and_release_lock': (
        REFUSE, 'the lock is a predicate of the UPDATE; the StackLock row '
                'goes all the same'),
    'stack_tags_set': (REFUSE, 'the INSERT fails'),
    'stack_tags_delete': (OVERTAKEN, 'only from store(), after its own '
                                     'compare-and-swap or under StackLock'),
    'stack_delete': (PASS, _AFTER_DELETE),
    'reset_stack_status': (PASS, _MANAGE),
    'stack_lock_create': (PASS, 'export takes it too on older releases; '
                                'the operations under it are refused'),
    'stack_lock_steal': (PASS, 'as stack_lock_create'),
    'stack_lock_release': (PASS, 'a lock must not keep StackLock rows'),
    'resource_create': (REFUSE, 'the INSERT fails'),
    'resource_create_replacement': (REFUSE, 'the INSERT fails'),
    'resource_update': (BY_VALUE, 'the lock is a predicate of the UPDATE'),
    'resource_update_and_save': (BY_VALUE, 'the UPDATE fails'),
    'resource_delete': (PASS, _OPERATION),
    'resource_exchange_stacks': (REFUSE, 'only of legacy stacks, ' + _LATE),
    'resource_purge_deleted': (PASS, 'rows of resources that are deleted'),
    'resource_attr_id_set': (PASS, 'cached attributes: a read does it'),
    'resource_attr_data_delete': (PASS, 'cached attributes: a read does it'),
    'resource_data_set': (PASS, 'a read stores URLs of signals there; '
                                'hooks are cleared by signals, which are '
                                'refused earlier'),
    'resource_data_delete': (PASS, 'as resource_data_set'),
    'resource_prop_data_create': (PASS, _DETACHED),
    'resource_prop_data_create_or_update': (PASS, _DETACHED),
    'raw_template_create': (PASS, _DETACHED),
    'raw_template_update': (REFUSE, 'nothing is written; only of legacy '
                                    'stacks, ' + _LATE),
    'raw_template_delete': (PASS, _DETACHED),
    'raw_template_files_create': (PASS, _DETACHED),
    'user_creds_create': (PASS, _DETACHED),
    'user_creds_delete': (PASS, 'store() rotates credentials only after its '
                                'compare-and-swap; otherwise '
                                + _AFTER_DELETE),
    'snapshot_create': (REFUSE, 'the INSERT fails'),
    'snapshot_update': (REFUSE, 'the UPDATE fails'),
    'snapshot_delete': (PASS, 'the snapshot is DELETE_IN_PROGRESS, which a '
                              'lock waits for'),
    'resource_snapshot_create': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'resource_snapshot_update': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'resource_snapshot_delete': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'event_create': (PASS, 'an ignored signal leaves an event'),
    'sync_point_create': (PASS, 'of a traversal that the lock has ended'),
    'sync_point_update_input_data': (PASS, 'of a traversal that the lock '
                                           'has ended'),
    'sync_point_delete_all_by_stack_and_traversal': (
        PASS, 'of a traversal that is over'),
    'software_config_create': (PASS, _NOT_OURS),
    'software_config_delete': (PASS, _NOT_OURS),
    'software_deployment_create': (PASS, 'deployments pass'),
    'software_deployment_update': (PASS, 'deployments pass'),
    'software_deployment_delete': (PASS, 'deployments pass'),
    'service_create': (PASS, _NOT_OURS),
    'service_update': (PASS, _NOT_OURS),
    'service_delete': (PASS, _NOT_OURS),
    'purge_deleted': (PASS, _MANAGE),
    '_purge_stacks': (PASS, _MANAGE),
    'encrypt_parameters_and_properties': (PASS, _MANAGE),
    'decrypt_parameters_and_properties': (PASS, _MANAGE),
}


def is_refused(values: dict) -> bool:
    """Return whether a lock refuses a write of these values to a resource.

    :param values: the dict that is handed to the writer.
    """
    return (not PASSING_VALUES.issuperset(values) or starts_scaling(values))


def starts_scaling(values: dict) -> bool:
    """Return whether a write of metadata begins to scale a group.

    No other signal reaches a group until the same thread takes it back
    (heat.scaling.cooldown.CooldownMixin), so an engine that dies in between
    would leave a locked group that never scales again. The end of a scaling
    that began before the lock passes for the same reason. Wait conditions
    keep a dict under whatever name their caller chose, never this value.
    """
    metadata = values.get('rsrc_metadata')
    return (isinstance(metadata, dict)
            and metadata.get('scaling_in_progress') is True)
