# SPDX-License-Identifier: Apache-2.0

"""Break guarantees of heat-extras in engines with injected faults.

``HEAT_EXTRAS_BROKEN`` is the path of a file. Each of its lines names
a guarantee that is broken. :file:`sitecustomize.py` runs this file.
"""

import contextlib
import datetime
import os
import pathlib
import random
import runpy
import sys
import types

_BROKEN = pathlib.Path(os.environ['HEAT_EXTRAS_BROKEN'])
_EXTRAS = 'heat_extras.'
_PASS_USE = _EXTRAS + 'stack_lock.pass_use'
_PROTECTION = _EXTRAS + 'stack_lock.delete_protection.'
_LEDGER = _EXTRAS + 'stack_lock.lock_transaction'
_FAR = datetime.datetime(2100, 1, 1)

_acts = {}


def _instead(name, module, attribute):
    """Replace a function while the guarantee *name* is broken.

    The replacement gets the original function as first argument.
    """
    def decorate(function):
        def act(loaded):
            original = getattr(loaded, attribute)

            def either(*args, **kwargs):
                if _is_broken(name):
                    return function(original, *args, **kwargs)
                return original(*args, **kwargs)
            setattr(loaded, attribute, either)
        _acts.setdefault(module, []).append(act)
        return function
    return decorate


def _is_broken(name):
    with contextlib.suppress(FileNotFoundError):
        return name in _BROKEN.read_text().splitlines()
    return False


@_instead('a pass is used again', _EXTRAS + 'stack_lock.guard_row',
          'clear_pass')
def _keep_pass(original, *args, **kwargs):
    # pass_use.py does not record the use, either: see below.
    return True


@_instead('a pass is for anybody', _PASS_USE, '_may_use')
def _is_for_anybody(original, row, context):
    return row is not None and row.pass_used_at is None


@_instead('a pass stays open', _PASS_USE, 'relock_if_idle')
def _stay_open(original, context, root_id):
    return False


@_instead('an end is forgotten', _EXTRAS + 'stack_lock.auto_unlock',
          'find_due')
def _nothing_is_due(original, context, count):
    return ()


@_instead('an extension is forgotten',
          _EXTRAS + 'stack_lock.service', 'write_expiration')
def _extend_nothing(original, context, root_id, check, expires_at):
    ledger = sys.modules[_LEDGER]
    started = sys.modules[_EXTRAS + 'db.transactions'].start(context)
    with started as session:
        root = ledger.read_checked_tree(session, root_id, check)[0][root_id]
    return ledger.TransactionResult(root, [], [])


# Every second time only: a constant defect would prevent its own effect.


@_instead('an unlock forgets the rest', _LEDGER, '_write_unlocked')
def _unlock_the_root(original, session, rows, root_id, *args, **kwargs):
    if random.choice((True, False)):
        rows = {root_id: rows[root_id]}
    return original(session, rows, root_id, *args, **kwargs)


@_instead('an unlock is forgotten', _LEDGER, '_write_unlocked')
def _unlock_nothing(original, *args, **kwargs):
    if random.choice((True, False)):
        return []
    return original(*args, **kwargs)


@_instead('a refusal leaves an event', _EXTRAS + 'stack_lock.check',
          '_raise_locked')
def _refuse_with_event(original, context, name, stack_id, *args, **kwargs):
    from heat.objects import event
    event.Event.create(context, {
        'stack_id': stack_id, 'resource_action': 'UPDATE',
        'resource_status': 'IN_PROGRESS', 'physical_resource_id': stack_id})
    return original(context, name, stack_id, *args, **kwargs)


@_instead('nobody is asked', _EXTRAS + 'lifecycle.runner', 'run_pre_ops')
def _ask_nobody(original, *args, **kwargs):
    if random.choice((True, False)):
        return []
    return original(*args, **kwargs)


@_instead('all are asked twice', _EXTRAS + 'lifecycle.runner', 'run_pre_ops')
def _ask_twice(original, *args, **kwargs):
    original(*args, **kwargs)
    return original(*args, **kwargs)


@_instead('a deletion asks once', _PROTECTION + 'delete_intent',
          'update_criteria')
def _ask_for_nothing(original, values):
    return ()


@_instead('a protection is not there', _EXTRAS + 'stack_lock.check',
          '_refuse_if_protected')
def _refuse_nothing(original, *args):
    pass


@_instead('a protection is not there', _PROTECTION + 'delete_intent',
          'update_criteria')
def _begin_anything(original, values):
    return ()


@_instead('nobody takes over', _EXTRAS + 'lifecycle.recovery',
          'recover_operations')
def _take_nothing_over(original, service):
    pass


@_instead('nobody is told', _EXTRAS + 'lifecycle.pre_post',
          '_run_post_calls_once')
def _tell_nobody(original, *args, **kwargs):
    return []


@_instead('all are told twice', _EXTRAS + 'lifecycle.runner', 'run_post_ops')
def _tell_twice(original, *args, **kwargs):
    original(*args, **kwargs)
    return original(*args, **kwargs)


def _with_clock(module, **broken):
    # In place of heat_extras.db.db_time, in one module.
    right = module.db_time

    def told(name):
        def tell(*args):
            for method, tell_wrongly in broken.get(name, {}).items():
                if _is_broken(method):
                    return tell_wrongly()
            return getattr(right, name)(*args)
        return tell
    module.db_time = types.SimpleNamespace(now=told('now'),
                                           read_time=told('read_time'))


_acts[_PASS_USE].append(lambda module: _with_clock(
    module, read_time={'a pass is used again': lambda: None}))
_acts[_EXTRAS + 'stack_lock.auto_unlock'].append(lambda module: _with_clock(
    module, now={'an end comes early': lambda: _FAR}))


def _all_of(acts):
    def act(module):
        for each in acts:
            each(module)
    return act


runpy.run_path(str(pathlib.Path(__file__).parents[2] / 'harness'
                   / 'after_import.py'))['act'](
    {name: _all_of(acts) for name, acts in _acts.items()})
