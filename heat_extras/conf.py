# SPDX-License-Identifier: Apache-2.0

"""Options of the ``[heat_extras]`` section of heat.conf."""

import math

from oslo_config import cfg
from oslo_config import types

FEATURES = ('guards', 'health', 'lifecycle', 'parameters', 'stack_lock',
            'update_policy')

GROUP = 'heat_extras'

# What turns a shipped lifecycle plugin on.
PLUGIN_SWITCHES = ('limits_file', 'placement_inventory', 'webhook_url')

heat_extras_opts = [
    cfg.ListOpt(
        'features',
        default=[],
        help='The features of heat-extras to turn on, or "all". Empty, the '
             'default, leaves Heat as it is. Known features: %s. Give every '
             'engine and every API of a cloud the same list.'
             % ', '.join(FEATURES)),
    cfg.StrOpt(
        'parameter_lift',
        default='same_update',
        choices=[
            ('same_update', 'an update whose template lifts the restriction '
                            'of a parameter may change its value, too'),
            ('two_step', 'the restriction must be lifted first, by an '
                         'update that keeps the value'),
        ],
        help='How a parameter that is not updatable (updatable: false or '
             'immutable: true) becomes so again.'),
    cfg.StrOpt(
        'status_overlay',
        default='full',
        choices=[
            ('full', 'show every lock state over the stack\'s own status; '
                     'UNLOCK_COMPLETE stays until the next operation'),
            ('locked', 'show lock states while the stack is locked; after '
                       'unlock the stack\'s own status shows at once'),
            ('off', 'never in stack_status, only in the lock_* fields: for '
                    'clouds with services that accept only Heat\'s own '
                    'statuses'),
        ],
        help='How far the state of a lock covers the stack\'s own status in '
             'API answers.'),
    cfg.IntOpt(
        'lock_concurrency',
        default=16, min=1,
        help='How many physical resources of a stack tree are protected or '
             'released at the same time.'),
    cfg.IntOpt(
        'lock_resource_timeout',
        default=60, min=1,
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
    cfg.BoolOpt(
        'allow_unguarded_engines',
        default=False,
        help='Lock stacks although a live engine of the cloud does not '
             'carry the lock. Such an engine does not honour it.'),
    cfg.IntOpt(
        'max_unhealthy_percent',
        min=0, max=100,
        help='How much of the resources of a stack, nested stacks counted '
             'by themselves, may be marked as unhealthy at once. A mark '
             'beyond it is refused unless the request says ?force=true. '
             'Without a value there is no limit.'),
    cfg.StrOpt(
        'lifecycle_on_load_failure',
        default='stop',
        choices=[
            ('stop', 'the engine does not start'),
            ('warn', 'the engine starts without the plugin, and warns'),
        ],
        help='What happens when a lifecycle plugin does not load.'),
    cfg.IntOpt(
        'lifecycle_timeout',
        default=60, min=0,
        help='How long, in seconds, a call of a lifecycle plugin may take; '
             '0 for any time. After that the engine stops waiting, and the '
             'call counts as an error of the plugin.'),
    cfg.DictOpt(
        'lifecycle_timeouts',
        default={},
        help='Other timeouts for some lifecycle plugins, by entry point '
             'name: NAME:SECONDS.'),
    cfg.DictOpt(
        'lifecycle_modes',
        default={},
        help='What a denial of a lifecycle plugin does, by entry point name: '
             'NAME:fail (the default) refuses the action; NAME:warn only '
             'logs it and adds an event to the stack.'),
    cfg.DictOpt(
        'lifecycle_errors',
        default={},
        help='What an error of a lifecycle plugin, as opposed to a denial, '
             'does, by entry point name: NAME:deny (the default) counts as '
             'a denial; NAME:allow is logged, and the action goes on.'),
    cfg.StrOpt(
        'limits_file',
        help='YAML file with the rules of the lifecycle plugin '
             'heat_extras_limits, which is off without it. Read when the '
             'engine starts.'),
    cfg.StrOpt(
        'webhook_url',
        help='Service that the lifecycle plugin heat_extras_webhook asks; '
             'the plugin is off without it.'),
    cfg.ListOpt(
        'webhook_calls',
        default=['pre'],
        item_type=types.String(choices=['pre', 'post']),
        help='When the service is called: pre, before an action, to ask '
             'whether it may begin; post, after it, to tell how it ended.'),
    cfg.FloatOpt(
        'webhook_timeout',
        default=5, min=0.1,
        help='How long, in seconds, one attempt to get an answer may take in '
             'all, from looking up the name to the last byte. All attempts '
             'together have to fit into lifecycle_timeout.'),
    cfg.IntOpt(
        'webhook_attempts',
        default=3, min=1,
        help='How often a service that cannot be reached, does not answer '
             'in time, or answers with 5xx or 429 is asked.'),
    cfg.StrOpt(
        'webhook_ca_file',
        help='Certificates to trust in place of the system\'s. They are '
             'always verified.'),
    cfg.StrOpt(
        'webhook_cert_file',
        help='Certificate that the engine shows to the service.'),
    cfg.StrOpt(
        'webhook_key_file',
        help='Key of webhook_cert_file.'),
    cfg.StrOpt(
        'webhook_secret',
        secret=True,
        help='Key for the HMAC-SHA256 signature in the header '
             'X-Heat-Extras-Signature; without it nothing is signed.'),
    cfg.StrOpt(
        'placement_inventory',
        help='YAML file, or URL that is fetched as JSON, with the racks that '
             'the lifecycle plugin heat_extras_placement plans with; the '
             'plugin is off without it. The webhook_* options are also for '
             'this URL, except webhook_url and webhook_calls.'),
]


def list_opts():
    """List the options for oslo.config's sample generator."""
    return [(_group(), heat_extras_opts)]


def register_opts(conf):
    """Register the options on *conf*; a second time changes nothing."""
    conf.register_group(_group())
    conf.register_opts(heat_extras_opts, group=GROUP)


def mistakes(conf):
    """List the options whose values do not fit.

    oslo.config looks at a value when it is asked for, which may be in the
    thread of an operation.

    :returns: sentences, none with the value of a secret.
    """
    register_opts(conf)
    found = []
    for option in heat_extras_opts:
        try:
            value = conf[GROUP][option.dest]
        # A bare KeyError and others come from substitution.
        except Exception as error:
            found.append(_mistake(option, _why(option, error)))
        else:
            if isinstance(value, float) and not math.isfinite(value):
                found.append(_mistake(option, f'found {value}, wanted a '
                                              'finite number'))
    return found


def _mistake(option, why):
    return f'[{GROUP}] {option.name}: {why}; correct it in heat.conf'


def _why(option, error):
    if not isinstance(error, cfg.ConfigSourceValueError):
        return ('found a $ that names no option, wanted $$ for the character '
                'itself')
    if option.secret:
        return 'found a value that does not fit'
    said = str(error).partition(' is not valid: ')[2] or str(error)
    return f'found a value that does not fit: {said}'


def _group():
    # A new one for each configuration: copies of one group share its
    # options, and with them what was set (oslo_config.cfg.OptGroup).
    return cfg.OptGroup(GROUP, title='heat-extras',
                        help='Guards for Heat stacks.')
