# SPDX-License-Identifier: Apache-2.0

"""Inject a fault into Heat or heat-extras in a new process.

Tests put this directory on the PYTHONPATH of a daemon and name in
``HEAT_EXTRAS_FAULT`` one of the functions below.
"""

import datetime
import os
import pathlib
import runpy
import sys
import time

_after_import = runpy.run_path(
    str(pathlib.Path(__file__).parents[1] / 'after_import.py'))


def another_signature():
    """Heat was patched by a vendor: EngineService.update_stack differs."""
    def break_it(module):
        def update_stack(self, cnxt, stack_identity, template, wish):
            raise AssertionError('not to be called')
        module.EngineService.update_stack = update_stack
    _after('heat.engine.service', break_it)


def another_private_signature():
    """A new Heat: a function that is called but not patched differs."""
    def break_it(module):
        def _resource_from_db_resource(self, row):
            raise AssertionError('not to be called')
        module.Stack._resource_from_db_resource = _resource_from_db_resource
    _after('heat.engine.stack', break_it)


def another_api_signature():
    """The same in the API: heat.api.aws.exception.map_remote_error."""
    def break_it(module):
        module.map_remote_error = lambda ex, wish: ex
    _after('heat.api.aws.exception', break_it)


def unsupported_heat():
    """Heat has an untested release."""
    def break_it(module):
        module.version_info.version_string = lambda: '28.0.0'
    _after('heat.version', break_it)


def engine_module_missing():
    """One module of the feature cannot be imported."""
    sys.modules['heat_extras.patches.engine_service'] = None


def api_module_missing():
    """One module for the API cannot be imported."""
    sys.modules['heat_extras.patches.api_actions'] = None


def package_missing():
    """The package is missing: Heat continues without its plugins."""
    sys.modules['heat_extras.engine_entry_point'] = None


def package_broken():
    """The module that applies patches cannot be imported."""
    sys.modules['heat_extras.activation'] = None


def another_clock():
    """The host's clock is wrong by HEAT_EXTRAS_CLOCK_SECONDS."""
    seconds = int(os.environ['HEAT_EXTRAS_CLOCK_SECONDS'])
    real_time = time.time
    time.time = lambda: real_time() + seconds

    def break_it(module):
        # It uses datetime, whose clock must not be replaced.
        right = module.utcnow
        module.utcnow = lambda with_timezone=False: (
            right(with_timezone) + datetime.timedelta(seconds=seconds))
    _after('oslo_utils.timeutils', break_it)


def _after(name, callback):
    _after_import['act']({name: callback})


if os.environ.get('HEAT_EXTRAS_FAULT'):
    globals()[os.environ['HEAT_EXTRAS_FAULT']]()
