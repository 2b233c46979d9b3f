# SPDX-License-Identifier: Apache-2.0

"""Tests of delete protections that include the resources of a tree."""

from concurrent import futures
import json

from tests.functional import update_policy_base
from tests.harness import waiting

_VERSION = {'heat_template_version': '2018-08-31'}
_MEMBER = {**_VERSION, 'parameters': {'length': {'type': 'number'}},
           'resources': {'inner': {
               'type': 'OS::Heat::RandomString',
               'properties': {'length': {'get_param': 'length'}}}}}
_FILES = {'member.yaml': json.dumps(_MEMBER)}
_BOTH = '[heat_extras]\nfeatures = stack_lock, update_policy, guards, health\n'
_REFUSED = ('the protection of stack kept with its resources forbids',
            'openstack stack unprotect kept',
            'required policy: actions:unprotect')
_TAG = 'keep-all'
_TAGS = ('[heat_extras]\nfeatures = stack_lock, update_policy, guards, plan, '
         f'health\nresource_protection_tag = {_TAG}\n'
         'delete_protection_tag = keep\n')
_REFUSED_BY_TAG = (
    f"the tag '{_TAG}' of stack kept",
    'openstack stack update --existing --tags OTHER_TAGS kept')


def _root(count=2, length=5, value='one', **resources):
    member = {'type': 'member.yaml', 'properties': {'length': length}}
    return {**_VERSION, 'resources': {
        'single': {'type': 'OS::Heat::TestResource',
                   'properties': {'value': value}},
        'group': {'type': 'OS::Heat::ResourceGroup',
                  'properties': {'count': count, 'resource_def': member}},
        **resources}}


class ResourceProtectionTest(update_policy_base.UpdatePolicyTestCase):

    settings = _BOTH

    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack('kept', _root(), files=_FILES)
        self.addCleanup(self._delete)

    def _delete(self):
        self.unprotect()
        self.client.delete(self.path)
        self.client.wait_until_free('kept')

    def act(self, action, client=None, **fields):
        return (client or self.client).post(
            self.path + '/actions', {action: fields or None})

    def protect(self, **fields):
        answer = self.act('protect', **{'resources': True, **fields})
        self.assertEqual(200, answer.status_code, answer.text)

    def protect_if_idle(self):
        # After a failure, Heat can still process other resources.
        waiting.until('a protection', lambda: self.act(
            'protect', resources=True).status_code, lambda code: code == 200)

    def unprotect(self):
        return self.act('unprotect')

    def nested(self, path, name):
        stack = self.client.show_stack(
            self.resource(path, name)['physical_resource_id'])
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def test_update_cannot_replace_or_remove_resources(self):
        self.protect()
        without = _root()
        del without['resources']['single']
        for template, name in (
                (without, 'single'), (_root(count=1), 'group/1'),
                (_root(length=6), 'group/0/inner')):
            self.assert_refused(self.path, template, *_REFUSED, name,
                                files=_FILES)
        # The same requests for nested stacks, by their own IDs.
        member = self.nested(self.nested(self.path, 'group'), '0')
        self.assert_refused(member, _MEMBER, *_REFUSED, 'group/0/inner',
                            parameters={'length': 7})
        self.unprotect()
        self.update(self.path, _root(length=6), files=_FILES)

    def test_update_can_add_and_change_resources(self):
        self.protect()
        more = {'more': {'type': 'OS::Heat::RandomString'}}
        self.update(self.path, _root(3, value='two', **more), files=_FILES)
        # Resources that are new since then are protected, too.
        self.assert_refused(self.path, _root(3, value='two'), *_REFUSED,
                            'more', files=_FILES)
        self.assert_refused(self.path, _root(2, value='two', **more),
                            *_REFUSED, 'group/2', files=_FILES)

    def test_policy_in_template_cannot_allow_changes(self):
        free = {'free': {'type': 'OS::Heat::RandomString',
                         'properties': {'length': 4},
                         'update_policy': {'allow': {'replace': True}}}}
        self.update(self.path, _root(**free), files=_FILES)
        self.protect()
        self.update(self.path, _root(value='two', **free), files=_FILES)
        self.assert_refused(self.path, _root(value='two'), *_REFUSED, 'free',
                            files=_FILES)

    def test_rollback_can_remove_new_resources(self):
        self.protect()
        failing = {'failing': {
            'type': 'OS::Heat::TestResource',
            # Heat's rollback fails if it cancels the update of the group.
            'depends_on': ['new', 'group'],
            'properties': {'fail': True, 'value': 'x'}},
            'new': {'type': 'OS::Heat::RandomString'}}
        before = [each[:2] for each in self.resources(self.path)]
        self.update(self.path, _root(**failing), 'ROLLBACK_COMPLETE',
                    files=_FILES, disable_rollback=False)
        self.assertEqual(before, [each[:2] for each in
                                  self.resources(self.path)])

    def test_replacement_that_resource_requests_is_rejected(self):
        late = {'late': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': 'one', 'update_replace': True}}}
        self.update(self.path, _root(**late), files=_FILES)
        self.protect()
        before = self.resource(self.path, 'late')['physical_resource_id']
        late['late']['properties']['value'] = 'two'
        reason = self.update(self.path, _root(**late), 'UPDATE_FAILED',
                             files=_FILES)
        for word in _REFUSED:
            self.assertIn(word, reason)
        self.assertEqual(before, self.resource(
            self.path, 'late')['physical_resource_id'])

    def test_unhealthy_resource_is_not_replaced(self):
        self.protect()
        answer = self.client.patch(self.path + '/resources/single', {
            'mark_unhealthy': True, 'resource_status_reason': 'broken'})
        self.assertEqual(200, answer.status_code, answer.text)
        self.assert_refused(self.path, _root(), *_REFUSED, 'single',
                            files=_FILES)

    def test_preview_and_guard_list_show_protection(self):
        self.protect(reason='the data')
        for text in self.restricted(self.path, _root(count=1), files=_FILES):
            for word in _REFUSED:
                self.assertIn(word, text)
        for path in self.path, self.nested(self.path, 'group'):
            guard, = self.client.get(path + '/guards').json()['guards']
            self.assertEqual('delete_protection', guard['kind'])
            self.assertEqual('the data', guard['reason'])
            self.assertLessEqual({'delete', 'update', 'replace'},
                                 set(guard['stops']))

    def test_only_unprotect_removes_protection_of_resources(self):
        self.protect(reason='the data')
        other = self.sandbox.client('bob')
        for client, fields in ((self.client, {}),
                               (self.client, {'resources': False}),
                               (other, {'replace': True})):
            answer = self.act('protect', client, **fields)
            self.assertEqual(200, answer.status_code, answer.text)
            stack = self.client.show_stack(self.path)
            self.assertIs(True, stack['delete_protection_resources'])
        self.unprotect()
        stack = self.client.show_stack(self.path)
        self.assertIs(False, stack['delete_protection_resources'])
        self.act('protect')
        self.update(self.path, _root(1), files=_FILES)

    def test_protection_without_resources_allows_updates(self):
        self.act('protect')
        self.update(self.path, _root(count=1, length=6), files=_FILES)

    def test_stack_of_older_release_is_protected(self):
        # Its flags are not known.
        self.protect()
        self.sandbox.sql('UPDATE stack SET has_update_policy = NULL')
        self.assert_refused(self.path, _root(count=1), *_REFUSED, 'group/1',
                            files=_FILES)

    def test_protect_is_rejected_during_operation(self):
        slow = _root()
        slow['resources']['single']['properties'].update(
            value='two', action_wait_secs={'update': 3})
        answer = self.client.put(self.path, {'template': slow,
                                             'files': _FILES})
        self.assertEqual(202, answer.status_code, answer.text)
        answer = self.act('protect', resources=True)
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn('cannot be protected: stack kept',
                      answer.json()['error']['message'])
        self.settle(self.path, 'UPDATE_COMPLETE')
        self.assertIs(False, self.client.show_stack(
            self.path)['delete_protected'])

    def test_complete_resources_of_failed_nested_stack_are_protected(self):
        nested = {**_VERSION, 'resources': {
            'db': {'type': 'OS::Heat::RandomString'},
            'bad': {'type': 'OS::Heat::TestResource', 'depends_on': 'db',
                    'properties': {'fail': True}}}}
        files = {**_FILES, 'tier.yaml': json.dumps(nested)}
        self.update(self.path, _root(tier={'type': 'tier.yaml'}),
                    'UPDATE_FAILED', files=files, disable_rollback=True)
        self.protect_if_idle()
        self.assert_refused(self.path, _root(), *_REFUSED, 'tier',
                            files=_FILES)

    def test_reason_can_be_changed_during_operation(self):
        self.protect()
        slow = _root(value='two')
        slow['resources']['single']['properties']['action_wait_secs'] = {
            'update': 3}
        self.client.put(self.path, {'template': slow, 'files': _FILES})
        answer = self.act('protect', reason='audit')
        self.assertEqual(200, answer.status_code, answer.text)
        self.settle(self.path, 'UPDATE_COMPLETE')
        stack = self.client.show_stack(self.path)
        self.assertEqual((True, 'audit'), (
            stack['delete_protection_resources'],
            stack['delete_protection_reason']))

    def test_invalid_value_is_rejected(self):
        for value in 'yes', 1, None:
            answer = self.act('protect', resources=value)
            self.assertEqual(400, answer.status_code, answer.text)
            self.assertIn('Invalid resources', answer.text)


class LegacyResourceProtectionTest(ResourceProtectionTest):

    settings = _BOTH + update_policy_base.base.LEGACY

    def test_stack_with_backup_can_be_protected(self):
        failing = {'failing': {'type': 'OS::Heat::TestResource',
                               'depends_on': 'group',
                               'properties': {'fail': True, 'value': 'x'}}}
        self.update(self.path, _root(length=6, **failing), 'UPDATE_FAILED',
                    files=_FILES, disable_rollback=True)
        # Heat keeps it in CREATE_IN_PROGRESS.
        self.assertIn(('CREATE', 'IN_PROGRESS'), self.sandbox.sql(
            'SELECT action, status FROM stack WHERE backup = 1'))
        self.protect_if_idle()

    def test_update_in_validation_is_checked_against_new_protection(self):
        slow = _root(value='two')
        del slow['resources']['group']
        slow['resources']['single']['properties']['constraint_prop_secs'] = 3
        before = self.count_updates()
        with futures.ThreadPoolExecutor() as pool:
            update = pool.submit(self.client.put, self.path,
                                 {'template': slow, 'files': _FILES})
            waiting.until('the validation', self.count_updates,
                          lambda number: number > before)
            self.assertFalse(update.done())
            self.protect()
            self.assertEqual(202, update.result().status_code)
        reason = self.settle(self.path, 'UPDATE_FAILED')
        self.assertIn(_REFUSED[0], reason)

    def count_updates(self):
        with open(self.sandbox.log_path) as log:
            return log.read().count('Updating stack kept')


def _late(value='one'):
    """A resource that requests its replacement when its value is known."""
    return {
        # If it fails first, Heat cancels the update of the group.
        'source': {'type': 'OS::Heat::TestResource', 'depends_on': 'group',
                   'properties': {'value': value}},
        'late': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': {'get_attr': ['source', 'output']},
            'update_replace': True}}}


class ResourceProtectionTagTest(update_policy_base.UpdatePolicyTestCase):

    settings = _TAGS
    tags = f'{_TAG},other'

    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack('kept', _root(**_late()),
                                             files=_FILES, tags=self.tags)
        self.addCleanup(self._delete)

    def _delete(self):
        self.client.wait_for_end(self.path)
        answer = waiting.until(
            'an update of the tags', lambda: self.client.patch(
                self.path, {'tags': 'x'}),
            lambda answer: 'ActionInProgress' not in answer.text)
        self.assertEqual(202, answer.status_code, answer.text)
        self.settle(self.path, 'UPDATE_COMPLETE',
                    self.shown()['stack_status'])
        self.client.delete(self.path)
        self.client.wait_until_free('kept')

    def change(self, status='UPDATE_COMPLETE', late='one', tags=None,
               resources=None, rolls_back=False, **template):
        return self.update(
            self.path, _root(**template, **_late(late), **(resources or {})),
            status, files=_FILES, disable_rollback=not rolls_back,
            **({} if tags is None else {'tags': tags}))

    def refused(self, tags=None, **template):
        more = {} if tags is None else {'tags': tags}
        return self.assert_refused(
            self.path, _root(**template, **_late()), *_REFUSED_BY_TAG,
            files=_FILES, **more)

    def shown(self):
        return self.client.show_stack(self.path)

    def physical_id(self, name):
        return self.resource(self.path, name)['physical_resource_id']

    def nested(self, path, name):
        stack = self.client.show_stack(
            self.resource(path, name)['physical_resource_id'])
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def member(self):
        return self.nested(self.nested(self.path, 'group'), '0')

    def test_tag_protects_tree_until_request_sets_other_tags(self):
        listed, = self.client.get('/stacks').json()['stacks']
        for stack in self.shown(), listed:
            self.assertEqual((True, True), (
                stack['delete_protected'],
                stack['delete_protection_resources']))
        for template in {'count': 1}, {'length': 6}:
            self.refused(**template)
            self.change()
        # The same request for a nested stack, by its own ID.
        member = _MEMBER
        self.assert_refused(self.member(), member, *_REFUSED_BY_TAG,
                            'group/0/inner', parameters={'length': 7})
        answer = self.client.delete(self.path)
        self.assertEqual(409, answer.status_code, answer.text)
        answer = self.client.post(self.path + '/actions', {'unprotect': None})
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn(f"by the tag '{_TAG}'", answer.text)
        # A request without tags keeps it.
        self.change(value='two', count=3)
        self.assertEqual([_TAG], self.shown()['tags'])
        self.refused(value='two', count=2)
        self.change(value='two', count=3, tags='other')
        self.assertIs(False, self.shown()['delete_protection_resources'])
        self.change(count=1, length=6)

    def test_stack_is_protected_that_got_tag_before_option(self):
        # No update has set its flags.
        self.sandbox.sql('UPDATE stack SET has_update_policy = 0')
        self.assert_refused(
            self.member(), _MEMBER, *_REFUSED_BY_TAG,
            parameters={'length': 7})
        self.sandbox.sql('UPDATE stack SET has_update_policy = 0')
        self.refused(count=1)
        self.change()
        for flag in '0', 'NULL':
            self.sandbox.sql(f'UPDATE stack SET has_update_policy = {flag}')
            before = self.physical_id('late')
            reason = self.change('UPDATE_FAILED', late='two')
            for word in _REFUSED_BY_TAG:
                self.assertIn(word, reason)
            self.assertEqual(before, self.physical_id('late'))
            self.change()

    def test_update_that_removes_tag_is_still_checked(self):
        self.refused(count=1, tags='other')
        # The rejected update does not remove the tag.
        self.assertEqual({_TAG, 'other'}, set(self.shown()['tags']))
        self.change()
        before = self.physical_id('late')
        reason = self.change('UPDATE_FAILED', late='two', tags='other')
        self.assertNotIn('nothing was changed', reason)
        for word in _REFUSED_BY_TAG:
            self.assertIn(word, reason)
        self.assertEqual(before, self.physical_id('late'))
        # The failed update has removed it.
        self.assertEqual(['other'], self.shown()['tags'])
        self.assertIs(False, self.shown()['delete_protection_resources'])
        self.change(late='two')
        self.assertNotEqual(before, self.physical_id('late'))

    def test_rollback_of_update_that_removes_tag_is_checked(self):
        failing = {
            # Heat's rollback fails if it cancels the update of the group.
            'new': {'type': 'OS::Heat::RandomString', 'depends_on': 'group'},
            'bad': {'type': 'OS::Heat::TestResource', 'depends_on': 'new',
                    'properties': {'fail': True}}}
        before = [each[:2] for each in self.resources(self.path)]
        self.change('ROLLBACK_COMPLETE', resources=failing, tags='',
                    rolls_back=True)
        self.assertEqual(before, [each[:2] for each in
                                  self.resources(self.path)])

    def test_update_that_adds_tag_is_checked(self):
        self.change(tags='other')
        self.refused(count=1, tags=f'{_TAG},other')
        self.assertIn(_TAG, self.shown()['tags'])
        self.change(tags='other')
        before = self.physical_id('late')
        reason = self.change('UPDATE_FAILED', late='two', tags=_TAG)
        self.assertIn(_REFUSED_BY_TAG[0], reason)
        self.assertEqual(before, self.physical_id('late'))
        self.change(tags='other')
        self.change(value='two', count=3, tags=_TAG)
        self.refused(value='two')

    def test_tag_of_nested_stack_does_not_protect(self):
        self.change(tags='other')
        group = self.nested(self.path, 'group')
        template = self.client.get(group + '/template').json()
        self.update(group, template, files=_FILES, tags=_TAG)
        self.assertIs(False, self.shown()['delete_protected'])
        self.change(count=1, length=6)

    def test_restore_keeps_tag_and_is_checked(self):
        self.change(value='two', count=3)
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        snapshot = f'{self.path}/snapshots/{answer.json()["id"]}/restore'
        self.change(value='three', count=3)
        self.assertEqual(202, self.client.post(snapshot).status_code)
        self.settle(self.path, 'RESTORE_COMPLETE')
        self.change(value='two', count=4)
        self.assertEqual(202, self.client.post(snapshot).status_code)
        reason = self.settle(self.path, 'RESTORE_FAILED')
        self.assertIn(_REFUSED_BY_TAG[0], reason)
        self.assertEqual([_TAG], self.shown()['tags'])

    def test_preview_plan_and_guards_show_tag(self):
        less = _root(count=1, **_late())
        for text in self.restricted(self.path, less, files=_FILES):
            for word in _REFUSED_BY_TAG:
                self.assertIn(word, text)
        changes = self.client.put(self.path + '/preview', {
            'template': less, 'files': _FILES}).json()['resource_changes']
        self.assertIn(_REFUSED_BY_TAG[0], str(changes['plan']))
        for path in self.path, self.member():
            guards = self.client.get(path + '/guards').json()['guards']
            guard, = [each for each in guards
                      if each['kind'] == 'delete_protection']
            self.assertEqual('stacks:update', guard['lifted_by'])
            self.assertIn(_TAG, guard['how_to_lift'])
            self.assertLessEqual({'delete', 'update', 'replace'},
                                 set(guard['stops']))

    def test_protection_and_tags_are_independent(self):
        self.client.post(self.path + '/actions', {'protect': None})
        self.change(tags=f'keep,{_TAG}')
        self.refused(count=1)
        self.change()
        self.client.post(self.path + '/actions', {'unprotect': None})
        self.refused(count=1)
        self.change(tags='keep')
        self.assertEqual(
            (True, False), (self.shown()['delete_protected'],
                            self.shown()['delete_protection_resources']))
        self.change(count=1)
        self.assertIn("by the tag 'keep'", self.client.delete(self.path).text)

    def test_client_sets_and_removes_tag(self):
        self.change(tags='')
        for tags, is_protected in ('other,' + _TAG, 'True'), ('x', 'False'):
            done = self.client.openstack(
                'stack', 'update', '--wait', '--existing', '--tags', tags,
                'kept')
            self.assertEqual(0, done.returncode, done.stderr)
            shown = self.client.openstack(
                'stack', 'show', 'kept', '-f', 'value', '-c',
                'delete_protection_resources')
            self.assertEqual(is_protected, shown.stdout.strip(), shown.stderr)


class LegacyResourceProtectionTagTest(ResourceProtectionTagTest):

    settings = _TAGS + update_policy_base.base.LEGACY


class WithoutPoliciesTest(update_policy_base.UpdatePolicyTestCase):

    settings = '[heat_extras]\nfeatures = stack_lock\n'

    def test_protection_of_resources_needs_feature(self):
        path = self.create('kept', {**_VERSION, 'resources': {}})
        answer = self.client.post(path + '/actions',
                                  {'protect': {'resources': True}})
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn('without the feature "update_policy"',
                      answer.json()['error']['message'])
        self.assertIs(False, self.client.show_stack(path)['delete_protected'])
