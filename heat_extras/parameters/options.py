# SPDX-License-Identifier: Apache-2.0

"""Options of immutable parameters."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'parameter_lift',
        default='same_update',
        choices=[
            ('same_update', 'an update whose template removes the '
                            'restriction can also change the value'),
            ('two_step', 'an update that keeps the value must remove the '
                         'restriction first'),
        ],
        help='How an update can change a parameter that is not updatable '
             '(updatable: false or immutable: true).'),
]
