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
            ('off', 'never in stack_status, only in the lock_* fields: what '
                    "waits for Heat's own statuses waits for nothing else"),
        ],
        help="How far the state of a lock covers the stack's own status, and "
             'that of its resources, in API answers.'),
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
             'clients that know no other way. Empty: no tag protects. All '
             'engines of a cloud need the same.'),
    cfg.IntOpt(
        'lock_max_days',
        default=0, min=0, max=36500,
        help='How many days ahead the end of a lock (expires_at) may be; 0: '
             'any number. A lock without an end is not bounded by this.'),
    cfg.BoolOpt(
        'allow_unguarded_engines',
        default=False,
        help='Lock stacks although a live engine of the cloud does not '
             'carry the lock. Such an engine does not honour it.'),
]
