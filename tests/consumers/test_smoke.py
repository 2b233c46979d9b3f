# SPDX-License-Identifier: Apache-2.0

"""Consumers report the actual result of operations on guarded stacks."""

import testscenarios

from tests.consumers import base
from tests.consumers import cases
from tests.consumers import consumers
from tests.consumers import guard_situations


class SmokeTests(testscenarios.WithScenarios):
    scenarios = [(f'{situation.name}, {operation}',
                  {'situation': situation, 'operation': operation})
                 for situation in guard_situations.ALL
                 for operation in situation.operations]

    def test_consumer_reports_actual_result(self):
        result = cases.run(self.environment, self.consumer, self.situation,
                           self.operation, self.project())
        self.assertIn(result.verdict, (
            cases.RIGHT, self.consumer.bugs.get(self.operation)), result)


class CloudLayerTest(SmokeTests, base.ConsumerTestCase):
    consumer = consumers.CloudLayer()


class ProxyTest(SmokeTests, base.ConsumerTestCase):
    consumer = consumers.Proxy()


class AnsibleTest(SmokeTests, base.ConsumerTestCase):
    consumer = consumers.Ansible()


class GophercloudTest(SmokeTests, base.ConsumerTestCase):
    consumer = consumers.Gophercloud()


class MagnumTest(SmokeTests, base.ConsumerTestCase):
    consumer = consumers.Magnum()
