# SPDX-License-Identifier: Apache-2.0

"""Tests of metrics, alert rules and the dashboard."""

import json
import pathlib
import re
import shutil

from prometheus_client import parser
import yaml

from tests.functional import base
from tests.harness import command

ETC = pathlib.Path(__file__).parents[2] / 'etc'
RULES = ETC / 'prometheus' / 'heat-extras.rules.yaml'
DASHBOARD = ETC / 'grafana' / 'heat-extras.json'
# Metrics of the node exporter.
OTHERS = {'node_textfile_mtime_seconds'}

TEXT = {'type': 'OS::Heat::RandomString', 'properties': {'length': 8},
        'update_policy': {'allow': {'replace': False}}}
TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'key': {'type': 'string', 'default': 'one',
                           'updatable': False}},
    'resources': {'kept': TEXT, 'text': {'type': 'OS::Heat::RandomString'}}}


class MonitoringTest(base.TestCase):
    # Metrics are counted for a whole Heat.
    is_shared = False

    def metrics(self):
        done = self.sandbox.run('heat-extras-manage', 'metrics')
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def samples(self):
        return {(sample.name.removeprefix('heat_extras_'),
                 *sample.labels.values()): sample.value
                for family in parser.text_string_to_metric_families(
                    self.metrics()) for sample in family.samples}

    def exported(self):
        return set(re.findall(r'^# TYPE (\S+) ', self.metrics(), re.M))

    def test_rejections_and_marks_are_counted(self):
        before = self.samples()
        self.assertEqual(0, before['parameter_refusals_total', 'update'])
        path = self.client.create_stack('watched', TEMPLATE)
        answer = self.client.patch(path, {'parameters': {'key': 'two'}})
        self.assertEqual(400, answer.status_code, answer.text)
        # A rejected preview is not counted.
        answer = self.client.put(path + '/preview', {
            'template': TEMPLATE, 'parameters': {'key': 'two'}})
        self.assertEqual(400, answer.status_code, answer.text)
        larger = json.loads(json.dumps(TEMPLATE))
        larger['resources']['kept']['properties']['length'] = 9
        self.client.put(path, {'template': larger})
        self.client.wait_for_status(path, 'UPDATE_FAILED')
        for is_mark in True, False:
            answer = self.client.patch(path + '/resources/text', {
                'mark_unhealthy': is_mark,
                'resource_status_reason': 'disk'})
            self.assertEqual(200, answer.status_code, answer.text)
        after = self.samples()
        self.assertEqual(
            {('parameter_refusals_total', 'update'): 1,
             ('policy_refusals_total', 'update'): 1,
             ('health_changes_total', 'mark'): 1,
             ('health_changes_total', 'reset'): 1},
            {name: value - before[name] for name, value in after.items()
             if name in before and value != before[name]
             and name[0].endswith('_total')})

    def test_rules_and_dashboard_use_exported_metrics(self):
        exported = self.exported()
        rules = [rule['expr'] for group in yaml.safe_load(
            RULES.read_text())['groups'] for rule in group['rules']]
        panels = [target['expr'] for panel in json.loads(
            DASHBOARD.read_text())['panels'] for target in panel['targets']]
        for expressions in rules, panels:
            named = set(re.findall(r'\b(?:heat_extras|node)_\w+',
                                   ' '.join(expressions)))
            self.assertEqual(set(), named - exported - OTHERS)
        # Each metric has a panel.
        self.assertEqual(set(), exported - named)

    def promtool(self, *words):
        if shutil.which('promtool') is None:
            self.skipTest('promtool is not installed: it comes with '
                          'Prometheus')
        done = command.run(['promtool', *words], directory=RULES.parent)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_alert_rules_are_valid(self):
        self.promtool('check', 'rules', RULES.name)

    def test_alert_rules_fire(self):
        self.promtool('test', 'rules', 'heat-extras.test.yaml')
