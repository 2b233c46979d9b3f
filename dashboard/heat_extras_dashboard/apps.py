# SPDX-License-Identifier: Apache-2.0

"""The Django application of the plugin."""

import os

from django import apps
from django.conf import settings

_POLICIES = os.path.join(os.path.dirname(__file__), 'conf', 'policies.yaml')


class HeatExtrasDashboard(apps.AppConfig):
    """The plugin, which ADD_INSTALLED_APPS of an enabled file names."""

    name = 'heat_extras_dashboard'

    def ready(self):
        """Check the installed heat-dashboard, and extend it.

        :raises django.core.exceptions.ImproperlyConfigured: if it is not
            supported. Nothing has been changed, and Horizon does not start.
        """
        # heat_dashboard.content cannot be imported before all apps are ready.
        from heat_extras_dashboard import heat_dashboard_patch
        heat_dashboard_patch.check()
        self.add_policies()
        heat_dashboard_patch.apply()

    def add_policies(self):
        """Add the policy rules, unless the operator's settings have them."""
        settings.DEFAULT_POLICY_FILES.setdefault('heat_extras', _POLICIES)
        # In the directory of Horizon's policy files. It is optional.
        settings.POLICY_FILES.setdefault('heat_extras',
                                         'heat_extras_policy.yaml')
