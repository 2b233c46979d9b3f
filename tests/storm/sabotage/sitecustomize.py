# SPDX-License-Identifier: Apache-2.0

"""Take the fence out of a lock: for a test of the storm, and nothing else.

Python loads this from PYTHONPATH before anything else. It waits for the
modules of the stack lock and makes no-ops of what invalidates older state
and of the predicates; the early checks of the RPC methods stay.
"""

import contextlib
import importlib.abc
import importlib.util
import sys
import types


def _rest(module):
    module.raise_atomic_keys = lambda session, ids: None


def _ledger(module):
    # Instead of a new traversal: the one that the row has.
    module.uuidutils = types.SimpleNamespace(
        generate_uuid=lambda: module._stack.c.current_traversal)


def _predicate(module):
    module.only_unlocked = contextlib.nullcontext
    module.unlocked_stack_id = lambda stack_id: stack_id


def _refusal(module):
    module.check_again = lambda context, stack_id, operation: None


def _under_way(module):
    module.is_persisting = lambda: False


_SABOTAGE = {f'heat_extras.stack_lock.{act.__name__[1:]}': act
             for act in (_rest, _ledger, _predicate, _refusal, _under_way)}


class _Finder(importlib.abc.MetaPathFinder):
    """Let the ordinary finders work, and act after the module's code."""

    def find_spec(self, name, path, target=None):
        act = _SABOTAGE.pop(name, None)
        if act is None:
            return None
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def execute_and_act(module):
            execute(module)
            act(module)
        spec.loader.exec_module = execute_and_act
        return spec


sys.meta_path.insert(0, _Finder())
