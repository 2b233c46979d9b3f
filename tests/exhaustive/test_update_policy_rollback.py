# SPDX-License-Identifier: Apache-2.0

"""Rollbacks of resources with an update policy."""

import copy
import json


from tests.functional import update_policy_base

_VERSION = {'heat_template_version': '2018-08-31'}
_STAY = {'update': False, 'replace': False}
_KEEP = {'replace': False}


def _template(**resources):
    return {**_VERSION, 'resources': resources}


def _test(value='one', allow=None, depends_on=(), **properties):
    resource = {'type': 'OS::Heat::TestResource',
                'properties': {'value': value, **properties}}
    if allow is not None:
        resource['update_policy'] = {'allow': allow}
    if depends_on:
        resource['depends_on'] = list(depends_on)
    return resource


def _nested(kind='member.yaml', allow=None, depends_on=(), **properties):
    return {**_test(allow=allow, depends_on=depends_on), 'type': kind,
            'properties': properties}


def _group(count, allow=None, **definition):
    return _nested('OS::Heat::ResourceGroup', allow, count=count,
                   resource_def={'type': 'member.yaml', **definition})


def _files(**resources):
    return {'member.yaml': json.dumps(_template(**resources))}


_RULES = """
rules:
  - {name: none, forbid: ["OS::Nova::*"]}
"""
_FOLLOWS = {'get_attr': ['r', 'output']}


class Base(update_policy_base.UpdatePolicyTestCase):

    # Heat's legacy engine stores a mixture of the templates when an update
    # fails: where a second rollback goes, only it knows.
    late = ('ROLLBACK_FAILED',)

    def roll_back(self, path, template, *statuses, **body):
        """Send an update that fails and is rolled back; return the reason."""
        answer = self.client.put(path, dict(
            body, template=template, disable_rollback=False))
        self.assertEqual(202, answer.status_code, answer.text)
        return self.wait_for_rollback(
            path, *(statuses or ['ROLLBACK_COMPLETE']))

    def wait_for_rollback(self, path, *statuses):
        # A stack is UPDATE_FAILED for a moment before its rollback begins.
        stack = self.client.wait_for_stack(
            path, ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'],
            failed='UPDATE_FAILED', seconds=120)
        self.assertIn(stack['stack_status'], statuses,
                      stack['stack_status_reason'])
        return stack['stack_status_reason']

    def failing(self, template, *after):
        """Add to a template what fails once the rest is done."""
        return {**copy.deepcopy(template), 'resources': {
            **template['resources'],
            'broken': _test(fail=True, depends_on=after)}}

    def output(self, path, name='a'):
        return self.resource(path, name)['attributes']['output']

    def child(self, path, *names):
        for name in names:
            physical_resource_id = self.resource(path,
                                                 name)['physical_resource_id']
            stack = self.client.get('/stacks/'
                                    + physical_resource_id).json()['stack']
            path = '/stacks/%s/%s' % (stack['stack_name'], stack['id'])
        return path

    def refused_late(self, name):
        """Make a stack whose stored template was refused late."""
        first = _template(r=_test('X'), a=_test(_FOLLOWS, _STAY))
        path = self.create(name, first)
        reason = self.update(path, _template(
            r=_test('Y'), a=_test(_FOLLOWS, _STAY)), 'UPDATE_FAILED')
        self.assertIn('Not done: resource a', reason)
        return path

    def wait_for_resource(self, path, name, status):
        self.client.wait_for_resource(path, name, status)


class RollbackMixin:

    def test_rollback_does_not_apply_earlier_rejected_value(self):
        path = self.refused_late('never')
        good = _template(r=_test('Y'), a=_test('X', _STAY))
        reason = self.roll_back(path, self.failing(good, 'a', 'r'),
                                'ROLLBACK_FAILED')
        self.assertIn('resource a', reason)
        self.assertIn('rollback', reason)
        self.assertEqual('X', self.output(path))
        # Nor does a second one; and to what is good, it goes.
        self.roll_back(path, self.failing(good, 'a', 'r'), *self.late)
        self.assertEqual('X', self.output(path))
        self.update(path, good)
        self.roll_back(path, self.failing(good, 'a', 'r'))
        self.assertEqual('X', self.output(path))

    def test_canceled_update_does_not_apply_earlier_rejected_value(self):
        path = self.refused_late('cancelled')
        good = _template(r=_test('Y'), a=_test('X', _STAY))
        slow = copy.deepcopy(good)
        slow['resources']['slow'] = _test(
            depends_on=['a', 'r'], action_wait_secs={'create': 8})
        self.client.put(path, {'template': slow})
        self.client.wait_for_stack(path, ['UPDATE_IN_PROGRESS'],
                                   failed='UPDATE_FAILED')
        self.wait_for_resource(path, 'slow', 'CREATE_IN_PROGRESS')
        answer = self.client.post(path + '/actions', {'cancel_update': None})
        self.assertIn(answer.status_code, (200, 202), answer.text)
        self.wait_for_rollback(path, 'ROLLBACK_FAILED')
        self.assertEqual('X', self.output(path))
        self.update(path, good)

    def test_rollback_shrinks_group_grown_by_update(self):
        files = _files(inner=_test(allow=_KEEP))
        first = _template(group=_group(1))
        path = self.create('grown', first, files=files)
        before = self.resources(self.child(path, 'group'))
        grown = _template(group=_group(2))
        for _ in range(2):
            self.roll_back(path, self.failing(grown, 'group'), files=files)
            self.assertEqual(['0', 'group', 'inner'], sorted(
                row[0] for row in self.resources(path)))
        after = self.resources(self.child(path, 'group'))
        self.assertEqual([row[:2] for row in before],
                         [row[:2] for row in after])
        self.assert_refused(path, _template(group=_group(0)),
                            'resource group/0', files=files)


class RollbackTest(RollbackMixin, Base):

    def test_rollback_reverts_change_made_after_policy_removal(self):
        path = self.refused_late('used')
        lifted = _template(r=_test('Y'), a=_test('Z'))
        self.roll_back(path, self.failing(lifted, 'a', 'r'),
                       'ROLLBACK_FAILED')
        self.assertEqual('Z', self.output(path))
        first = _template(r=_test('Y'), a=_test('X', _STAY))
        self.update(path, _template(r=_test('Y'), a=_test('X')))
        self.update(path, first)
        self.roll_back(path, self.failing(lifted, 'a', 'r'))
        self.assertEqual('X', self.output(path))

    def test_canceled_update_shrinks_group_grown_by_it(self):
        files = _files(inner=_test(allow=_KEEP, action_wait_secs={
            'create': {'get_param': 'seconds'}}))
        member = {**json.loads(files['member.yaml']), 'parameters': {
            'seconds': {'type': 'number', 'default': 0}}}
        files = {'member.yaml': json.dumps(member)}
        path = self.create('stopped', _template(group=_group(1)),
                           files=files)
        slow = {'parameter_defaults': {'seconds': 10}}
        answer = self.client.put(path, {
            'template': _template(group=_group(2)), 'files': files,
            'environment': slow})
        self.assertEqual(202, answer.status_code, answer.text)
        self.wait_for_resource(self.child(path, 'group'), '1',
                               'CREATE_IN_PROGRESS')
        self.client.post(path + '/actions', {'cancel_update': None})
        self.wait_for_rollback(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(['0', 'group', 'inner'], sorted(
            row[0] for row in self.resources(path)))

    def test_rollback_keeps_existing_group_members(self):
        files = _files(inner=_test(allow=_KEEP))
        first = _template(r=_test('2'), group=_group(_FOLLOWS))
        path = self.create('members', first, files=files)
        shrunk = _template(r=_test('1'), group=_group(_FOLLOWS))
        self.update(path, shrunk, 'UPDATE_FAILED', files=files)
        good = _template(r=_test('1'), group=_group(2))
        before = self.resources(self.child(path, 'group'))
        self.roll_back(path, self.failing(good, 'group'), *self.late,
                       files=files)
        self.assertEqual([row[:2] for row in before], [
            row[:2] for row in self.resources(self.child(path, 'group'))])
        self.update(path, good, files=files)

    def test_rollback_removes_new_protected_resource_in_nested_stack(self):
        first, more = _template(nested=_nested()), _files(
            old=_test(), new=_test(allow=_STAY))
        path = self.create('came', first, files=_files(old=_test()))
        self.roll_back(path, self.failing(first, 'nested'), files=more)
        self.assertEqual(['nested', 'old'],
                         [row[0] for row in self.resources(path)])

    def test_rollback_removes_new_doubly_nested_stack(self):
        files = {**_files(inner=_test(allow=_STAY)),
                 'outer.yaml': json.dumps(_template(deep=_nested()))}
        first = _template(outer=_nested('outer.yaml'))
        path = self.create('deep', first, files={
            **files, 'outer.yaml': json.dumps(_template(x=_test()))})
        self.roll_back(path, self.failing(first, 'outer'), files=files)
        self.assertEqual(['outer', 'x'],
                         [row[0] for row in self.resources(path)])

    def test_rollback_reverts_change_after_nested_policy_removal(self):
        first = _template(nested=_nested(allow={'update': False}))
        lifted = _template(nested=_nested())
        path = self.create('lifted', first, files=_files(inner=_test()))
        self.roll_back(path, self.failing(lifted, 'nested'),
                       files=_files(inner=_test('two'), more=_test()))
        child = self.child(path, 'nested')
        self.assertEqual('one', self.output(child, 'inner'))
        self.assertEqual(['inner'],
                         [row[0] for row in self.resources(child)])
        self.assert_refused(path, first, 'resource nested',
                            files=_files(inner=_test('two')))

    def test_rollback_reverts_change_after_inner_policy_removal(self):
        template = _template(nested=_nested())
        path = self.create('inside', template,
                           files=_files(inner=_test(allow=_STAY)))
        self.roll_back(path, self.failing(template, 'nested'),
                       files=_files(inner=_test('two')))
        self.assertEqual('one', self.output(
            self.child(path, 'nested'), 'inner'))

    def test_rollback_does_not_apply_rejected_value_in_nested_stack(self):
        files = _files(
            r=_test({'get_param': 'value'}), a=_test(_FOLLOWS, _STAY))
        files = {'member.yaml': json.dumps({
            **json.loads(files['member.yaml']),
            'parameters': {'value': {'type': 'string'}}})}
        path = self.create('inner', _template(nested=_nested(value='X')),
                           files=files)
        self.update(path, _template(nested=_nested(value='Y')),
                    'UPDATE_FAILED', files=files)
        fixed = _files(r=_test('Y'), a=_test('X', _STAY))
        good = _template(nested=_nested())
        reason = self.roll_back(path, self.failing(good, 'nested'),
                                *self.late, files=fixed)
        if len(self.late) == 1:
            self.assertIn('resource nested/a', reason)
        self.assertEqual('X', self.output(self.child(path, 'nested')))
        self.update(path, good, files=fixed)

    def opened(self, inner):
        return {'member.yaml': json.dumps({
            **_template(inner=inner),
            'parameters': {'open': {'type': 'boolean'}}})}

    def test_rollback_works_with_contradictory_nested_policy(self):
        # Heat would not take one that is known before its value is.
        first = _template(r=_test('true'),
                          nested=_nested(allow=_KEEP, open=_FOLLOWS))
        path = self.create('contrary', first, files=self.opened(_test(
            allow={'replace': {'get_param': 'open'}})))
        self.roll_back(path, self.failing(first, 'nested'),
                       files=self.opened(_test('two')))
        self.assertEqual('one', self.output(
            self.child(path, 'nested'), 'inner'))

    def test_rollback_does_not_replace_unhealthy_protected_resource(self):
        first = _template(x=_test(), a=_test(allow=_KEEP))
        path = self.create('kept', first)
        before = self.resource(path, 'a')['physical_resource_id']
        answer = self.client.patch(path + '/resources/a', {
            'mark_unhealthy': True, 'resource_status_reason': 'test'})
        self.assertEqual(200, answer.status_code, answer.text)
        lifted = self.failing(_template(x=_test('two'), a=_test()))
        lifted['resources']['a']['depends_on'] = ['broken']
        self.roll_back(path, lifted, 'ROLLBACK_FAILED')
        self.assertEqual(before,
                         self.resource(path, 'a')['physical_resource_id'])

    def test_failed_create_is_rolled_back(self):
        body = {'stack_name': 'made', 'disable_rollback': False,
                'files': _files(inner=_test(allow=_STAY)),
                'template': self.failing(_template(
                    a=_test(allow=_STAY), group=_group(1)), 'a', 'group')}
        answer = self.client.post('/stacks', body)
        self.assertEqual(201, answer.status_code, answer.text)
        path = '/stacks/made/' + answer.json()['stack']['id']
        self.client.wait_for_stack(path, ['ROLLBACK_COMPLETE'],
                                   failed='CREATE_FAILED')
        self.assertEqual([], self.resources(path))
        self.client.delete(path)


class RollbackOfLegacyTest(RollbackTest):

    settings = update_policy_base.LEGACY
    late = ('ROLLBACK_FAILED', 'ROLLBACK_COMPLETE')


class RollbackWithPluginsTest(RollbackMixin, Base):
    """Plugin calls have their own traversal."""

    is_shared = False
    engine = 'true'

    @classmethod
    def setUpClass(cls):
        path = cls.write_for_class('limits.yaml', _RULES)
        cls.settings = (
            f'[heat_extras]\nfeatures = all\nlimits_file = {path}\n'
            f'[DEFAULT]\nconvergence_engine = {cls.engine}\n')
        super().setUpClass()


class RollbackOfLegacyWithPluginsTest(RollbackWithPluginsTest):

    engine = 'false'
    late = RollbackOfLegacyTest.late
