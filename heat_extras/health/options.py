# SPDX-License-Identifier: Apache-2.0

"""Options of resources that people know to be broken."""

from oslo_config import cfg

OPTIONS = [
    cfg.IntOpt(
        'max_unhealthy_percent',
        min=0, max=100,
        help='How much of the resources of a stack, nested stacks counted '
             'by themselves, may be marked as unhealthy at once. A mark '
             'beyond it is refused unless the request says ?force=true. '
             'Without a value there is no limit.'),
]
