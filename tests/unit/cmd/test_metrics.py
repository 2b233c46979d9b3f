# SPDX-License-Identifier: Apache-2.0

import datetime

from oslo_utils import timeutils
from prometheus_client import parser

from heat_extras.cmd import manage
from heat_extras.cmd import metrics
from heat_extras.db import counters
from heat_extras.db import migration
from tests.unit.cmd import base
from tests.unit.db import test_counters
from tests.unit.db import test_live_engines

EARLY = datetime.datetime(2026, 11, 20, 10, 2, 10)


class MetricsTest(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)

    def metrics(self):
        """Parse the output with the parser of Prometheus.

        :returns: values by name and labels.
        """
        families = list(parser.text_string_to_metric_families(
            self.run_command('metrics')))
        self.assertTrue(all(family.documentation for family in families))
        return {(sample.name.removeprefix('heat_extras_'),
                 tuple(sorted(sample.labels.items()))): sample.value
                for family in families for sample in family.samples}

    def test_metrics_are_zero_without_locks(self):
        values = self.metrics()
        self.assertEqual({0}, set(values.values()))
        for name, labels in (
                ('failed_locks', ()), ('ignored_signals_total', ()),
                ('engines', ()), ('engines_without_lock', ()),
                ('failed_protections', ()),
                ('ending_locks', ()), ('overdue_locks', ()),
                ('passes', (('state', 'used'),)),
                ('pass_changes_total', (('change', 'expired'),)),
                ('protected_stacks', (('rank', 'admin'),)),
                *(('refused_operations_total', (('operation', name),))
                  for name in ('delete', 'snapshot delete', 'signal')),
                ('policy_refusals_total', (('operation', 'update'),)),
                ('parameter_refusals_total', (('operation', 'restore'),)),
                ('health_changes_total', (('change', 'mark'),)),
                *((f'plugin_{kind}_total', (
                    ('action', 'DELETE'), ('plugin', 'heat_extras_webhook')))
                  for kind in ('denials', 'errors', 'timeouts'))):
            self.assertIn((name, labels), values)

    def test_counted_events_replace_zero_values(self):
        for event, operation in (
                (counters.DENIED, 'DELETE heat_extras_webhook'),
                (counters.ERROR, 'DELETE heat_extras_webhook'),
                (counters.TIMEOUT, 'CREATE gone plugin'),
                (counters.POLICY, 'resource'),
                (counters.PARAMETER, 'update'), (counters.HEALTH, 'reset')):
            test_counters.add(self.database, '1', 2, event, operation)
        self.assertEqual({
            ('plugin_denials_total', 'DELETE', 'heat_extras_webhook'),
            ('plugin_errors_total', 'DELETE', 'heat_extras_webhook'),
            ('plugin_timeouts_total', 'CREATE', 'gone plugin'),
            ('policy_refusals_total', 'resource'),
            ('parameter_refusals_total', 'update'),
            ('health_changes_total', 'reset')}, {
                (name, *(value for _, value in labels))
                for (name, labels), value in self.metrics().items()
                if value == 2})

    def test_protected_stacks_are_counted_by_rank(self):
        self.database.add_protected_stack('1')
        self.database.add_protected_stack('2')
        values = self.metrics()
        for rank, number in ('member', 2), ('admin', 0):
            self.assertEqual(number, values['protected_stacks', (('rank',
                                                                  rank),)])

    def test_ending_and_overdue_locks_are_counted(self):
        now = timeutils.utcnow().replace(microsecond=0)
        for number, (minutes, tried, columns) in enumerate((
                (30, 0, {}), (59, 2, {}), (90, 0, {}), (-1, 0, {}),
                (-1, 1, {}), (-1, 1, {'lock_id': 'other'}),
                # No engine tries to unlock this stack.
                (-11, 0, {}), (30, 0, {'lock_level': None}))):
            self.database.add_locked_stack(str(number), {
                'unlock_attempts': tried, 'status': 'IN_PROGRESS',
                'expires_at': now + datetime.timedelta(minutes=minutes)},
                **columns)
        values = self.metrics()
        self.assertEqual((2, 2), (values['ending_locks', ()],
                                  values['overdue_locks', ()]))

    def test_granted_and_used_passes_are_counted(self):
        now = timeutils.utcnow().replace(microsecond=0)
        for number, (minutes, used, columns) in enumerate((
                (5, None, {}), (5, None, {}), (-5, None, {}),
                (-5, now, {'lock_level': None, 'lock_passing': 'stacks'}),
                (5, None, {'lock_id': 'other'}))):
            self.database.add_locked_stack(str(number), {
                'pass_granted_at': now, 'pass_used_at': used,
                'pass_expires_at': now + datetime.timedelta(minutes=minutes),
                }, **columns)
        values = self.metrics()
        self.assertEqual([2, 1], [values['passes', (('state', state),)]
                                  for state in ('granted', 'used')])

    def test_failed_protections_are_counted(self):
        self.database.add_locked_stack('1', {'status': 'FAILED'})
        self.database.add_locked_stack('2', {'status': 'IN_PROGRESS'})
        for number, (root, state) in enumerate((
                ('1', 'locking'), ('1', 'protected'), ('2', 'locking'))):
            self.database.insert('heat_extras_protection', {
                'resource_id': number, 'stack_id': root, 'root_id': root,
                'state': state})
        self.assertEqual(1, self.metrics()['failed_protections', ()])

    def test_locks_are_counted_by_level_state_and_rank(self):
        self.database.add_locked_stack('1')
        self.database.add_locked_stack('2', {'set_at': EARLY})
        self.database.add_locked_stack('nested', owner_id='2')
        self.database.add_locked_stack(
            '3', {'level': 'all', 'rank': 'admin', 'status': 'FAILED'},
            lock_level='all')
        values = self.metrics()
        self.assertEqual(2, values['locked_stacks', (
            ('level', 'stacks'), ('rank', 'member'),
            ('state', 'LOCK_COMPLETE'))])
        self.assertEqual(1, values['locked_stacks', (
            ('level', 'all'), ('rank', 'admin'), ('state', 'LOCK_FAILED'))])
        self.assertEqual(1, values['failed_locks', ()])
        self.assertEqual(1795168930,
                         values['oldest_lock_timestamp_seconds', ()])

    def test_refusals_and_ignored_signals_are_counted(self):
        self.database.add_stack('1')
        test_counters.add(self.database, '1', 3)
        test_counters.add(self.database, 'gone', 4)
        test_counters.add(self.database, '1', 5, 'ignored', 'signal')
        values = self.metrics()
        self.assertEqual(7, values['refused_operations_total', (('operation',
                                                                 'update'),)])
        self.assertEqual(5, values['ignored_signals_total', ()])

    def test_engines_without_stack_lock_are_counted(self):
        test_live_engines.add_engine(self.database, 'one', features=['all'])
        test_live_engines.add_engine(self.database, 'two', features=['health'])
        test_live_engines.add_engine(self.database, 'three')
        values = self.metrics()
        self.assertEqual(3, values['engines', ()])
        self.assertEqual(2, values['engines_without_lock', ()])

    def test_labels_are_escaped(self):
        self.assertEqual(r'{a="x\"\\\n"}',
                         metrics._format_labels({'a': 'x"\\\n'}))
