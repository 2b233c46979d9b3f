# SPDX-License-Identifier: Apache-2.0

"""The rows of ignored signals, and their effect on other requests.

``python -m bench.ignored_signals [--signals N] [MariaDB PostgreSQL]`` sends
portions of signals from four clients to a locked scaling policy. After each
portion, it sends a quarter as many signals to an unlocked policy, whose group
cannot grow, alternately in the same Heat and in a Heat without heat-extras.
Meanwhile, another stack of this Heat is shown without a pause. The output has
the durations of these requests by portion, the responses, and the rows of the
signals.
"""

import collections
import contextlib
import statistics
import sys
import threading
import time

import sqlalchemy

from bench import databases
from bench import running_heat
from bench import templates

_SIGNALS, _PORTIONS, _SENDERS, _LESS = 10_000, 10, 4, 4
_SHOWS = 20
_SCALING = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 1, 'desired_capacity': 1,
            'resource': {'type': 'OS::Heat::RandomString'}}},
        'up': {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'adjustment_type': 'change_in_capacity', 'cooldown': 0,
            'auto_scaling_group_id': {'get_resource': 'group'},
            'scaling_adjustment': 1}}},
}
_TABLES = ('heat_extras_ignored_signal', 'heat_extras_counter', 'event')
_LOCKED, _FREE, _BARE = 'locked', 'not locked', 'bare Heat'


class SignalledStack:
    """A stack of a Heat that gets signals, and another one that is shown.

    :ivar answers: by status, how many signals got it.
    """

    def __init__(self, measured, name):
        self.measured = measured
        self.answers = collections.Counter()
        self._other = measured.create(f'other-{name}', templates.SMALL)
        self.path = measured.create(f'signalled-{name}', _SCALING)
        measured.settle(self.path)
        self.before = self.time_shows(lambda done: done < _SHOWS)

    def time_shows(self, is_to_go_on):
        """Show the other stack; returns the seconds of each request."""
        seconds = []
        while is_to_go_on(len(seconds)):
            begun = time.perf_counter()
            self.measured.request('GET', self._other, 200)
            seconds.append(time.perf_counter() - begun)
        return seconds

    def send_signals(self, count):
        """Send signals; returns the seconds that shows took beside them."""
        senders = [threading.Thread(target=self._send,
                                    args=(count // _SENDERS,))
                   for _ in range(_SENDERS)]
        for each in senders:
            each.start()
        return self.time_shows(lambda done: any(
            each.is_alive() for each in senders))

    def _send(self, count):
        with self.measured.another() as sender:
            for _ in range(count):
                answer = sender.session.post(
                    sender.url + self.path + '/resources/up/signal', json={},
                    timeout=900)
                self.answers[answer.status_code] += 1

    def rows(self):
        """Count the rows of the stack by table."""
        inspector = sqlalchemy.inspect(self.measured.database)
        stack_id = self.path.rpartition('/')[2]
        with self.measured.database.connect() as connection:
            return {table: connection.scalar(sqlalchemy.text(
                f'SELECT count(*) FROM {table} WHERE stack_id = :id'),  # nosec
                {'id': stack_id}) for table in _TABLES
                if inspector.has_table(table)}


def measure(kind, signals):
    """Print the results on one database."""
    with databases.Databases(kind) as places, contextlib.ExitStack() as stack:
        guarded, bare = (stack.enter_context(running_heat.Heat(
            features, database=places.new())) for features in ('all', ''))
        stacks = {_LOCKED: SignalledStack(guarded, 'locked'),
                  _FREE: SignalledStack(guarded, 'free'),
                  _BARE: SignalledStack(bare, 'bare')}
        guarded.act(stacks[_LOCKED].path, {'lock': {'level': 'stacks'}})
        print(f'{kind}: show of another stack, ms: median, longest, times')
        _print_times('before', {
            name: each.before for name, each in stacks.items()})
        portion = signals // _PORTIONS
        for number in range(1, _PORTIONS + 1):
            _print_times(f'{number * portion} signals', {
                name: each.send_signals(portion if name == _LOCKED
                                        else portion // _LESS)
                for name, each in stacks.items()})
            _print_counts(stacks)
        _print_times('afterwards', {
            name: each.time_shows(lambda done: done < _SHOWS)
            for name, each in stacks.items()})


def _print_counts(stacks):
    for name, each in stacks.items():
        print(f'{name}: answers {dict(each.answers)}, rows {each.rows()}',
              flush=True)


def _print_times(title, times):
    print(f'{title:14}' + ''.join(
        f'  {name}: {1000 * statistics.median(seconds):.0f}, '
        f'{1000 * max(seconds):.0f}, {len(seconds)}'
        for name, seconds in times.items()), flush=True)


def main():
    """Print the results on each database."""
    parser = databases.parser('bench.ignored_signals', __doc__,
                              databases.SERVERS)
    parser.add_argument('--signals', type=int, default=_SIGNALS,
                        help='how many in all (default: %(default)s)')
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        measure(kind, arguments.signals)


if __name__ == '__main__':
    sys.exit(main())
