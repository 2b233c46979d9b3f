# SPDX-License-Identifier: Apache-2.0

"""Run the matrix of consumers and locks: python -m tests.consumers."""

import argparse
import dataclasses
import json
import sys
import threading

from tests.consumers import consumers
from tests.consumers import guard_situations
from tests.consumers import matrix
from tests.consumers import results_file


def _parsed():
    parser = argparse.ArgumentParser(
        prog='python -m tests.consumers', description=__doc__)
    parser.add_argument(
        '--consumer', action='append', choices=consumers.BY_NAME,
        help='only this one; may be given more often')
    parser.add_argument(
        '--situation', action='append', choices=guard_situations.BY_NAME)
    parser.add_argument(
        '--overlay', action='append', choices=matrix.OVERLAYS)
    parser.add_argument(
        '--real', action='store_true',
        help='with Keystone and Heat as processes what else is run on a '
        'sandbox; the default overlay, unless another one is named')
    parser.add_argument(
        '--workers', type=int, default=4, help='cases at a time')
    parser.add_argument(
        '--record', help='a JSON file whose cases are replaced by those run')
    return parser.parse_args()


def main():
    wanted = _parsed()
    results, missing = matrix.run(
        [consumers.BY_NAME[name]
         for name in wanted.consumer or consumers.BY_NAME],
        wanted.overlay or matrix.OVERLAYS[:1 if wanted.real else None],
        [guard_situations.BY_NAME[name]
         for name in wanted.situation or guard_situations.BY_NAME],
        wanted.workers, _Witness(wanted.record).see, wanted.real)
    wrong = matrix.wrong(results)
    for result in wrong:
        print('wrong:', result.verdict, result, flush=True)
    if missing or wrong:
        sys.exit(f'{missing} cases were not run, and {len(wrong)} came '
                 'to what must not be: see above')


class _Witness:
    """Print and record each result as soon as it is available.

    Who ends a run early has the cases that were run.

    :param record: the path of the file, or None
    """

    def __init__(self, record):
        self._record = record
        self._lock = threading.Lock()

    def see(self, result):
        print(json.dumps([
            result.consumer, result.overlay, result.situation,
            result.operation, result.verdict, result.happened, result.told,
            result.seconds, result.said]), flush=True)
        if self._record:
            with self._lock:
                results_file.keep(self._record, results_file.CASES,
                                  [dataclasses.asdict(result)])


if __name__ == '__main__':
    main()
