# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.rpc.client`: parent calls are marked."""

from heat_extras.heat_internals import parent_call
from heat_extras import monkey_patch

_WHY = ('all methods of the client use it, also for nested stacks of '
        'third-party plugins')


@monkey_patch.extends('heat.rpc.client:EngineClient')
class EngineClientMixin:

    @monkey_patch.wrap('(self, ctxt, msg, version=None, timeout=None)',
                       why=_WHY)
    def call(self, original, *args, **kwargs):
        with parent_call.send_marked(self):
            return original(*args, **kwargs)

    @monkey_patch.wrap('(self, ctxt, msg, version=None)', why=_WHY)
    def cast(self, original, *args, **kwargs):
        with parent_call.send_marked(self):
            return original(*args, **kwargs)
