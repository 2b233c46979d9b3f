# SPDX-License-Identifier: Apache-2.0

"""A nested stack that is deleted or abandoned by its own id."""

import json

from tests.functional import update_policy_base
from tests.harness import waiting

_VERSION = {'heat_template_version': '2018-08-31'}
_KEEP = {'update_policy': {'allow': {'replace': False}}}
_STILL = {'update_policy': {'allow': {'update': False}}}


def _test(**more):
    properties = {'value': 'one', **more.pop('properties', {})}
    return {'type': 'OS::Heat::TestResource', 'properties': properties,
            **more}


def _files(**resources):
    return {'member.yaml': json.dumps(dict(
        _VERSION, resources=resources or {'inner': _test()}))}


def _root(**resources):
    return dict(_VERSION, resources=resources)


def _nested(**more):
    return {'type': 'member.yaml', **more}


def _group(count=2, **more):
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count, 'resource_def': {'type': 'member.yaml'}}, **more}


class RemovalTestCase(update_policy_base.UpdatePolicyTestCase):

    def child(self, path, name):
        physical_resource_id = self.resource(path,
                                             name)['physical_resource_id']
        stack = self.client.get('/stacks/'
                                + physical_resource_id).json()['stack']
        return '/stacks/%s/%s' % (stack['stack_name'], stack['id'])

    def assert_kept(self, path, child, *words):
        """Delete and abandon are rejected and change nothing."""
        before = self.trace(path, child)
        for how in ('', '/abandon'):
            answer = self.client.delete(child + how)
            self.assertEqual(409, answer.status_code, answer.text)
            error = answer.json()['error']
            self.assertEqual('NestedStackRestricted', error['type'])
            for word in (*words, child.split('/')[2],
                         path.split('/')[2]):
                self.assertIn(word, error['message'])
        self.assertEqual(before, self.trace(path, child))

    def trace(self, path, child):
        return (self.client.show_stack(path), self.client.show_stack(child),
                self.resources(path),
                self.client.get(child + '/events').json())

    def assert_goes(self, child, how=''):
        answer = self.client.delete(child + how)
        self.assertIn(answer.status_code, (200, 204), answer.text)
        self.wait_until_gone(child)

    def wait_until_gone(self, path):
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])


class RemovalTest(RemovalTestCase):

    def test_policy_of_enclosing_resource_rejects_delete(self):
        template = _root(nested=_nested(**_KEEP))
        path = self.create('around', template, files=_files())
        self.assert_kept(path, self.child(path, 'nested'), 'resource nested',
                         'its update_policy forbids (replace: false)')
        self.update(path, template, files=_files())
        self.client.delete(path)
        self.wait_until_gone(path)

    def test_policy_of_inner_resource_rejects_delete(self):
        template = _root(nested=_nested())
        files = _files(inner=_test(**_KEEP))
        path = self.create('content', template, files=files)
        self.assert_kept(path, self.child(path, 'nested'),
                         'resource nested/inner')
        self.update(path, template, files=files)

    def test_policy_of_ancestor_resource_rejects_delete(self):
        path = self.create('ancestor', _root(group=_group(**_KEEP)),
                           files=_files())
        group = self.child(path, 'group')
        self.assert_kept(path, group, 'resource group')
        self.assert_kept(path, self.child(group, '1'),
                         'resource group/1', 'update_policy of resource '
                         'group forbids')

    def test_delete_is_rejected_for_stack_older_than_feature(self):
        path = self.create('before', _root(nested=_nested(**_KEEP)),
                           files=_files())
        self.sandbox.sql('UPDATE stack SET has_update_policy = NULL')
        self.assert_kept(path, self.child(path, 'nested'), 'resource nested')

    def test_nested_stacks_without_replace_false_can_be_deleted(self):
        path = self.create('free', _root(
            one=_nested(**_STILL), two=_nested(), kept=_test(**_KEEP)),
            files=_files())
        self.assert_goes(self.child(path, 'one'))
        self.assert_goes(self.child(path, 'two'), '/abandon')

    def test_update_removes_nested_stack_after_policy_removal(self):
        path = self.create('lifted', _root(nested=_group(1, **_KEEP),
                                           other=_group(1, **_STILL)),
                           files=_files(inner=_test()))
        child = self.child(path, 'nested')
        self.update(path, _root(nested=_group(1), other=_group(1, **_STILL)),
                    files=_files(inner=_test()))
        self.update(path, _root(other=_group(1)), files=_files())
        self.wait_until_gone(child)

    def test_group_shrinks_if_member_has_no_policy(self):
        path = self.create('shrinks', _root(
            group=_group(), kept=_test(**_KEEP)), files=_files())
        member = self.child(self.child(path, 'group'), '1')
        self.update(path, _root(group=_group(1), kept=_test(**_KEEP)),
                    files=_files())
        self.wait_until_gone(member)

    def test_rollback_removes_resources_created_by_update(self):
        path = self.create('rolled', _root(kept=_test(**_KEEP)),
                           files=_files())
        answer = self.client.put(path, {
            'disable_rollback': False, 'files': _files(), 'template': _root(
                kept=_test(**_KEEP), new=_nested(**_KEEP), broken=_test(
                    properties={'fail': True}, depends_on='new'))})
        self.assertEqual(202, answer.status_code, answer.text)
        self.settle(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(['kept'], [row[0] for row in self.resources(path)])

    def test_nested_stack_of_abandoned_root_can_be_deleted(self):
        """Heat leaves its nested stacks there."""
        path = self.create('abandoned', _root(group=_group(1, **_KEEP)),
                           files=_files(inner=_test(**_KEEP)))
        child = self.child(path, 'group')
        self.assert_goes(path, '/abandon')
        # It is shown as gone before its credentials go, and in between Heat
        # can't load the child.
        waiting.until_equal(
            'the answer to its name', 404,
            lambda: self.client.get('/stacks/abandoned').status_code)
        self.assert_goes(child)

    def test_nested_stack_can_be_deleted_during_root_delete(self):
        slow = _test(properties={'action_wait_secs': {'delete': 5}},
                     depends_on='nested')
        path = self.create('going', _root(nested=_nested(**_KEEP),
                                          slow=slow), files=_files())
        child = self.child(path, 'nested')
        self.client.delete(path)
        # A legacy stack shows it when its thread runs.
        self.client.wait_for_status(path, 'DELETE_IN_PROGRESS')
        self.assert_goes(child)
        self.wait_until_gone(path)

    def test_nested_stack_of_deleted_root_can_be_deleted(self):
        path = self.create('orphan', _root(nested=_nested(**_KEEP)),
                           files=_files(inner=_test(**_KEEP)))
        child = self.child(path, 'nested')
        root_id = path.split('/')[-1]
        self.sandbox.sql("UPDATE stack SET deleted_at = '2020-01-01 00:00:00' "
                         'WHERE id = ?', root_id)
        self.assert_goes(child)
        self.sandbox.sql('UPDATE stack SET deleted_at = NULL WHERE id = ?',
                         root_id)

    def test_unreferenced_nested_stack_can_be_deleted(self):
        path = self.create('lost', _root(nested=_nested(**_KEEP)),
                           files=_files())
        child = self.child(path, 'nested')
        self.sandbox.sql("UPDATE resource SET nova_instance = 'other' "
                         'WHERE nova_instance = ?', child.split('/')[-1])
        self.assert_goes(child)

    def test_nested_stack_of_failed_create_can_be_deleted(self):
        path = self.client.create_stack(
            'never', _root(group=_group(1, **_KEEP)), wait=False,
            files=_files(inner=_test(**_KEEP), broken=_test(
                properties={'fail': True}, depends_on='inner')))
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_status(path, 'CREATE_FAILED')
        self.assert_goes(self.child(path, 'group'))

    def test_policy_of_resource_never_created_is_ignored(self):
        path = self.create('half', _root(nested=_nested()), files=_files())
        self.update(path, _root(nested=_nested()), 'UPDATE_FAILED',
                    files=_files(inner=_test(), late=_test(
                        properties={'fail': True}, **_KEEP)))
        self.assert_goes(self.child(path, 'nested'))

    def test_delete_is_rejected_after_failed_root_delete(self):
        path = self.create('stays', _root(nested=_nested(**_KEEP)),
                           files=_files())
        self.sandbox.sql("UPDATE stack SET action = 'DELETE', "
                         "status = 'FAILED' WHERE id = ?",
                         path.split('/')[-1])
        self.assert_kept(path, self.child(path, 'nested'), 'resource nested')

    def test_delete_is_rejected_during_root_suspend(self):
        path = self.create('suspended', _root(nested=_nested(**_KEEP)),
                           files=_files())
        self.sandbox.sql("UPDATE stack SET action = 'SUSPEND', "
                         "status = 'IN_PROGRESS' WHERE id = ?",
                         path.split('/')[-1])
        self.assert_kept(path, self.child(path, 'nested'), 'resource nested')

    def test_restore_of_nested_stack_removes_no_protected_resource(self):
        # Heat 24 can't store a snapshot with files in SQLite.
        def template(count):
            return _root(group={
                'type': 'OS::Heat::ResourceGroup', **_KEEP, 'properties': {
                    'count': count, 'resource_def': _test()}})
        path = self.create('snapshot', template(1))
        child = self.child(path, 'group')
        answer = self.client.post(child + '/snapshots', {'name': 'one'})
        self.assertEqual(200, answer.status_code, answer.text)
        self.client.wait_for_stack(child, ['SNAPSHOT_COMPLETE'])
        self.update(path, template(2))
        before = self.resources(child)
        self.client.post('%s/snapshots/%s/restore' % (
            child, answer.json()['id']))
        self.assertIn('resource group/1', self.settle(child,
                                                      'RESTORE_FAILED'))
        self.assertEqual(before, self.resources(child))


class LateRejectionTest(RemovalTestCase):
    """The legacy engine keeps unprocessed resources in the stored template."""

    def test_delete_is_rejected_after_late_rejection_of_update(self):
        """The new template has no such resource any more."""
        path = self.create('late', _root(nested=_nested(**_KEEP)),
                           files=_files())
        child = self.child(path, 'nested')
        without = json.dumps(_root(other=_test()))
        self._store(path, without)
        self.assert_kept(path, child, 'resource nested')

    def _store(self, path, template):
        """Store another template of the stack, as a failed update does."""
        with self.sandbox.database() as database:
            new = database.execute(
                'INSERT INTO raw_template (template, environment) '
                "VALUES (?, '{}')", [template]).lastrowid
            database.execute('UPDATE stack SET raw_template_id = ? '
                             'WHERE id = ?', [new, path.split('/')[-1]])


class RemovalOfLegacyTest(RemovalTest):

    settings = update_policy_base.LEGACY


class CfnRemovalTest(RemovalTestCase):

    # See tests.functional.test_stack_lock_cfn.
    settings = (update_policy_base.FEATURE
                + '[oslo_policy]\nenforce_new_defaults = false\n')
    is_shared = False

    def test_cfn_rejection_has_same_message(self):
        path = self.create('cfn', _root(nested=_nested(**_KEEP)),
                           files=_files())
        child = self.child(path, 'nested')
        native = self.client.delete(child).json()['error']['message']
        answer = self.client.request(
            'GET', self.sandbox.url.partition('/v1/')[0] + '/cfn/v1/',
            params={'Action': 'DeleteStack', 'Version': '2010-05-15',
                    'ContentType': 'JSON',
                    'StackName': child.split('/')[2]})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('InvalidAction', answer.text)
        self.assertIn(native, answer.text)
        self.client.show_stack(child)
