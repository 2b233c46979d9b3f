# SPDX-License-Identifier: Apache-2.0

"""Counters of rejected requests on each database, also concurrently."""

import concurrent.futures
import contextlib
import io

from oslo_config import cfg

from heat_extras.cmd import metrics
from heat_extras.db import counters as totals
from heat_extras.stack_lock import check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import ignored_signals
from tests.database import base

THREADS = 8


class CountersTest(base.DatabaseTest):

    def refuse(self, stack_id, operation='update'):
        # A thread finds its context where RequestContext puts it.
        self.new_context(overwrite=True)
        check.count_refusal(
            errors.StackLocked(stack_id=stack_id, message='x'), operation)

    def counted(self):
        return {(row.event, row.operation): int(row.total)
                for row in totals.read_totals(self.engine)}

    def test_concurrent_rejections_are_all_counted(self):
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for done in [pool.submit(self.refuse, 'some-stack')
                         for _ in range(3 * THREADS)]:
                done.result()
        self.assertEqual({('refused', 'update'): 3 * THREADS},
                         self.counted())

    def test_ignored_signals_are_counted_with_their_resource(self):
        self.assertTrue(
            ignored_signals.count_ignored(self.context, 'some-stack', 7,
                                          'policy'))
        self.assertFalse(
            ignored_signals.count_ignored(self.context, 'some-stack', 7,
                                          'policy'))
        self.assertEqual({('ignored', 'signal'): 2}, self.counted())

    def test_metrics_keep_counts_of_deleted_stacks(self):
        for _ in range(2):
            self.refuse('gone')
        self.refuse('gone', 'delete')
        self.assertEqual(2, totals.move_deleted(self.engine))
        self.assertEqual(0, totals.move_deleted(self.engine))
        stream = io.StringIO()
        with contextlib.redirect_stdout(stream):
            metrics.metrics(cfg.CONF, self.engine)
        self.assertIn('refused_operations_total{operation="update"} 2\n',
                      stream.getvalue())
        self.assertIn('refused_operations_total{operation="delete"} 1\n',
                      stream.getvalue())
