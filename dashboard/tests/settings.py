# SPDX-License-Identifier: Apache-2.0

"""Settings of Horizon for tests, with the panels of both plugins."""

import os

import heat_dashboard.enabled
import openstack_dashboard.enabled
from openstack_dashboard.test.settings import *  # noqa: F403,H303
from openstack_dashboard.utils import settings

import heat_extras_dashboard.enabled

HORIZON_CONFIG.pop('dashboards', None)  # noqa: F405
HORIZON_CONFIG.pop('default_dashboard', None)  # noqa: F405

settings.update_dashboards(
    [openstack_dashboard.enabled, heat_dashboard.enabled,
     heat_extras_dashboard.enabled],
    HORIZON_CONFIG, INSTALLED_APPS)  # noqa: F405

INSTALLED_APPS = list(dict.fromkeys(INSTALLED_APPS))  # noqa: F405
# Django's test case needs a database. It is empty.
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3',
                         'NAME': ':memory:'}}
# Check policy rules as in a cloud.
POLICY_CHECK_FUNCTION = 'openstack_auth.policy.check'
DEFAULT_POLICY_FILES = {
    **DEFAULT_POLICY_FILES,  # noqa: F405
    'orchestration': os.path.join(
        heat_dashboard.__path__[0], 'conf', 'default_policies', 'heat.yaml')}
POLICY_FILES = {**POLICY_FILES,  # noqa: F405
                'orchestration': 'heat_policy.yaml'}
# Tests do not check scripts and styles, whose compression takes a second.
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = ()
