# SPDX-License-Identifier: Apache-2.0

"""The cost of 13 common operations, compared with earlier results.

``python -m bench.regressions --check bench/regressions.json`` fails if an
operation sends more statements, or makes noticeably more Python calls, than
recorded in the file. ``--write`` writes a new file. Calls are in hundredths of
the calls of a create, an update and a delete of Heat without heat-extras in
the same run, so that they are similar for all releases of Python and
libraries. For the same reason, statements are compared without those of the
same operation of Heat without heat-extras, if it exists there.
"""

import argparse
import json
import os
import sys
import tempfile
import time

from bench import counters
from bench import running_heat
from bench import templates

_ROUNDS = 5
# Garbage that is collected, and threads that wait, come on top at random: 1 %
# at most in three runs, and less than 0.05 for what is small.
_TOLERANCE = 1.05
_LEAST = 0.1
_DIGITS = 2
_QUIET_SECONDS = 0.3
_UNIT = ('create', 'update', 'delete')


class Measured:
    """A Heat with the cost of each operation.

    :ivar found: by operation a list of (calls, statements).
    """

    def __init__(self, features, say):
        self._features = features
        self._say = say
        self.found = {}

    def run(self):
        """Measure; returns the minimum of each value by operation."""
        with tempfile.TemporaryDirectory() as directory:
            self._socket = os.path.join(directory, 'counters')
            self._rounds()
        return {name: [min(column) for column in zip(*counts, strict=True)]
                for name, counts in self.found.items()}

    def _rounds(self):
        with running_heat.Heat(self._features, own=['--counter-socket',
                                                    self._socket]) as measured:
            self._heat = measured
            for number in range(_ROUNDS):
                self._say(f'{self._features or "bare"}: round {number + 1} '
                          f'of {_ROUNDS}')
                self._round(f'stack{number}')

    def _round(self, name):
        self._count('create', lambda: self._create(name))
        self._count('show', lambda: self._get(self._path))
        self._count('list', lambda: self._get('/stacks?name=' + name))
        if self._features:
            self._guarded()
        update = {'template': templates.SMALL, 'parameters': {'value': 'two'}}
        for operation, body in (
                ('preview', update),
                ('preview of additions', {'template': templates.additions()}),
                ('preview of references',
                 {'template': templates.references()})):
            self._preview(operation, body)
        self._count('update', lambda: self._change('PUT', 202, 'UPDATE',
                                                   update))
        self._count('delete', lambda: self._change('DELETE', 204, 'DELETE'))

    def _guarded(self):
        self._count('lock', lambda: self._heat.act(
            self._path, {'lock': {'level': 'stacks'}}))
        self._count('guards', lambda: self._get(self._path + '/guards'))
        self._count('refused update', lambda: self._heat.request(
            'PATCH', self._path, 409, json={}))
        self._count('list of locks', lambda: self._get('/locks'))
        self._count('unlock', lambda: self._heat.act(
            self._path, {'unlock': None}))

    def _preview(self, operation, body):
        self._count(operation, lambda: self._heat.request(
            'PUT', self._path + '/preview', 200, json=body))

    def _count(self, operation, act):
        before = counters.read_counts(self._socket)
        act()
        after = counters.read_counts(self._socket)
        while True:
            time.sleep(_QUIET_SECONDS)
            counts = counters.read_counts(self._socket)
            # Work after the response is a part of the operation. Some threads
            # poll for work without an end.
            if counts[1] == after[1]:
                break
            after = counts
        self.found.setdefault(operation, []).append(
            [now - then for now, then in zip(after, before, strict=True)])

    def _create(self, name):
        self._path = self._heat.create(name, templates.SMALL)

    def _get(self, path):
        self._heat.request('GET', path, 200)

    def _change(self, method, status, action, body=None):
        self._heat.request(method, self._path, status, json=body)
        self._heat.wait(self._path, action)


def measure(say):
    """Return the share of calls, and the statements, by operation."""
    bare = Measured('', say).run()
    guarded = Measured('all', say).run()
    unit = sum(bare[name][0] for name in _UNIT)

    def figures(calls, statements):
        return {'calls': round(100 * calls / unit, _DIGITS),
                'statements': statements}

    return {name: {**figures(*counts),
                   **({'bare': figures(*bare[name])} if name in bare else {})}
            for name, counts in guarded.items()}


def _statements(figures):
    return figures['statements'] - figures.get('bare', {}).get(
        'statements', 0)


def problems(wanted, measured):
    """List sentences about operations with higher cost than before."""
    sentences = []
    for name, now in measured.items():
        then = wanted.get(name)
        if then is None:
            sentences.append(
                f'{name}: found no figures to compare with; write ' 'them')
            continue
        more = _statements(now) - _statements(then)
        if more > 0:
            sentences.append(f'{name}: found {now["statements"]} statements, '
                             f'wanted at most {now["statements"] - more}')
        most = max(then['calls'] * _TOLERANCE, then['calls'] + _LEAST)
        if now['calls'] > most:
            sentences.append(
                f'{name}: found {now["calls"]} % of the calls that '
                'a create, an update and a delete of bare Heat make, '
                f'wanted at most {most:.2f} %')
    return sentences


def main():
    """Measure, and compare or write."""
    parser = argparse.ArgumentParser(prog='python -m bench.regressions')
    parser.add_argument('--check', metavar='FILE')
    parser.add_argument('--write', metavar='FILE')
    arguments = parser.parse_args()
    measured = measure(lambda text: print(text, file=sys.stderr))
    text = json.dumps(measured, indent=1, sort_keys=True) + '\n'
    if arguments.write:
        with open(arguments.write, 'w') as target:
            target.write(text)
    if not arguments.check:
        print(text, end='')
        return 0
    with open(arguments.check) as source:
        wanted = json.load(source)
    sentences = problems(wanted, measured)
    print('\n'.join(sentences)
          or f'{len(measured)} operations take no more than ' 'they did.')
    return 1 if sentences else 0


if __name__ == '__main__':
    sys.exit(main())
