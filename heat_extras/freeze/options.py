# SPDX-License-Identifier: Apache-2.0

"""Options of freezes."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'freezes_file',
        help='YAML file with the freezes: the times in which stacks must not '
             'be changed. Requires the feature "freeze". If this option is '
             'not set, no stack is frozen. Engines read the file again when '
             'it changes. Use the same file for every engine of a cloud.'),
]
