# SPDX-License-Identifier: Apache-2.0

"""Break one thing of Heat or of heat-extras in a fresh process.

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
    """A new Heat: what a lock only calls differs, and is not patched."""
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
    """Heat is of a release that nobody has tried."""
    def break_it(module):
        module.version_info.version_string = lambda: '28.0.0'
    _after('heat.version', break_it)


def engine_module_missing():
    """One module of the feature does not import."""
    sys.modules['heat_extras.stack_lock.patches.engine_service'] = None


def api_module_missing():
    """One module of the API's half does not import."""
    sys.modules['heat_extras.stack_lock.patches.api_actions'] = None


def package_missing():
    """Heat is bare: what it loads of ours is not there, and it goes on."""
    sys.modules['heat_extras.engine_entry_point'] = None


def package_broken():
    """Not even the module that applies patches imports."""
    sys.modules['heat_extras.activation'] = None


def another_clock():
    """The host's clock is wrong by HEAT_EXTRAS_CLOCK_SECONDS."""
    seconds = int(os.environ['HEAT_EXTRAS_CLOCK_SECONDS'])
    real_time = time.time
    time.time = lambda: real_time() + seconds

    def break_it(module):
        # It asks datetime, whose clock is not to be replaced.
        right = module.utcnow
        module.utcnow = lambda with_timezone=False: (
            right(with_timezone) + datetime.timedelta(seconds=seconds))
    _after('oslo_utils.timeutils', break_it)


def _after(name, callback):
    _after_import['act']({name: callback})


if os.environ.get('HEAT_EXTRAS_FAULT'):
    globals()[os.environ['HEAT_EXTRAS_FAULT']]()
