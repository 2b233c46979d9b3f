# SPDX-License-Identifier: Apache-2.0

"""Hold operations in the window between Heat's look and Heat's write.

Python loads this from PYTHONPATH before anything else, in the sandbox of
tests.exhaustive.test_race_windows, and nowhere else. When the file ``hold``
is in the directory that HEAT_EXTRAS_WINDOWS names, an operation that passed
the early check of its RPC method writes ``held`` and waits until ``hold`` is
gone. With HEAT_EXTRAS_UNGUARDED what refuses it afterwards is taken out;
with HEAT_EXTRAS_DIES no scaling ever ends, as if its engine had died.
"""

import contextlib
import importlib.abc
import importlib.util
import os
import sys
import time
import types

_SECONDS = 60


def _wait():
    directory = os.environ['HEAT_EXTRAS_WINDOWS']
    hold = os.path.join(directory, 'hold')
    if not os.path.exists(hold):
        return
    with open(os.path.join(directory, 'held'), 'w'):
        pass
    deadline = time.monotonic() + _SECONDS
    while os.path.exists(hold) and time.monotonic() < deadline:
        time.sleep(0.05)


def _refusal(module):
    check_row = module.check_row

    def check_row_and_wait(context, stack, operation):
        if stack.owner_id is None:
            check_row(context, stack, operation)
            _wait()
        elif 'HEAT_EXTRAS_UNGUARDED' not in os.environ:
            # What a signal does to a nested stack has no earlier check.
            check_row(context, stack, operation)
    module.check_row = check_row_and_wait
    if 'HEAT_EXTRAS_UNGUARDED' in os.environ:
        module.check_again = lambda context, stack_id, operation: None


def _rest(module):
    if 'HEAT_EXTRAS_UNGUARDED' in os.environ:
        module.raise_atomic_keys = lambda session, ids: None


def _signalling(module):
    is_ignored = module.is_ignored

    def is_ignored_or_wait(resource):
        ignored = is_ignored(resource)
        if not ignored:
            _wait()
        return ignored
    module.is_ignored = is_ignored_or_wait


def _ledger(module):
    if 'HEAT_EXTRAS_UNGUARDED' in os.environ:
        module.uuidutils = types.SimpleNamespace(
            generate_uuid=lambda: module._stack.c.current_traversal)


def _predicate(module):
    if 'HEAT_EXTRAS_UNGUARDED' in os.environ:
        module.only_unlocked = contextlib.nullcontext
        module.unlocked_stack_id = lambda stack_id: stack_id


def _cooldown(module):
    if 'HEAT_EXTRAS_DIES' in os.environ:
        module.CooldownMixin._finished_scaling = (
            lambda self, *args, **kwargs: None)


_LOCK = 'heat_extras.stack_lock.'
_ACTS = {
    _LOCK + 'refusal': _refusal,
    _LOCK + 'signalling': _signalling,
    _LOCK + 'rest': _rest,
    _LOCK + 'ledger': _ledger,
    _LOCK + 'predicate': _predicate,
    'heat.scaling.cooldown': _cooldown}


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        act = _ACTS.pop(name, None)
        if act is None:
            return None
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def execute_and_act(module):
            execute(module)
            act(module)
        spec.loader.exec_module = execute_and_act
        return spec


if 'HEAT_EXTRAS_WINDOWS' in os.environ:
    sys.meta_path.insert(0, _Finder())
