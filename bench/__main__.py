# SPDX-License-Identifier: Apache-2.0

"""python -m bench: compare heat-extras with Heat without heat-extras.

The result is printed, and written to doc/build/bench as a page with a picture.
All measurements are in benchmark.json.
"""

import argparse
import pathlib
import signal
import sys

from bench import environment
from bench import report
from bench import results
from bench import workload

_OUTPUT = pathlib.Path(__file__).parent.parent / 'doc' / 'build' / 'bench'


def main(argv=None):
    """Run the command line and return the exit status."""
    args = _parser().parse_args(argv)
    # Stop all servers when this is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('stopped by SIGTERM'))
    chosen = workload.QUICK if args.quick else workload.FULL
    run_environment = environment.RunEnvironment()
    measured = results.Results()
    try:
        results.measure(chosen, measured, args.only or results.PARTS)
    finally:
        words = report.render(chosen, measured,
                              run_environment.describe(chosen.name))
        print(words, flush=True)
    # Write a page only if all parts were measured.
    if not args.only:
        report.write(args.output, chosen, measured, words)
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog='python -m bench', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--quick', action='store_true',
                        help='small and few: see whether it works')
    parser.add_argument('--only', action='append', choices=results.PARTS,
                        help='measure and print just this part; may be '
                             'given several times')
    parser.add_argument('--output', metavar='DIR', type=pathlib.Path,
                        default=_OUTPUT,
                        help='where to write the page, the picture and '
                             'the data (default: doc/build/bench)')
    return parser


if __name__ == '__main__':
    sys.exit(main())
