# SPDX-License-Identifier: Apache-2.0

"""Remove the fence of locks, to check that tests detect this.

No-ops replace the functions that invalidate older state, and the predicates;
the early checks of the RPC methods stay. It is run as ``after_import.py`` is.
"""

import contextlib

LOCK = 'heat_extras.stack_lock.'


def _tree_rows(module):
    module.bump_atomic_keys = lambda session, ids: None


def _lock_transaction(module):
    # The traversal of the row instead of a new one.
    module.new_traversal = lambda: module._stack.c.current_traversal


def _write_criteria(module):
    module.only_unlocked = lambda context, criteria=(): (
        contextlib.nullcontext())


def _guarded_writes(module):
    module.unlocked_stack_id = lambda stack_id: stack_id


def _check(module):
    module.check_again = lambda context, stack_id, operation: None


ACTS = {f'{LOCK}{act.__name__[1:]}': act
        for act in (_tree_rows, _lock_transaction, _write_criteria,
                    _guarded_writes, _check)}
