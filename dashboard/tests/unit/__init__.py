# SPDX-License-Identifier: Apache-2.0

"""Starts Django, which has to be there before anything of Horizon's."""

import os

import django
from django.test import utils

os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'tests.settings')
django.setup()
utils.setup_test_environment()
