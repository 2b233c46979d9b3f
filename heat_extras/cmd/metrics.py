# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage metrics``: a text file for the node exporter."""

import collections
import datetime
from importlib import metadata

from heat_extras.db import counters
from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.freeze import window
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras import sanitize
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

_PREFIX = 'heat_extras_'
# A lock that expires within these seconds counts as ending.
_SOON = 3600
# A live engine should have unlocked an expired lock after these seconds.
_LATE = 600


def metrics(conf, engine):
    """Print metrics for Prometheus.

    The format is the text format of the node exporter's textfile collector.

    Examples:

      Write the text file of the node exporter:
        heat-extras-manage metrics > heat_extras.prom
    """
    kinds = operator_locks.count_by_kind(engine)
    _print_locks([row for row in kinds if row.kind == models.LOCK])
    soon, overdue = operator_locks.count_expirations(engine, _SOON, _LATE)
    _print_metric('ending_locks', 'gauge', 'Locks that expire within an hour.',
                  [({}, soon)])
    _print_metric('overdue_locks', 'gauge',
                  'Expired locks that no engine has removed within 10 '
                  'minutes, or whose unlock failed.',
                  [({}, overdue)])
    granted, used = operator_locks.count_passes(engine)
    _print_metric('passes', 'gauge', 'Lock passes.',
                  [({'state': 'granted'}, granted), ({'state': 'used'}, used)])
    _print_protections([row for row in kinds if row.kind != models.LOCK])
    counted = counters.read_totals(engine)
    _print_counters(counted)
    _print_plugins(counted)
    _print_metric('failed_protections', 'gauge',
                  'Resources that a lock of level "all" could not protect.',
                  [({}, operator_locks.count_failed_protections(engine))])
    live = live_engines.list_live(engine)
    _print_engines(live)
    _print_freezes(live_engines.list_freezes(engine, live))


def _print_freezes(rows):
    _print_metric('engines_with_unusable_freezes', 'gauge',
                  'Live engines whose freezes_file has errors.',
                  [({}, sum(row.refused is not None for row in rows))])
    _print_metric('different_freezes', 'gauge',
                  'Different versions of freezes_file that are in effect in '
                  'live engines. Having no file counts as one version.',
                  [({}, live_engines.count_distinct_freezes(rows))])


def _print_locks(rows):
    _print_metric('locked_stacks', 'gauge', 'Locked root stacks.', [
        (dict(zip(('level', 'state', 'rank'), kind, strict=True)), count)
        for kind, count in sorted(_count_stacks(rows, _lock_kind).items())])
    _print_metric('failed_locks', 'gauge',
                  'Root stacks whose lock or unlock failed.',
                  [({}, sum(row.stacks for row in rows
                            if row.status == 'FAILED'))])
    since = [row.since for row in rows if row.since]
    _print_metric('oldest_lock_timestamp_seconds', 'gauge',
                  'Unix time at which the oldest lock was set.',
                  # Heat stores UTC without a zone.
                  [({}, int(min(since).replace(tzinfo=datetime.timezone.utc)
                            .timestamp()))] if since else [])


def _print_protections(rows):
    counts = _count_stacks(rows, lambda row: row.rank)
    _print_metric('protected_stacks', 'gauge',
                  'Root stacks that are protected from deletion. Protection '
                  'by a tag is not counted.',
                  [({'rank': rank}, counts[rank])
                   for rank in (states.ADMIN, states.MEMBER)])


def _print_counters(rows):
    for name, text, event, label, known in (
            ('refused_operations_total', 'Operations that a lock or a '
             'delete protection rejected.',
             counters.REFUSED, 'operation', operations.COUNTED),
            ('policy_refusals_total', 'Operations that an update policy '
             'rejected.', counters.POLICY, 'operation', counters.POLICIES),
            ('parameter_refusals_total', 'Operations that were rejected '
             'because of an immutable parameter.', counters.PARAMETER,
             'operation', counters.PARAMETERS),
            ('health_changes_total', 'Resources that were marked as '
             'unhealthy, and marks that were reset.', counters.HEALTH,
             'change', counters.CHANGES),
            ('pass_changes_total', 'Lock passes that were granted, used, '
             'revoked, or expired.', counters.PASS, 'change',
             counters.PASSES),
            ('frozen_operations_total', 'Operations that a freeze rejected.',
             counters.FROZEN, 'operation', window.CHANGES),
            ('frozen_signals_total', 'Signals that were ignored during a '
             'freeze.', counters.FROZEN_SIGNAL, 'freeze', ()),
            ('freezes_file_errors_total', 'Changes of freezes_file that an '
             'engine could not load.', counters.FREEZES_FILE, 'file',
             (counters.UNUSABLE,))):
        # Print a zero for each known label, because an alarm rule cannot
        # detect the first increase of a series that did not exist before.
        counts = dict.fromkeys(known, 0)
        counts.update((row.operation, row.total) for row in rows
                      if row.event == event)
        _print_metric(name, 'counter', text, [
            ({label: operation}, total)
            for operation, total in sorted(counts.items())])
    _print_metric('ignored_signals_total', 'counter',
                  'Ignored signals to locked stacks.',
                  [({}, sum(row.total for row in rows
                            if row.event == counters.IGNORED))])


def _print_plugins(rows):
    for name, text, event in (
            ('plugin_denials_total', 'Actions that a lifecycle plugin denied.',
             counters.DENIED),
            ('plugin_errors_total', 'Errors of a lifecycle plugin, before or '
             'after an action.', counters.ERROR),
            ('plugin_timeouts_total', 'Calls that a lifecycle plugin did not '
             'answer in time.', counters.TIMEOUT)):
        counts = {(action, plugin): 0 for plugin in _plugins()
                  for action in plugin_api.ACTIONS}
        counts.update(
            (counters.split_plugin_operation(row.operation), row.total)
            for row in rows if row.event == event)
        _print_metric(name, 'counter', text, [
            ({'plugin': plugin, 'action': action}, total)
            for (action, plugin), total in sorted(counts.items())])


def _plugins():
    # Use only the names, because plugins import modules for engines.
    return sorted({point.name for point in metadata.entry_points(
        group=registry.NAMESPACE) if point.module != registry.OWN})


def _print_engines(rows):
    _print_metric('engines', 'gauge', 'Running engines of the cloud.',
                  [({}, len(rows))])
    _print_metric('engines_without_lock', 'gauge',
                  'Running engines that do not enforce locks.',
                  [({}, sum(not live_engines.has_feature(row, 'stack_lock')
                            for row in rows))])


def _count_stacks(rows, kind):
    counts: collections.Counter = collections.Counter()
    for row in rows:
        counts[kind(row)] += row.stacks
    return counts


def _lock_kind(row):
    return row.level, f'{row.action}_{row.status}', row.rank or ''


def _print_metric(name, kind, text, samples):
    print('# HELP %s%s %s' % (_PREFIX, name, text))
    print('# TYPE %s%s %s' % (_PREFIX, name, kind))
    for labels, value in samples:
        print('%s%s%s %d' % (_PREFIX, name, _format_labels(labels), value))


def _format_labels(labels):
    if not labels:
        return ''
    return '{%s}' % ','.join('%s="%s"' % (name, _escape(value))
                             for name, value in labels.items())


def _escape(value):
    # Prometheus has these three escape sequences. Names of heat-extras do not
    # need others.
    return sanitize.printable(value.replace('\\', r'\\').replace('"', r'\"')
                              .replace('\n', r'\n'))
