# SPDX-License-Identifier: Apache-2.0

"""Options of freezes."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'freezes_file',
        help='YAML file with the times in which stacks stay as they are, for '
             'the feature freeze, which does nothing without it. An engine '
             'notices when the file changes. Give every engine of a cloud '
             'the same.'),
]
