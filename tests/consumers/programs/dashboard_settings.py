# SPDX-License-Identifier: Apache-2.0

"""The settings of heat-dashboard's own tests, with or without the panels.

They end like heat-dashboard's (``heat_dashboard/test/settings.py``), which
does not support other plugins.
"""

import os

import heat_dashboard.enabled
import openstack_dashboard.enabled
from openstack_dashboard.test.settings import *  # noqa: F403,H303
from openstack_dashboard.utils import settings

_ENABLED = [openstack_dashboard.enabled, heat_dashboard.enabled]
if os.environ.get('HEAT_EXTRAS_DASHBOARD'):
    import heat_extras_dashboard.enabled
    _ENABLED.append(heat_extras_dashboard.enabled)

HORIZON_CONFIG.pop('dashboards', None)  # noqa: F405
HORIZON_CONFIG.pop('default_dashboard', None)  # noqa: F405
settings.update_dashboards(
    _ENABLED, HORIZON_CONFIG, INSTALLED_APPS)  # noqa: F405
INSTALLED_APPS = list(dict.fromkeys(INSTALLED_APPS))  # noqa: F405
