# SPDX-License-Identifier: Apache-2.0

"""Options of parameters that stay."""

from oslo_config import cfg

OPTIONS = [
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
]
