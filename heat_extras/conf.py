# SPDX-License-Identifier: Apache-2.0

"""Options of the ``[heat_extras]`` section of heat.conf.

The options of each feature, and of the shipped plugins, are in its
``options.py``.
"""

import importlib
import importlib.util

from oslo_config import cfg

from heat_extras import features
from heat_extras.lifecycle_plugins import options as lifecycle_plugins

FEATURES = tuple(sorted(features.FEATURES))

GROUP = 'heat_extras'

# Each of these options enables a shipped lifecycle plugin.
PLUGIN_SWITCHES = ('limits_file', 'webhook_url')


def _options_of(feature):
    name = f'heat_extras.{feature}.options'
    return (importlib.import_module(name).OPTIONS
            if importlib.util.find_spec(name) else ())


heat_extras_opts = [
    cfg.ListOpt(
        'features',
        default=[],
        help='The features of heat-extras to enable, separated by commas, or '
             '"all" for all features. If the list is empty (the default), '
             'heat-extras does not change Heat. Known features: %s. Set the '
             'same list for every engine and every API service of a cloud.'
             % ', '.join(FEATURES)),
    *(option for feature in features.FEATURES
      for option in _options_of(feature)),
    *lifecycle_plugins.OPTIONS,
]


def list_opts():
    """List the options for oslo.config's sample generator."""
    return [(_group(), heat_extras_opts)]


def register_opts(conf):
    """Register the options on *conf*, unless they are registered."""
    conf.register_group(_group())
    conf.register_opts(heat_extras_opts, group=GROUP)


def _group():
    # Each configuration needs a new group: copies of a group share its
    # options and their values (oslo_config.cfg.OptGroup).
    return cfg.OptGroup(GROUP, title='heat-extras',
                        help='Options of heat-extras.')
