# SPDX-License-Identifier: Apache-2.0

"""The fixture; what it does to Heat is in test_heat_unchanged."""

import fixtures
from oslo_config import cfg
import testtools

from heat_extras import activation
from heat_extras import fixture


class HeatExtrasTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = cfg.ConfigOpts()
        self.calls = []
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.activation.activate', self._activate))
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.activation.deactivate',
            lambda: self.calls.append('deactivate')))

    def _activate(self, conf, process, check_database):
        self.calls.append(
            (process, conf.heat_extras.features, check_database))

    def test_all_features_are_activated_in_both_processes(self):
        with fixture.HeatExtras(conf=self.conf):
            self.assertEqual([(activation.ENGINE, ['all'], False),
                              (activation.API, ['all'], False)], self.calls)
        self.assertEqual('deactivate', self.calls[-1])
        self.assertEqual([], self.conf.heat_extras.features)

    def test_features_processes_and_check_can_be_given(self):
        with fixture.HeatExtras(['stack_lock'], [activation.API],
                                check_database=True, conf=self.conf):
            self.assertEqual([(activation.API, ['stack_lock'], True)],
                             self.calls)

    def test_failed_activation_is_undone(self):
        def fail(conf, process, check_database):
            self._activate(conf, process, check_database)
            if process == activation.API:
                raise ValueError(process)
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.activation.activate', fail))
        broken = fixture.HeatExtras(conf=self.conf)
        self.assertRaises(testtools.MultipleExceptions, broken.setUp)
        self.assertEqual('deactivate', self.calls[-1])
        self.assertEqual([], self.conf.heat_extras.features)
