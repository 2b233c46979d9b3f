# SPDX-License-Identifier: Apache-2.0

"""The file with recorded results; no consumer is run."""

import os

import fixtures
import testtools

from tests.consumers import results_file


def _act(heat, came):
    return {'heat': heat, 'consumer': 'aodh', 'release': 'aodh 1',
            'asked': 'scaling', 'came': came}


class ResultsFileTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(
            self.useFixture(fixtures.TempDir()).path, 'kept.json')

    def _kept(self):
        return [(act['heat'], act['came'])
                for act in results_file.read(self.path)[results_file.ACTS]]

    def _keep(self, *acts):
        results_file.keep(self.path, results_file.ACTS, acts)

    def test_later_result_replaces_result_of_same_heat_series(self):
        self._keep(_act('27.0.1', 'ignored'), _act('24.1.2', 'ignored'))
        self._keep(_act('27.0.2', 'done'))
        self.assertEqual([('24.1.2', 'ignored'), ('27.0.2', 'done')],
                         self._kept())

    def test_series_are_sorted_by_number(self):
        self._keep(_act('100.0.1', 'done'), _act('27.0.1', 'done'))
        self.assertEqual([('27.0.1', 'done'), ('100.0.1', 'done')],
                         self._kept())

    def test_result_with_real_keystone_does_not_replace_sandbox(self):
        case = {'heat': '27.0.1', 'consumer': 'sdk', 'overlay': 'off',
                'situation': 'none', 'operation': 'create'}
        real = {**case, 'keystone': '30.0.0'}
        for entry in (case, real, {**real, 'keystone': '30.0.1'}):
            results_file.keep(self.path, results_file.CASES, [entry])
        self.assertEqual([None, '30.0.1'], [
            each.get('keystone')
            for each in results_file.read(self.path)[results_file.CASES]])

    def test_results_are_recorded_only_if_file_is_set(self):
        self.useFixture(fixtures.EnvironmentVariable(results_file.VARIABLE))
        results_file.keep_act('aodh', 'aodh 1', 'scaling', came='ignored')
        self.assertEqual([], self._kept())
        self.useFixture(fixtures.EnvironmentVariable(
            results_file.VARIABLE, self.path))
        results_file.keep_act('aodh', 'aodh 1', 'scaling', came='ignored')
        self.assertEqual([(results_file.heat(), 'ignored')], self._kept())
