# SPDX-License-Identifier: Apache-2.0

"""Inject defects that the fuzz tests must find, for their test only.

Python loads this from PYTHONPATH before anything else.
``HEAT_EXTRAS_FAULT`` names one of the functions below.
"""

import contextlib
import os
import pathlib
import runpy
import threading
import uuid

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
PACKAGE = 'heat_extras.'
_SECONDS = 0.05


def error():
    """An unknown query parameter causes a server error."""
    def break_it(module):
        parse_query = module.parse_query

        def parse_known(params):
            if set(params) - set(module._PARSERS):
                raise KeyError('unknown')
            return parse_query(params)
        module.parse_query = parse_known
    return 'stack_lock.api', break_it


def trace():
    """A rejected lock leaves its fence."""
    def break_it(module):
        start = module.transactions.start
        checked = module.read_checked_tree

        @contextlib.contextmanager
        def lasting(context):
            failed = None
            with start(context) as session:
                try:
                    yield session
                except Exception as error:
                    failed = error
            if failed is not None:
                raise failed

        def fenced(session, root_id, check):
            module.tree_rows.bump_atomic_keys(
                session, module.tree_rows.stack_ids(session, root_id))
            return checked(session, root_id, check)
        module.transactions.start = lasting
        module.read_checked_tree = fenced
    return 'stack_lock.lock_transaction', break_it


def late():
    """A rejected unlock writes to the database after its response."""
    def break_it(module):
        ledger = module.lock_transaction
        check = module.check_early

        def write(context, root_id):
            with ledger.transactions.start(context) as session:
                session.execute(ledger.sqlalchemy.text(
                    'UPDATE stack SET status_reason = :reason '
                    'WHERE id = :id'),
                    # Unique: rejected unlocks also restore the stacks.
                    {'id': root_id, 'reason': f'late {uuid.uuid4()}'})

        def check_or_write(context, root, *args, **more):
            try:
                check(context, root, *args, **more)
            except Exception:
                threading.Timer(_SECONDS, write, (context, root.id)).start()
                raise
        module.check_early = check_or_write
    return 'stack_lock.lock_request', break_it


if os.environ.get('HEAT_EXTRAS_FAULT'):
    _name, _act = globals()[os.environ['HEAT_EXTRAS_FAULT']]()
    runpy.run_path(str(_HARNESS / 'after_import.py'))['act'](
        {PACKAGE + _name: _act})
