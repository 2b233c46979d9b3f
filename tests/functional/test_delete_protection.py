# SPDX-License-Identifier: Apache-2.0

"""Tests of delete protection on both engines of a running Heat."""

import json

from tests.functional import base
from tests.functional import test_stack_lock_states

_VERSION = {'heat_template_version': '2018-08-31'}
_VALUES = {'value': {'type': 'string', 'default': 'one'},
           'wait': {'type': 'number', 'default': 0}}
_TEST = {'type': 'OS::Heat::TestResource', 'properties': {
    'value': {'get_param': 'value'},
    'action_wait_secs': {'update': {'get_param': 'wait'}}}}
_NESTED = {'type': 'member.yaml', 'properties': {
    name: {'get_param': name} for name in _VALUES}}
_TEMPLATE = {**_VERSION, 'parameters': _VALUES, 'resources': {
    'in': _NESTED, 'extra': {'type': 'OS::Heat::RandomString'}}}
_SMALLER = {**_VERSION, 'parameters': _VALUES, 'resources': {
    'extra': {'type': 'OS::Heat::RandomString'}}}
_FILES = {'member.yaml': json.dumps({
    **_VERSION, 'parameters': _VALUES, 'resources': {'test': _TEST}})}

FIELDS = ('delete_protected', 'delete_protection_reason',
          'delete_protected_by')


class DeleteProtectionTestCase(test_stack_lock_states.StateTestCase):
    name = 'kept'
    template = _TEMPLATE
    files = _FILES

    def _delete(self):
        self.unprotect(self.admin)
        self.client.wait_for_end(self.path)
        super()._delete()

    def protect(self, client=None, **fields):
        return (client or self.client).post(
            self.path + '/actions', {'protect': fields or None})

    def unprotect(self, client=None):
        return (client or self.client).post(
            self.path + '/actions', {'unprotect': None})

    def nested(self):
        body = self.client.get(self.path + '/resources/in').json()
        stack = self.client.get('/stacks/' + body['resource'][
            'physical_resource_id']).json()['stack']
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def assert_kept(self, *paths):
        """Assert that delete and abandon are rejected without a trace."""
        before = self.trace()
        for path in paths or (self.path, self.nested()):
            for client in self.client, self.admin:
                for how in '', '/abandon':
                    answer = client.delete(path + how)
                    self.assert_status(409, answer)
                    error = answer.json()['error']
                    self.assertEqual('StackProtected', error['type'])
                    self.assertIn('openstack stack unprotect ' + self.name,
                                  error['message'])
        self.assertEqual(before, self.trace())

    def trace(self):
        stack = self.client.show_stack(self.path)
        return (stack['stack_status'], stack['stack_status_reason'],
                stack['updated_time'], self.events(),
                self.client.get(self.path + '/resources').json(),
                self.sandbox.sql('SELECT current_traversal, user_creds_id, '
                                 'status FROM stack WHERE name LIKE ? '
                                 'ORDER BY id', self.name + '%'),
                self.sandbox.sql('SELECT * FROM stack_lock'))

    def fields(self):
        stack = self.client.show_stack(self.path)
        return tuple(stack[name] for name in FIELDS)


class DeleteProtectionTest(DeleteProtectionTestCase):

    def test_only_delete_of_protected_stack_is_rejected(self):
        self.assertEqual((False, None, None), self.fields())
        self.assert_status(200, self.protect(reason='the only copy'))
        self.assertEqual((True, 'the only copy', 'alice'), self.fields())
        self.assert_kept()
        for action in 'check', 'suspend', 'resume':
            self.assert_status(200, self.action(action))
            self.client.wait_for_stack(self.path,
                                       [f'{action.upper()}_COMPLETE'])
        self.assert_status(202, self.client.put(self.path, {
            'template': _SMALLER}))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_kept(self.path)
        self.assert_status(200, self.unprotect())
        self.assertEqual((False, None, None), self.fields())
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_rejected_delete_does_not_stop_update(self):
        self.assert_status(200, self.protect())
        nested = self.nested()
        self.assert_status(202, self.client.put(self.path, {
            'template': _TEMPLATE, 'files': _FILES,
            'parameters': {'value': 'two', 'wait': 15}}))
        self.client.wait_for_status(nested, 'UPDATE_IN_PROGRESS')
        self.client.wait_for_resource(nested, 'test', 'UPDATE_IN_PROGRESS')
        self.assert_kept(self.path, nested)
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_protect_during_update(self):
        self.assert_status(202, self.client.put(self.path, {
            'template': _TEMPLATE, 'files': _FILES,
            'parameters': {'value': 'two', 'wait': 3}}))
        self.client.wait_for_status(self.path, 'UPDATE_IN_PROGRESS')
        self.assert_status(200, self.protect())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_kept()

    def test_unprotected_stack_is_deleted_during_update(self):
        self.assert_status(202, self.client.put(self.path, {
            'template': _TEMPLATE, 'files': _FILES,
            'parameters': {'value': 'two', 'wait': 3}}))
        self.client.wait_for_status(self.path, 'UPDATE_IN_PROGRESS')
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'],
                                   failed='UPDATE_FAILED')
        self.assertEqual([(None,)], self.sandbox.sql(
            'SELECT delete_intents FROM stack WHERE id = ?',
            self.path.rpartition('/')[2]))

    def test_unprotected_nested_stack_is_deleted_by_id(self):
        nested = self.nested()
        self.assert_status(204, self.client.delete(nested))
        self.client.wait_for_stack(nested, ['DELETE_COMPLETE'])
        self.assertEqual([(None,)], self.sandbox.sql(
            'SELECT delete_intents FROM stack WHERE id = ?',
            self.path.rpartition('/')[2]))
        self.assert_status(200, self.protect())

    def test_lock_and_unlock_do_not_remove_protection(self):
        self.assert_status(200, self.protect())
        self.assert_status(200, self.lock(level='stacks'))
        self.write_lock(status='FAILED')
        answer = self.assert_status(409, self.client.delete(self.path))
        self.assertEqual('StackProtected', answer.json()['error']['type'])
        self.assertEqual('LOCK_FAILED', self.lock_status())
        self.assert_status(200, self.unlock())
        self.assert_kept()

    def test_member_cannot_change_administrator_protection(self):
        self.assert_status(200, self.protect(self.admin, reason='audit'))
        self.assert_status(403, self.unprotect())
        self.assert_status(403, self.protect(reason='mine'))
        self.assert_status(403, self.protect(self.reader))
        self.assertEqual((True, 'audit', 'ops'), self.fields())
        self.assert_status(200, self.unprotect(self.admin))

    def test_protection_of_another_user_is_kept(self):
        bob = self.sandbox.client('bob', 'member')
        self.assert_status(200, self.protect(reason='audit'))
        for fields in {}, {'reason': 'mine'}, {'replace': False}:
            answer = self.assert_status(409, self.protect(bob, **fields))
            self.assertIn(' is protected from deletion by alice since ',
                          answer.text)
            self.assertIn(': audit. The protection was not changed. To '
                          'replace this protection: openstack stack protect '
                          '--replace kept', answer.text)
        self.assertEqual((True, 'audit', 'alice'), self.fields())
        # A request without a reason keeps the reason of the own protection.
        self.assert_status(200, self.protect())
        self.assertEqual((True, 'audit', 'alice'), self.fields())
        self.assert_status(200, self.protect(reason='the only copy'))
        self.assertEqual((True, 'the only copy', 'alice'), self.fields())
        self.assert_status(200, self.protect(bob, replace=True))
        self.assertEqual((True, None, 'bob'), self.fields())
        self.assert_status(409, self.protect(reason='again'))
        self.assert_status(200, self.protect(bob, reason='mine'))
        self.assert_status(200, self.protect(bob, reason=None))
        self.assertEqual((True, None, 'bob'), self.fields())
        done = self.client.openstack('stack', 'protect', self.name)
        self.assertEqual(1, done.returncode)
        self.assertIn('is protected from deletion by bob', done.stderr)
        done = self.client.openstack(
            'stack', 'protect', '--replace', '--reason', 'ours', self.name)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual((True, 'ours', 'alice'), self.fields())
        self.assert_kept()

    def test_blank_reason_is_ignored(self):
        self.assert_status(200, self.protect(reason=' '))
        self.assertEqual((True, None, 'alice'), self.fields())

    def test_invalid_requests_are_rejected(self):
        self.assert_status(409, self.unprotect())
        answer = self.assert_status(400, self.protect(reason=5))
        self.assertIn('Invalid protection reason', answer.text)
        self.assert_status(400, self.protect(level='all'))
        self.assert_status(400, self.protect(replace='yes'))
        self.assert_status(400, self.client.post(
            self.path + '/actions', {'unprotect': 'yes'}))
        answer = self.assert_status(400, self.client.post(
            self.nested() + '/actions', {'protect': None}))
        self.assertIn(self.name, answer.text)
        self.assertEqual((False, None, None), self.fields())

    def test_protection_is_shown_in_lists_and_guards(self):
        self.assert_status(200, self.protect(reason='the only copy'))
        listed, = [stack for stack in self.client.get(
            '/stacks').json()['stacks'] if stack['stack_name'] == self.name]
        self.assertTrue(listed['delete_protected'])
        for path in self.path, self.nested():
            guards = self.client.get(
                path + '/guards?blocking=delete').json()['guards']
            guard, = [each for each in guards
                      if each['kind'] == 'delete_protection']
            self.assertEqual(['delete', 'abandon'], guard['stops'])
            self.assertEqual('the only copy', guard['reason'])


class LegacyDeleteProtectionTest(DeleteProtectionTest):
    settings = DeleteProtectionTest.settings + base.LEGACY.replace(
        '[DEFAULT]\n', '')


class TagTestCase(DeleteProtectionTestCase):
    """Test case with the tag that protects stacks."""

    settings = (DeleteProtectionTestCase.settings
                + '[heat_extras]\ndelete_protection_tag = keep\n')

    def create(self):
        return self.client.create_stack(
            self.name, self.template, files=self.files)

    def put(self, wait=True, **body):
        self.assert_status(202, self.client.put(self.path, {
            'template': _TEMPLATE, 'files': _FILES, **body}))
        if wait:
            self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def _delete(self):
        if 'keep' in (self.client.show_stack(self.path)['tags'] or ()):
            self.client.wait_for_end(self.path)
            self.put(tags='other')
        super()._delete()

    def assert_tagged(self, *paths):
        for path in paths or (self.path, self.nested()):
            for how in '', '/abandon':
                answer = self.admin.delete(path + how)
                self.assert_status(409, answer)
                self.assertIn("by the tag 'keep'", answer.text)


class TagTest(TagTestCase):

    def test_tag_protects_until_request_sets_other_tags(self):
        self.put(tags='keep,other')
        self.assert_tagged()
        self.assertTrue(self.client.show_stack(self.path)[
            'delete_protected'])
        answer = self.assert_status(409, self.unprotect())
        self.assertIn("by the tag 'keep'", answer.text)
        self.put(parameters={'value': 'three'})
        self.assertEqual(['keep'], self.client.show_stack(self.path)['tags'])
        self.assert_tagged()
        self.put(tags='other')
        self.assertEqual(['other'],
                         self.client.show_stack(self.path)['tags'])
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_remedy_for_tag_of_suspended_stack_is_to_resume_first(self):
        self.put(tags='keep')
        for action in 'suspend', 'resume':
            self.client.post(self.path + '/actions', {action: None})
            self.client.wait_for_stack(self.path,
                                       [f'{action.upper()}_COMPLETE'])
            remedy = 'openstack stack resume --wait'
            check = (self.assertIn if action == 'suspend'
                     else self.assertNotIn)
            check(remedy, self.client.delete(self.path).text)
            guards = self.client.get(self.path + '/guards').text
            self.assertIn('--tags TAGS', guards)
            check(remedy, guards)
        self.put(tags='other')
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def tags(self):
        return self.client.show_stack(self.path)['tags']

    def update(self, method, **body):
        self.assert_status(202, method(self.path, body))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_only_request_with_tags_removes_tag(self):
        whole = {'template': _TEMPLATE, 'files': _FILES}
        self.update(self.client.put, tags='keep', **whole)
        for method, body in ((self.client.put, {'tags': None, **whole}),
                             (self.client.patch, {'tags': None}),
                             (self.client.patch, {})):
            self.update(method, **body)
            self.assertEqual(['keep'], self.tags())
            self.assert_tagged(self.path)
        self.update(self.client.patch, tags='')
        self.assertNotIn('keep', self.tags() or ())
        self.update(self.client.patch, tags='other,keep')
        self.assert_tagged(self.path)
        self.update(self.client.put, tags='', **whole)
        self.assertNotIn('keep', self.tags() or ())

    def test_tag_protects_once_update_is_accepted(self):
        self.put(wait=False, tags='keep',
                 parameters={'value': 'two', 'wait': 3})
        self.assert_status(409, self.client.delete(self.path))
        self.assertEqual('UPDATE_IN_PROGRESS', self.status())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_tagged(self.path)

    def test_tag_remains_after_rollback_of_update(self):
        # After the nested stack: Heat can cancel a nested update so late that
        # it cancels the rollback of the nested stack.
        failing = {**_TEMPLATE, 'resources': {
            **_TEMPLATE['resources'], 'bad': {
                'type': 'OS::Heat::TestResource', 'depends_on': 'in',
                'properties': {'fail': True}}}}
        self.assert_status(202, self.client.put(self.path, {
            'template': failing, 'files': _FILES, 'tags': 'keep',
            'disable_rollback': False}))
        self.client.wait_for_stack(self.path, ['ROLLBACK_COMPLETE'],
                                   failed='UPDATE_FAILED')
        self.assert_tagged(self.path)

    def test_tag_remains_after_restore(self):
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        snapshot = self.assert_status(200, answer).json()['id']
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        self.put(tags='keep')
        self.assert_status(202, self.client.post(
            f'{self.path}/snapshots/{snapshot}/restore'))
        self.client.wait_for_stack(self.path, ['RESTORE_COMPLETE'])
        self.assert_tagged()

    def test_tag_protects_during_update(self):
        self.put(tags='keep')
        self.put(wait=False, parameters={'value': 'two', 'wait': 3})
        self.client.wait_for_status(self.path, 'UPDATE_IN_PROGRESS')
        self.assert_tagged()
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])


class LegacyTagTest(TagTest):
    settings = base.LEGACY + TagTest.settings.replace('[DEFAULT]\n', '')
