# SPDX-License-Identifier: Apache-2.0

"""Unit tests. Request contexts of Heat load its policy and configuration.

Newer releases of oslo.policy use the default policy without a configuration.
"""

from heat.common import policy
from oslo_config import cfg

cfg.CONF([], project='heat', default_config_files=[], default_config_dirs=[])
policy.get_enforcer()
