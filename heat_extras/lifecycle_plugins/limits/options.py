# SPDX-License-Identifier: Apache-2.0

"""Options of the lifecycle plugin heat_extras_limits."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'limits_file',
        help='YAML file with the rules of the lifecycle plugin '
             'heat_extras_limits, which is off without it. Read when the '
             'engine starts.'),
]
