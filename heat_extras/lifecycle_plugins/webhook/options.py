# SPDX-License-Identifier: Apache-2.0

"""Options of the lifecycle plugin heat_extras_webhook."""

from oslo_config import cfg
from oslo_config import types

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.webhook import address

OPTIONS = [
    cfg.Opt(
        'webhook_url',
        type=address.Address(),
        help='Service that the lifecycle plugin heat_extras_webhook asks; '
             'the plugin is off without it.'),
    cfg.ListOpt(
        'webhook_calls',
        default=['pre'],
        item_type=types.String(choices=['pre', 'post']),
        help='When the service is called: pre, before an action, to ask '
             'whether it may begin; post, after it, to tell how it ended.'),
    cfg.ListOpt(
        'webhook_actions',
        default=list(plugin_api.ACTIONS),
        item_type=types.String(choices=plugin_api.ACTIONS),
        help='The only actions that the service is asked about and told of. '
             'While it is away, these are refused.'),
    cfg.FloatOpt(
        'webhook_timeout',
        default=5, min=0.1, max=86400,
        help='How long, in seconds, one attempt may take to connect, and '
             'how long it may wait for more of the answer. All attempts '
             'together have to fit into lifecycle_timeout.'),
    cfg.IntOpt(
        'webhook_attempts',
        default=3, min=1,
        help='How often a service that cannot be reached, does not answer '
             'in time, or answers with 5xx or 429 is asked.'),
    cfg.StrOpt(
        'webhook_ca_file',
        help="Certificates to trust in place of the system's. They are "
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
]
