# SPDX-License-Identifier: Apache-2.0

"""Options of the lifecycle plugin heat_extras_placement."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'placement_inventory',
        help='YAML file, or URL that is fetched as JSON, with the racks that '
             'the lifecycle plugin heat_extras_placement plans with; the '
             'plugin is off without it. The webhook_* options are also for '
             'this URL, except webhook_url and webhook_calls.'),
]
