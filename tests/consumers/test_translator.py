# SPDX-License-Identifier: Apache-2.0

"""heat-translator --deploy creates a stack without waiting for it."""

from tests.consumers import base
from tests.consumers import cases
from tests.consumers import results_file
from tests.consumers import translator

_NAME = 'store'


class TranslatorTest(base.ConsumerTestCase):
    @classmethod
    def make_environment(cls):
        return translator.Environment(cls.overlay)

    def setUp(self):
        super().setUp()
        self.case = self.project()
        self.heat = self.environment.client(self.case)

    def deploy(self, name=_NAME):
        done = translator.deploy(self.environment, self.case, name)
        return done.returncode, done.stderr

    def keep(self, asked, came, read=''):
        """Record the result of a template for the documentation."""
        results_file.keep_act('heat-translator', translator.release(), asked,
                              came=came, read=cases.shortened(read))

    def names(self):
        return {each['stack_name']
                for each in self.heat.get('/stacks').json()['stacks']}

    def lock(self, path):
        answer = self.heat.post(path + '/actions', {'lock': {
            'level': 'stacks', 'reason': 'db move'}})
        self.assertEqual(200, answer.status_code, answer.text)

    def test_stack_is_created(self):
        status, output = self.deploy()
        self.assertEqual(0, status, output)
        self.heat.wait_for_stack(_NAME, ['CREATE_COMPLETE'])
        resources = self.heat.get(
            f'/stacks/{_NAME}/resources').json()['resources']
        self.assertEqual(['store'], [
            each['resource_name'] for each in resources])
        self.keep('deployment; no lock', 'done, and not waited for')

    def test_create_is_rejected_during_freeze_with_reason(self):
        self.environment.freeze(self.case)
        status, output = self.deploy()
        self.assertEqual(1, status, output)
        self.assertIn('is frozen until', output)
        self.assertIn('no changes over the holidays', output)
        self.assertEqual(set(), self.names())
        self.keep('deployment while the project is frozen', 'refused', output)

    def test_lock_of_other_stack_does_not_affect_create(self):
        status, output = self.deploy()
        self.assertEqual(0, status, output)
        stack = self.heat.wait_for_stack(_NAME, ['CREATE_COMPLETE'])
        self.lock(f'/stacks/{_NAME}/{stack["id"]}')
        status, output = self.deploy(_NAME + '-2')
        self.assertEqual(0, status, output)
        self.heat.wait_for_stack(_NAME + '-2', ['CREATE_COMPLETE'])
        # The name of the locked stack is in use, like any other name.
        status, output = self.deploy()
        self.assertEqual(1, status, output)
        self.assertIn('already exists', output)
        self.assertEqual({_NAME, _NAME + '-2'}, self.names())
        self.keep('deployment beside a locked stack',
                  'done, and not waited for')
        self.keep('deployment in the name of a locked stack',
                  'refused, as without a lock', output)
