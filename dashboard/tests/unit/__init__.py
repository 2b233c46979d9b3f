# SPDX-License-Identifier: Apache-2.0

"""Start Django, before modules of Horizon are imported."""

import os

import django
from django.test import utils

os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'tests.settings')
django.setup()
utils.setup_test_environment()
