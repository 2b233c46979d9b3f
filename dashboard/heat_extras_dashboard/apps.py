# SPDX-License-Identifier: Apache-2.0

"""What Django does with this plugin when it starts."""

import os

from django import apps
from django.conf import settings

_POLICIES = os.path.join(os.path.dirname(__file__), 'conf', 'policies.yaml')


class HeatExtrasDashboard(apps.AppConfig):
    """The plugin; ADD_INSTALLED_APPS of its enabled files names it."""

    name = 'heat_extras_dashboard'

    def ready(self):
        """Check what is extended of heat-dashboard, and extend it.

        :raises django.core.exceptions.ImproperlyConfigured: if it is not as
            it has to be; nothing is changed then, and Horizon does not start
        """
        # heat_dashboard.content can be imported when all apps are there.
        from heat_extras_dashboard import heat_dashboard_patch
        heat_dashboard_patch.check()
        self.add_policies()
        heat_dashboard_patch.apply()

    def add_policies(self):
        """Let Horizon know who may do what; an operator's settings win."""
        settings.DEFAULT_POLICY_FILES.setdefault('heat_extras', _POLICIES)
        # Beside Horizon's own, where it need not be.
        settings.POLICY_FILES.setdefault('heat_extras',
                                         'heat_extras_policy.yaml')
