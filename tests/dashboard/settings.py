# SPDX-License-Identifier: Apache-2.0

"""The settings of the Horizon process of the tests.

They replace the files that an operator copies into openstack_dashboard/local.
"""

import os

import heat_dashboard
from openstack_dashboard.local import enabled

_HEAT = heat_dashboard.__path__[0]

# Before Horizon's settings, which read the enabled files.
enabled.__path__.append(os.path.join(_HEAT, 'enabled'))
if os.environ.get('HEAT_EXTRAS_DASHBOARD'):
    import heat_extras_dashboard
    enabled.__path__.append(os.path.join(
        heat_extras_dashboard.__path__[0], 'enabled'))

from openstack_dashboard.settings import *  # noqa: E402,F403,H303

DEBUG = False
ALLOWED_HOSTS = ['*']
SECRET_KEY = 'tests'
STATIC_ROOT = os.environ['HEAT_EXTRAS_STATIC']
COMPRESS_OFFLINE = True
OPENSTACK_KEYSTONE_URL = os.environ.get('HEAT_EXTRAS_AUTH_URL')
SESSION_ENGINE = 'django.contrib.sessions.backends.signed_cookies'
CACHES = {'default': {
    'BACKEND': 'django.core.cache.backends.locmem.LocMemCache'}}
POLICY_FILES['orchestration'] = 'heat_policy.yaml'  # noqa: F405
DEFAULT_POLICY_FILES['orchestration'] = os.path.join(  # noqa: F405
    _HEAT, 'conf', 'default_policies', 'heat.yaml')
# The number of stacks on a page for measurements.
API_RESULT_LIMIT = API_RESULT_PAGE_SIZE = int(
    os.environ.get('HEAT_EXTRAS_PAGE_SIZE', 20))
LOGGING = {
    'version': 1, 'disable_existing_loggers': False,
    'handlers': {'console': {'class': 'logging.StreamHandler'}},
    # Log each request to another service.
    'loggers': {'urllib3.connectionpool': {'level': 'DEBUG'}},
    'root': {'handlers': ['console'], 'level': 'WARNING'}}
