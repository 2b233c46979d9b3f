# SPDX-License-Identifier: Apache-2.0

"""The process that is measured: a sandbox, with or without Heat's sleeps.

``python -m bench.server [--sleeps ...] [--record FILE] serve ...``: the rest
of the arguments is that of ``heat-extras-sandbox``.
"""

import argparse
import gc
import sys

from heat_extras.cmd import sandbox
from heat_extras.sandbox import interpreter

AS_INSTALLED, NO_LEAF_SLEEPS, NO_SLEEPS = 'as-installed', 'no-leaf', 'none'
SLEEPS = (AS_INSTALLED, NO_LEAF_SLEEPS, NO_SLEEPS)


class _NoTime:
    """The replacement of the module ``time`` in ``heat.engine.stack``."""

    @staticmethod
    def sleep(seconds):
        pass


def main(argv=None):
    """Run the sandbox and return its exit status."""
    own, rest = _parser().parse_known_args(argv)
    interpreter.prepare()
    if own.no_gc or own.counter_socket:
        gc.disable()
    if own.counter_socket:
        from bench import counters
        counters.CounterServer(own.counter_socket)
    _hook_in(own)
    return sandbox.main(rest)


def _hook_in(own):
    """Apply the requested changes after the start of the engine."""
    from heat_extras.sandbox import heat_process
    original = heat_process.start_engine
    record = _recorder(own.record, own.plans)

    def start_engine():
        engine = original()
        _change_sleeps(own.sleeps)
        record(engine)
        return engine

    heat_process.start_engine = start_engine


def _recorder(path, plans):
    if path is None:
        return lambda engine: None
    from bench import recorder
    made = recorder.Recorder(path)

    def watch(engine):
        made.watch(engine)
        if plans:
            made.watch_updates()
    return watch


def _change_sleeps(sleeps):
    from heat.engine import scheduler
    from heat.engine import stack
    if sleeps == NO_SLEEPS:
        scheduler.ENABLE_SLEEP = False
    if sleeps == NO_LEAF_SLEEPS:
        # Only the second per triggered leaf, in
        # Stack._converge_create_or_update: without the sleeps of
        # heat.engine.scheduler a parent polls its children without a pause.
        stack.time = _NoTime


def _parser():
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument('--sleeps', choices=SLEEPS, default=AS_INSTALLED)
    parser.add_argument('--record', metavar='FILE')
    parser.add_argument('--plans', action='store_true')
    parser.add_argument('--no-gc', action='store_true')
    parser.add_argument('--counter-socket', metavar='SOCKET')
    return parser


if __name__ == '__main__':
    sys.exit(main())
