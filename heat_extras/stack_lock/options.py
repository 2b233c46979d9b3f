# SPDX-License-Identifier: Apache-2.0

"""Options of the stack lock."""

from oslo_config import cfg


OPTIONS = [
    cfg.StrOpt(
        'status_overlay',
        default='off',
        choices=[
            ('full', "show every lock state in place of the stack's own "
                     'status, and UNLOCK_COMPLETE until the next operation'),
            ('off', 'show lock states only in the lock_* fields, for clients '
                    "that wait for Heat's own statuses"),
        ],
        help="Whether API responses show the state of a lock in place of the "
             "stack's own status and the status of its resources."),
    cfg.IntOpt(
        'lock_concurrency',
        default=16, min=1,
        help='Maximum number of physical resources of a stack tree that are '
             'protected or released at the same time.'),
    cfg.IntOpt(
        'lock_resource_timeout',
        default=60, min=1, max=86400,
        help='Timeout, in seconds, for the service of one physical resource '
             'to protect or release the resource, including retries after '
             'transient errors. After this time, the request for the resource '
             'has failed.'),
    cfg.StrOpt(
        'remote_heat_without_locks',
        default='report',
        choices=[
            ('report', 'the lock succeeds, and the remote stack has the '
                       'protection state no_lock_api'),
            ('fail', 'the lock fails with LOCK_FAILED, and the stacks stay '
                     'locked'),
        ],
        help='Effect on a lock of level all if the stack contains a remote '
             'stack (OS::Heat::Stack), and the Heat of the remote stack does '
             'not support locks.'),
    cfg.StrOpt(
        'delete_protection_tag',
        default='', max_length=80,
        # Like Heat's tags: in a request, commas separate several tags.
        regex='^[^,]*$',
        help='Tag that protects a root stack from deletion, for clients '
             'without support for delete protection. If empty (the default), '
             'no tag protects stacks. All engines of a cloud need the same '
             'value.'),
    cfg.StrOpt(
        'resource_protection_tag',
        default='', max_length=80, regex='^[^,]*$',
        help='Tag that protects a root stack from deletion, and the resources '
             'of the stack and its nested stacks from being replaced or '
             'removed by an update. Requires the features stack_lock and '
             'update_policy. If empty (the default), no tag protects '
             'resources. All engines of a cloud need the same value.'),
    cfg.IntOpt(
        'lock_max_days',
        default=0, min=0, max=36500,
        help='Maximum number of days until the expiration time of a lock '
             '(expires_at). 0 means no limit. Locks without an expiration '
             'time are always allowed.'),
    cfg.BoolOpt(
        'allow_unguarded_engines',
        default=False,
        help='Allow users to lock and protect stacks even if a live engine of '
             'the cloud does not run stack_lock. Such an engine does not '
             'enforce locks and protections. If false, these requests are '
             'rejected.'),
]


def read_protection_tags(conf):
    """Return the tags that protect stacks from deletion.

    :returns: a dict from a tag to whether it also protects the resources. Of
        the tags of a stack, the first counts.
    """
    options = conf.heat_extras
    return {tag: has_resources for tag, has_resources in (
        (options.resource_protection_tag, True),
        (options.delete_protection_tag, False)) if tag}
