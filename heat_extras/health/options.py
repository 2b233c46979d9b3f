# SPDX-License-Identifier: Apache-2.0

"""Options of resources that users mark as unhealthy."""

from oslo_config import cfg

OPTIONS = [
    cfg.IntOpt(
        'max_unhealthy_percent',
        min=0, max=100,
        help='The largest percentage of the resources of a stack that can be '
             'marked as unhealthy at the same time. Nested stacks are counted '
             'separately. Requests above this limit are rejected unless they '
             'contain ?force=true. With 0, every request needs ?force=true. '
             'By default, there is no limit.'),
]
