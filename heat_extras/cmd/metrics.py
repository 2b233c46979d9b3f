# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage metrics``: for the node exporter's text files."""

import collections
import datetime

from heat_extras.db import counters
from heat_extras.db import engines
from heat_extras.db import locks
from heat_extras import text as texts

_PREFIX = 'heat_extras_'


def metrics(conf, engine):
    """Print what a monitoring system wants to know, for Prometheus.

    In the text format of the node exporter's textfile collector.
    """
    rows = locks.list_locks(engine)
    _print_locks(rows)
    _print_counters(counters.totals(engine))
    _print_engines(engines.live(engine))


def _print_locks(rows):
    _print('locked_stacks', 'gauge', 'Root stacks that a lock holds.', [
        (dict(zip(('level', 'state', 'rank'), kind, strict=True)), count)
        for kind, count in sorted(collections.Counter(
            map(_kind, rows)).items())])
    _print('failed_locks', 'gauge',
           'Root stacks whose lock or unlock failed.',
           [({}, sum(row.lock_status == 'FAILED' for row in rows))])
    since = [row.locked_at for row in rows if row.locked_at]
    _print('oldest_lock_timestamp_seconds', 'gauge',
           'When the oldest of the locks was set.',
           [({}, _seconds(min(since)))] if since else [])


def _print_counters(rows):
    _print('refused_operations_total', 'counter',
           'Operations that a lock refused.',
           [({'operation': row.operation}, row.total) for row in rows
            if row.event == 'refused'])
    _print('ignored_signals_total', 'counter',
           'Signals that a lock made ineffective.',
           [({}, sum(row.total for row in rows if row.event == 'ignored'))])


def _print_engines(rows):
    _print('engines', 'gauge', 'Live engines of the cloud.',
           [({}, len(rows))])
    _print('engines_without_lock', 'gauge',
           'Live engines that do not honour locks.',
           [({}, sum(not engines.carries_lock(row) for row in rows))])


def _kind(row):
    return (row.lock_level, '%s_%s' % (row.lock_action, row.lock_status),
            row.lock_rank or '')


def _seconds(moment):
    # Heat keeps UTC without a zone.
    return int(moment.replace(tzinfo=datetime.timezone.utc).timestamp())


def _print(name, kind, text, samples):
    print('# HELP %s%s %s' % (_PREFIX, name, text))
    print('# TYPE %s%s %s' % (_PREFIX, name, kind))
    for labels, value in samples:
        print('%s%s%s %d' % (_PREFIX, name, _labels(labels), value))


def _labels(labels):
    if not labels:
        return ''
    return '{%s}' % ','.join('%s="%s"' % (name, _escape(value))
                             for name, value in labels.items())


def _escape(value):
    # Prometheus knows these three; what is left is never a name of ours.
    return texts.printable(value.replace('\\', r'\\').replace('"', r'\"')
                           .replace('\n', r'\n'))
