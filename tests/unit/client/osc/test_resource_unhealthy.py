# SPDX-License-Identifier: Apache-2.0

import json

import fixtures

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client.osc import resource_unhealthy
from tests.unit.client import answers
from tests.unit.client.osc import base


class UnhealthyResourcesTest(base.CommandTestCase):
    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web')
        self.inner = self.heat.add('web-group')
        self.add(self.web, 'text', 'id-text')
        # The server lists it in the stack tree and in the nested stack.
        self.add(self.inner, '0', 'id-0')
        self.web.resources.append(self.inner.resources[0])

    def add(self, stack, name, physical_id):
        stack.resources.append({
            'resource_name': name, 'physical_resource_id': physical_id,
            'resource_status': 'CREATE_COMPLETE',
            'links': [{'rel': 'stack', 'href':
                       f'http://heat/v1/p/stacks/{stack.name}/{stack.id}'}]})

    def unhealthy(self, *arguments):
        code, out, err = self.call(resource_unhealthy.UnhealthyResources,
                                   'web',
                                   *arguments, '-f', 'json')
        return code, [tuple(row.values()) for row in json.loads(out)], err

    def patches(self):
        return [(path.partition('/resources/')[2], body)
                for method, path, body, _ in self.heat.requests
                if method == 'PATCH']

    def test_interrupt_names_resources_not_requested(self):
        for name in 'disk', 'key':
            self.add(self.web, name, f'id-{name}')
        done = [managers.HealthManager.mark]

        def mark(manager, *arguments, **options):
            if not done:
                raise KeyboardInterrupt
            return done.pop()(manager, *arguments, **options)

        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.managers.HealthManager.mark', mark))
        code, rows, err = self.unhealthy('text', 'disk', 'key')
        self.assertEqual(
            (130, 'No request was sent for these resources: key\n'),
            (code, err))
        self.assertEqual(['marked', 'interrupted'],
                         [row[-1] for row in rows])

    def test_mark_is_sent_with_reason_and_shown(self):
        code, rows, err = self.unhealthy('text', '--reason', 'disk errors')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual([('web', 'text', 'CHECK_FAILED', 'marked')], rows)
        self.assertEqual(
            [('text', {'mark_unhealthy': True,
                       'resource_status_reason': 'disk errors'})],
            self.patches())

    def test_reset_and_force_are_sent(self):
        code, rows, err = self.unhealthy('text', '--reset', '--force')
        self.assertEqual([('web', 'text', 'CHECK_COMPLETE', 'reset')], rows)
        (path, body), = self.patches()
        self.assertEqual(('text?force=true', False),
                         (path, body['mark_unhealthy']))

    def test_default_reasons_of_mark_and_reset_differ(self):
        self.unhealthy('text')
        self.unhealthy('text', '--reset', '--reason', '')
        self.unhealthy('text', '--reset', '--reason', 'new disk')
        self.assertEqual(
            ['Marked as unhealthy', 'Reset to healthy', 'new disk'],
            [body['resource_status_reason']
             for path, body in self.patches()])

    def test_physical_id_of_nested_resource_is_marked(self):
        code, rows, err = self.unhealthy('id-0')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual([('web-group', '0', 'CHECK_FAILED', 'marked')],
                         rows)

    def test_error_does_not_prevent_other_marks(self):
        code, rows, err = self.unhealthy('nosuch', 'text')
        self.assertEqual((1, 'No resource nosuch.\n'),
                         (code, err))
        self.assertEqual(
            [('web', 'nosuch', None, 'failed'),
             ('web', 'text', 'CHECK_FAILED', 'marked')], rows)

    def test_warnings_are_shown(self):
        self.web.warnings = ['No update will replace it.']
        code, rows, err = self.unhealthy('text')
        self.assertEqual((0, 'marked. No update will replace it.'),
                         (code, rows[0][-1]))

    def test_missing_mark_unhealthy_feature_is_reported(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            self.web.refusal = answer
            code, rows, err = self.unhealthy('text')
            self.assertEqual((1, 'failed'), (code, rows[0][-1]), name)
            self.assertEqual(is_sure, error_message.MISSING_MARKS in err, name)

    def test_response_not_from_heat_is_a_failure(self):
        for name, answer in answers.STRANGE.items():
            self.web.refusal = answer
            code, rows, err = self.unhealthy('text')
            self.assertEqual((1, 'failed'), (code, rows[0][-1]), name)
            self.assertIn('not from the API of Heat', err)
