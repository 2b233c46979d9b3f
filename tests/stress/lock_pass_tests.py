# SPDX-License-Identifier: Apache-2.0

"""Stress tests of lock passes, for all kinds of clouds."""

import time

from testtools import content

from tests.stress import base
from tests.stress import database_state
from tests.stress import operations
from tests.stress import passes
from tests.stress import templates


class LockPassStressTests:
    """``cloud_client`` is a client of alice, ``holder`` a client of bob."""

    def test_only_pass_user_can_update_locked_stack(self):
        database = database_state.Database(self.database_url)
        self.addCleanup(database.close)
        path = self.cloud_client.create_stack(
            f'passed-{time.monotonic_ns()}', passes.TREE,
            files=templates.FILES)
        answer = self.cloud_client.post(path + '/actions', {
            'lock': {'level': 'stacks', 'reason': 'stress'}})
        self.assertEqual(200, answer.status_code, answer.text)
        run = passes.LockPassRun(operations.Target(
            self.cloud_client, path, database, passes.TREE), self.holder)
        run.run(2 * base.SECONDS)
        figures = (f'{self.id()}: {dict(run.rounds)}, others were answered '
                   f'{dict(run.answers)}')
        self.addDetail('rounds', content.text_content(figures))
        if base.FIGURES:
            with open(base.FIGURES, 'a') as sink:
                sink.write(figures + '\n')
        self.assertEqual([], run.violations)
        self.assertGreater(run.rounds['UPDATE_COMPLETE'], 0, figures)
        self.assertGreater(run.answers[409], 0, figures)
