# SPDX-License-Identifier: Apache-2.0

"""Updates after an update that failed or was canceled."""

import copy
import json

from tests.exhaustive import test_update_policy_rollback as rollback
from tests.functional import update_policy_base

_STAY = {'update': False, 'replace': False}
_KEEP = {'replace': False}


class Base(rollback.Base):

    def stop_before(self, path, name, template, **body):
        """Cancel an update, without rollback, before it reaches a resource."""
        slow = copy.deepcopy(template)
        slow['resources']['slow'] = rollback._test(
            action_wait_secs={'create': 6})
        slow['resources'][name]['depends_on'] = ['slow']
        answer = self.client.put(path, dict(body, template=slow))
        self.assertEqual(202, answer.status_code, answer.text)
        self.wait_for_resource(path, 'slow', 'CREATE_IN_PROGRESS')
        answer = self.client.post(path + '/actions',
                                  {'cancel_without_rollback': None})
        self.assertIn(answer.status_code, (200, 202), answer.text)
        self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        if len(self.late) == 1:
            # The convergence engine finishes started resources.
            self.wait_for_resource(path, 'slow', 'CREATE_COMPLETE')

    def assert_goes_no_further(self, path, template, value, *names, **body):
        reason = self.roll_back(path, self.failing(template, names[0]),
                                *self.late, **body)
        if len(self.late) == 1:
            self.assertIn('can only restore the resources from before', reason)
        *around, last = names
        self.assertEqual(value, self.output(
            self.child(path, *around), last))

    def mark(self, path, name):
        answer = self.client.patch(f'{path}/resources/{name}',
                                   {'mark_unhealthy': True})
        self.assertEqual(200, answer.status_code, answer.text)

    def is_set(self, physical_id):
        """Return whether a resource is, under whichever name or none."""
        (count,), = self.sandbox.sql(
            'SELECT count(*) FROM resource WHERE nova_instance = '
            "? AND action != 'DELETE'", physical_id)
        return count == 1


class UpdateAfterFailureTest(Base):

    def test_rollback_keeps_resource_not_reached_by_policy_removal(self):
        guarded = rollback._template(a=rollback._test('X', _STAY))
        path = self.create('never', guarded)
        self.stop_before(path, 'a', rollback._template(
            a=rollback._test('Y')))
        self.assert_goes_no_further(path, guarded, 'X', 'a')
        self.update(path, guarded)

    def test_rollback_keeps_nested_stack_without_policy_removal(self):
        guarded = rollback._template(n=rollback._nested(allow=_STAY))
        files = rollback._files(a=rollback._test('X'))
        path = self.create('nested', guarded, files=files)
        self.stop_before(path, 'n', rollback._template(n=rollback._nested()),
                         files=rollback._files(a=rollback._test('Y')))
        reason = self.roll_back(path, self.failing(guarded, 'n'),
                                *self.late, files=files)
        if len(self.late) == 1:
            self.assertIn('resource n', reason)
        self.assertEqual('X', self.output(self.child(path, 'n')))
        self.update(path, guarded, files=files)

    def test_failed_replacement_keeps_old_protected_resource(self):
        guarded = rollback._template(a=rollback._test('X', _KEEP))
        path = self.create('replaced', guarded)
        before = self.resource(path, 'a')['physical_resource_id']
        lifted = rollback._template(a=rollback._test(
            'Z', update_replace=True))
        self.update(path, rollback._template(a=rollback._test(
            'Z', update_replace=True, fail=True)), 'UPDATE_FAILED')
        self.assert_kept(path, guarded, before)
        self.update(path, lifted)

    def assert_kept(self, path, guarded, before):
        self.update(path, guarded)
        self.assertEqual(before,
                         self.resource(path, 'a')['physical_resource_id'])

    def test_failed_replacement_keeps_unhealthy_protected_resource(self):
        guarded = rollback._template(a=rollback._test('X', _KEEP))
        path = self.create('marked', guarded)
        before = self.resource(path, 'a')['physical_resource_id']
        self.mark(path, 'a')
        self.update(path, rollback._template(a=rollback._test(
            'X', fail=True)), 'UPDATE_FAILED')
        for _ in range(2):
            self.assert_refused(path, guarded, 'resource a',
                                'an earlier replacement failed, and the old '
                                'resource still exists')
        self.assertIn('resource a', self.restricted(path, guarded)[0])
        self.assertTrue(self.is_set(before))
        self.update(path, rollback._template(a=rollback._test('X')))
        self.assertFalse(self.is_set(before))

    def test_rollback_keeps_unhealthy_protected_resource(self):
        template = rollback._template(n=rollback._nested())
        files = rollback._files(a=rollback._test('X', _KEEP))
        path = self.create('tree-marked', template, files=files)
        child = self.child(path, 'n')
        before = self.resource(child, 'a')['physical_resource_id']
        self.mark(child, 'a')
        reason = self.roll_back(
            path, template, 'ROLLBACK_FAILED',
            files=rollback._files(a=rollback._test('X', fail=True)))
        self.assertIn('an earlier replacement failed, and the old resource '
                      'still exists', reason)
        self.assertTrue(self.is_set(before))
        self.update(path, template, files=rollback._files(
            a=rollback._test('X')))

    def test_rollback_to_partial_update_keeps_unhealthy_resource(self):
        guarded = rollback._template(a=rollback._test('X', _KEEP))
        path = self.create('late-marked', guarded)
        before = self.resource(path, 'a')['physical_resource_id']
        self.update(path, rollback._template(
            q=rollback._test(fail=True),
            a=rollback._test('X', _KEEP, ['q'])), 'UPDATE_FAILED')
        self.mark(path, 'a')
        self.roll_back(path, rollback._template(a=rollback._test(
            'X', fail=True)), 'ROLLBACK_FAILED')
        self.assertTrue(self.is_set(before))

    def test_resource_never_created_can_be_removed(self):
        self.assert_may_go('never-was', rollback._test(
            'X', _STAY, fail=True))

    def test_nested_resource_never_created_can_be_removed(self):
        self.assert_may_go('never-nested', rollback._nested(allow=_STAY))

    def assert_may_go(self, name, resource):
        answer = self.client.post('/stacks', {
            'stack_name': name, 'disable_rollback': True,
            'template': rollback._template(a=resource),
            'files': rollback._files(a=rollback._test('X', _STAY,
                                                      fail=True))})
        self.assertEqual(201, answer.status_code, answer.text)
        path = f'/stacks/{name}/' + answer.json()['stack']['id']
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        after = rollback._template(c=rollback._test())
        self.assertEqual([], self.restricted(path, after))
        self.update(path, after)

    def test_resource_not_adopted_is_created(self):
        template = rollback._template(a=rollback._test('X', _KEEP),
                                      b=rollback._test('Y', _KEEP, ['a']))
        path = self.client.create_stack('abandoned', template)
        before = self.resource(path, 'a')['physical_resource_id']
        data = self.client.delete(path + '/abandon').json()
        del data['resources']['b']
        answer = self.client.post('/stacks', {
            'stack_name': 'adopted', 'disable_rollback': True,
            'template': template, 'adopt_stack_data': json.dumps(data)})
        self.assertEqual(201, answer.status_code, answer.text)
        path = '/stacks/adopted/' + answer.json()['stack']['id']
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['ADOPT_FAILED'])
        self.wait_for_resource(path, 'a', 'ADOPT_COMPLETE')
        self.update(path, template)
        self.assertEqual(before,
                         self.resource(path, 'a')['physical_resource_id'])
        self.assert_refused(path, rollback._template(
            a=rollback._test('X', _KEEP)), 'resource b')

    def test_nested_stack_stays_protected_after_failed_removal(self):
        guarded = rollback._template(
            n=rollback._nested(allow={'update': False}),
            x=rollback._test(depends_on=['n']))
        files = rollback._files(a=rollback._test('X'))
        path = self.create('dropped', guarded, files=files)
        child = self.child(path, 'n')
        self.update(path, rollback._template(
            x=rollback._test(fail=True)), 'UPDATE_FAILED', files=files)
        changed = json.loads(rollback._files(
            a=rollback._test('Y'))['member.yaml'])
        self.assert_refused(child, changed, 'resource n')
        self.update(path, guarded, files=files)


class UpdateAfterFailureLegacyTest(UpdateAfterFailureTest):

    settings = update_policy_base.LEGACY
    late = rollback.RollbackOfLegacyTest.late

    def assert_kept(self, path, guarded, before):
        """The legacy engine would remove the resource first."""
        self.assert_refused(path, guarded, 'resource a',
                            'an earlier replacement failed, and the old '
                            'resource still exists')
        self.assertIn('resource a', self.restricted(path, guarded)[0])

    def test_rollback_of_stack_tree_keeps_protected_resource(self):
        template = rollback._template(n=rollback._nested())
        files = rollback._files(a=rollback._test('X', _KEEP))
        path = self.create('tree', template, files=files)
        reason = self.roll_back(
            path, template, 'ROLLBACK_FAILED', files=rollback._files(
                a=rollback._test('Z', update_replace=True, fail=True)))
        self.assertIn('an earlier replacement failed, and the old resource '
                      'still exists', reason)
        self.update(path, template, files=rollback._files(
            a=rollback._test('Z', update_replace=True)))
