# SPDX-License-Identifier: Apache-2.0

"""Unit tests. Contexts of Heat ask for its policy, and that for configuration.

Newer releases of oslo.policy take the policy's default without one.
"""

from heat.common import policy
from oslo_config import cfg

cfg.CONF([], project='heat', default_config_files=[], default_config_dirs=[])
policy.get_enforcer()
