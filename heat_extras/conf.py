# SPDX-License-Identifier: Apache-2.0

"""Options of the ``[heat_extras]`` section of heat.conf.

Each feature has its own in ``options.py``, and so have the shipped plugins.
"""

from oslo_config import cfg

from heat_extras import features
from heat_extras.freeze import options as freeze
from heat_extras.health import options as health
from heat_extras.lifecycle import options as lifecycle
from heat_extras.lifecycle_plugins import options as lifecycle_plugins
from heat_extras.parameters import options as parameters
from heat_extras.stack_lock import options as stack_lock

FEATURES = tuple(features.FEATURES)

GROUP = 'heat_extras'

# What turns a shipped lifecycle plugin on.
PLUGIN_SWITCHES = ('limits_file', 'webhook_url')

heat_extras_opts = [
    cfg.ListOpt(
        'features',
        default=[],
        help='The features of heat-extras to turn on, or "all". Empty, the '
             'default, leaves Heat as it is. Known features: %s. Give every '
             'engine and every API of a cloud the same list.'
             % ', '.join(FEATURES)),
    *parameters.OPTIONS,
    *stack_lock.OPTIONS,
    *health.OPTIONS,
    *lifecycle.OPTIONS,
    *freeze.OPTIONS,
    *lifecycle_plugins.OPTIONS,
]


def list_opts():
    """List the options for oslo.config's sample generator."""
    return [(_group(), heat_extras_opts)]


def register_opts(conf):
    """Register the options on *conf*; a second time changes nothing."""
    conf.register_group(_group())
    conf.register_opts(heat_extras_opts, group=GROUP)


def _group():
    # A new one for each configuration: copies of one group share its
    # options, and with them what was set (oslo_config.cfg.OptGroup).
    return cfg.OptGroup(GROUP, title='heat-extras',
                        help='Guards for Heat stacks.')
