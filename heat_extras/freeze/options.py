# SPDX-License-Identifier: Apache-2.0

"""Options of freezes."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'freezes_file',
        help='YAML file with the times in which stacks must not be changed, '
             'for the feature freeze. Without this file, the feature has no '
             'effect. Engines read the file again when it changes. Use the '
             'same file for every engine of a cloud.'),
]
