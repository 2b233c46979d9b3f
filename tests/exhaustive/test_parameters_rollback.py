# SPDX-License-Identifier: Apache-2.0

"""Immutable parameters of nested stacks in a rollback."""

import copy

from tests.functional import base
from tests.functional import test_parameters_nested as nested

_FREE = nested.LEAF.replace(', updatable: false', '')


def _failing(template, files=None):
    """Add to a template what fails once the nested stack is updated."""
    template = copy.deepcopy(template)
    template['resources']['broken'] = {
        'type': 'OS::Heat::TestResource', 'depends_on': 'leaf',
        'properties': {'fail': True}}
    return {'template': template, 'disable_rollback': False,
            'files': files or nested.FILES}


def _with_size(size):
    template = copy.deepcopy(nested.DERIVED)
    template['resources']['leaf']['properties']['size'] = size
    return template


class Base(nested.NestedBase):

    def refused_late(self):
        """Make a stack whose stored template was refused late."""
        self.create(nested.DERIVED, files=nested.FILES)
        reason = self.assert_fails(self.put(parameters={'text': '4'}))
        self.assertIn('resources.leaf', reason)

    # Heat's legacy engine stores a mixture of the templates when an update
    # fails: where a second rollback goes, only it knows.
    late = ('ROLLBACK_FAILED',)

    def assert_rollback_fails(self, answer, statuses=('ROLLBACK_FAILED',)):
        self.assertEqual(202, answer.status_code, answer.text)
        stack = self.client.wait_for_stack(
            self.path, ['ROLLBACK_FAILED', 'ROLLBACK_COMPLETE'],
            failed='UPDATE_FAILED', seconds=120)
        self.assertIn(stack['stack_status'], statuses)
        return stack['stack_status_reason']

    def wait_for_slow(self, status):
        self.client.wait_for_resource(self.path, 'slow', status)

    def size(self):
        leaf = self.client.show_stack(self.nested('leaf'))
        return leaf['parameters']['size']


class RollbackTest(Base):

    def test_rollback_does_not_apply_earlier_rejected_value(self):
        self.refused_late()
        text = {'text': '4'}
        failing = _failing(_with_size(3))
        reason = self.assert_rollback_fails(self.put(parameters=text,
                                                     **failing))
        self.assertIn('size', reason)
        self.assertIn('rollback', reason)
        self.assertEqual('3', self.size())
        self.assert_rollback_fails(self.put(parameters=text, **failing),
                                   self.late)
        self.assertEqual('3', self.size())
        self.assert_accepted(self.put(template=_with_size(3),
                                      parameters=text))
        self.assert_rolls_back(self.put(parameters=text, **failing))
        self.assertEqual('3', self.size())

    def test_rollback_reverts_parameter_made_updatable_by_update(self):
        self.create(_with_size(3), files=nested.FILES)
        self.assert_rolls_back(self.put(**_failing(
            _with_size(5), {'leaf.yaml': _FREE})))
        self.assertEqual('3', self.size())

    def test_rollback_keeps_parameter_not_reached_by_canceled_update(self):
        self.create(_with_size(3), files=nested.FILES)
        lifted = _with_size(4)
        lifted['resources']['slow'] = {
            'type': 'OS::Heat::TestResource',
            'properties': {'action_wait_secs': {'create': 6}}}
        lifted['resources']['leaf']['depends_on'] = 'slow'
        answer = self.put(template=lifted, files={'leaf.yaml': _FREE})
        self.assertEqual(202, answer.status_code, answer.text)
        self.wait_for_slow('CREATE_IN_PROGRESS')
        self.client.post(self.path + '/actions',
                         {'cancel_without_rollback': None})
        self.client.wait_for_stack(self.path, ['UPDATE_FAILED'])
        if len(self.late) == 1:
            # The convergence engine finishes started resources.
            self.wait_for_slow('CREATE_COMPLETE')
        reason = self.assert_rollback_fails(self.put(
            **_failing(_with_size(3))), self.late)
        if len(self.late) == 1:
            self.assertIn('size', reason)
        self.assertEqual('3', self.size())
        self.assert_accepted(self.put(template=_with_size(3),
                                      files=nested.FILES))

    def test_rollback_removes_updatable_false_added_by_failed_update(self):
        self.create(_with_size(3), files={'leaf.yaml': _FREE})
        self.assert_rolls_back(self.put(**_failing(_with_size(3))))
        self.assertEqual('3', self.size())
        self.assert_rolls_back(self.put(**_failing(
            _with_size(4), {'leaf.yaml': _FREE})))
        self.assertEqual('3', self.size())


class TwoStepRollbackTest(Base):

    settings = Base.settings + '[heat_extras]\nparameter_lift = two_step\n'

    def test_rollback_removes_parameter_added_by_failed_update(self):
        self.create(_with_size(3), files=nested.FILES)
        more = nested.LEAF.replace(
            'resources:', '  more: {type: string, default: x, '
            'updatable: false}\nresources:')
        self.assert_rolls_back(self.put(**_failing(
            _with_size(3), {'leaf.yaml': more})))
        self.assertEqual('3', self.size())


class RollbackOfLegacyTest(RollbackTest):

    settings = RollbackTest.settings + base.LEGACY
    late = ('ROLLBACK_FAILED', 'ROLLBACK_COMPLETE')
