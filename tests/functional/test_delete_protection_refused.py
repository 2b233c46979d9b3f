# SPDX-License-Identifier: Apache-2.0

"""Tests of the protection tag of updates that a policy or plugin rejects."""

from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import test_stack_lock_states

_TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'}},
        'update_policy': {'allow': {'update': False}}}},
}
_ON = test_stack_lock_states.StateTestCase.settings
_OPTIONS = '[heat_extras]\ndelete_protection_tag = keep\nfeatures = stack_lock'
_LEGACY = base.LEGACY.replace('[DEFAULT]\n', '')


class PolicyTest(test_stack_lock_states.StateTestCase):
    name = 'kept'
    template = _TEMPLATE
    settings = _ON + _OPTIONS + ', update_policy\n'

    def put(self, status, **body):
        self.assert_status(202, self.client.put(self.path, {
            'template': self.template, **body}))
        self.client.wait_for_stack(self.path, [status])

    def refused(self, **body):
        self.put('UPDATE_FAILED', parameters={'value': 'two'}, **body)

    def _delete(self):
        self.put('UPDATE_COMPLETE', tags='')
        super()._delete()

    def test_tag_of_rejected_update_protects(self):
        # The second update is of a failed stack.
        for _ in range(2):
            self.refused(tags='other')
            self.refused(tags='keep,other')
            answer = self.assert_status(409, self.client.delete(self.path))
            self.assertIn("by the tag 'keep'", answer.text)
            self.put('UPDATE_COMPLETE', tags='')
            self.assertFalse(
                self.client.show_stack(self.path)['delete_protected'])

    def test_rejected_update_does_not_remove_tag(self):
        self.put('UPDATE_COMPLETE', tags='keep')
        self.refused(tags='other')
        self.assertEqual(409, self.client.delete(self.path).status_code)


class LegacyPolicyTest(PolicyTest):
    settings = _ON + _LEGACY + _OPTIONS + ', update_policy\n'


class PluginTest(lifecycle_base.TestCase, PolicyTest):
    settings = _ON + _OPTIONS + ', lifecycle\n'

    def refused(self, **body):
        order = self.plugins.order('deny', 'test_b', 'UPDATE', 'no')
        super().refused(**body)
        order.unlink()


class LegacyPluginTest(PluginTest):
    settings = _ON + _LEGACY + _OPTIONS + ', lifecycle\n'
