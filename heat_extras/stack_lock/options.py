# SPDX-License-Identifier: Apache-2.0

"""Options of the stack lock."""

from oslo_config import cfg


OPTIONS = [
    cfg.StrOpt(
        'status_overlay',
        default='off',
        choices=[
            ('full', "show every lock state over the stack's own status; "
                     'UNLOCK_COMPLETE stays until the next operation'),
            ('locked', 'show lock states while the stack is locked; after '
                       "unlock the stack's own status shows at once"),
            ('off', 'never in stack_status, only in the lock_* fields, for '
                    "clients that wait for Heat's own statuses"),
        ],
        help="Whether API responses show the state of a lock in place of the "
             "stack's own status and the status of its resources."),
    cfg.IntOpt(
        'lock_concurrency',
        default=16, min=1,
        help='How many physical resources of a stack tree are protected or '
             'released at the same time.'),
    cfg.IntOpt(
        'lock_resource_timeout',
        default=60, min=1, max=86400,
        help='How long, in seconds, the service of one physical resource may '
             'take to protect or release it, attempts after transient '
             'errors included.'),
    cfg.StrOpt(
        'remote_heat_without_locks',
        default='report',
        choices=[
            ('report', 'the remote stack is reported as no_lock_api'),
            ('fail', 'the lock fails: LOCK_FAILED, and the stacks stay '
                     'locked'),
        ],
        help='What a lock of level all does about a remote stack '
             '(OS::Heat::Stack) whose Heat does not know locks.'),
    cfg.StrOpt(
        'delete_protection_tag',
        default='', max_length=80,
        # As Heat's tags are; a request separates several by commas.
        regex='^[^,]*$',
        help='A root stack with this tag is protected from deletion, for '
             'clients without support for delete protection. If empty, no tag '
             'protects. All engines of a cloud need the same value.'),
    cfg.IntOpt(
        'lock_max_days',
        default=0, min=0, max=36500,
        help='Maximum number of days until the expiration time of a lock '
             '(expires_at); 0 means no limit. Locks without an expiration '
             'time are always allowed.'),
    cfg.BoolOpt(
        'allow_unguarded_engines',
        default=False,
        help='Lock stacks although a live engine of the cloud does not run '
             'stack_lock. That engine does not enforce locks.'),
]
