# SPDX-License-Identifier: Apache-2.0

"""Tests of the plan of a deletion with a running Heat."""

import json
import os
import re

from tests.functional import actual_changes
from tests.functional import base
from tests.functional import plan_cases
from tests.functional import test_health_groups as groups
from tests.functional import test_plan

SHOWN = """\
web
  -    last (Test::Disk)
  -    saved (Test::Disk)
         its deletion_policy is Snapshot
  -    nested (m.yaml)
    -    s (Test::Disk)
    =    inner_kept (Test::Disk)
           its deletion_policy is Retain
  =    kept (Test::Disk)
         its deletion_policy is Retain
  -    first (Test::Disk)
Plan: 0 to add, 0 to update, 0 to replace, 4 to remove, 1 to remove after a \
snapshot, 2 to retain; 0 unchanged.
"""
_LOGGED = re.compile(r'disk (\S+): (removed|snapshot)$', re.MULTILINE)


def _disk(policy='Delete', *depends_on, **properties):
    return {'type': 'Test::Disk', 'deletion_policy': policy,
            'depends_on': list(depends_on), 'properties': properties}


def _body(**resources):
    return plan_cases.body({
        'first': _disk(), 'kept': _disk('Retain'),
        'saved': _disk('Snapshot', 'first'),
        'nested': {'type': 'm.yaml', 'depends_on': 'first'},
        'last': _disk('Delete', 'nested', 'kept'), **resources},
        {'m.yaml': {'resources': {'s': _disk(), 'inner_kept': _disk(
            'Retain')}}})


class DeletePlanTest(actual_changes.PlanTestCase):

    settings = f'[DEFAULT]\nplugin_dirs = {groups.PLUGINS}\n'

    def fail(self, name):
        """Create a stack whose last resource fails."""
        body = _body(bad_saved=_disk('Snapshot', 'last', 'saved', fail=True))
        path = self.client.create_stack(name, body.pop('template'),
                                        wait=False, **body)
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_status(path, 'CREATE_FAILED')
        return path

    def preview_delete(self, path):
        answer = self.client.get(path + '/delete_preview')
        self.assertEqual(200, answer.status_code, answer.text)
        return answer.json()

    def actions(self, path):
        return {entry['path']: entry['action']
                for entry in self.preview_delete(path)['plan']}

    def nested(self, path):
        stack = self.client.show_stack(self.client.get(
            path + '/resources/nested').json()['resource'][
                'physical_resource_id'])
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def delete(self, path):
        """Delete a stack, and return the deleted disks with their actions."""
        return dict(self.list_deleted(path))

    def list_deleted(self, path):
        start = os.path.getsize(self.sandbox.log_path)
        self.assertEqual(204, self.client.delete(path).status_code)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        with open(self.sandbox.log_path) as source:
            source.seek(start)
            return _LOGGED.findall(source.read())

    def assert_deleted_as_planned(self, path):
        before = self.client.show_stack(path)
        plan = self.preview_delete(path)
        self.assertEqual([], plan['plan_stops'])
        self.assertEqual(before, self.client.show_stack(path))
        order = [entry['path'].split('/')[-1] for entry in plan['plan']]
        done = self.delete(path)
        self.assertEqual(
            {entry['resource_name']: entry['action'] for entry in plan['plan']
             if entry['action'] != 'retained'
             and entry['resource_type'] == 'Test::Disk'}, done)
        for earlier, later in (('last', 's'), ('last', 'first'),
                               ('s', 'first'), ('saved', 'first')):
            for names in order, list(done):
                if earlier not in done:
                    # An earlier failure of the creation left it out.
                    continue
                self.assertLess(names.index(earlier), names.index(later))
        return plan['plan']

    def test_plan_is_what_deletion_does(self):
        plan = self.assert_deleted_as_planned(self.create('web', _body()))
        self.assertEqual(test_plan.FIELDS, set(plan[0]))
        self.assertEqual(
            {'last': 'removed', 'nested': 'removed', 'nested/s': 'removed',
             'nested/inner_kept': 'retained', 'kept': 'retained',
             'saved': 'snapshot', 'first': 'removed'},
            {entry['path']: entry['action'] for entry in plan})

    def test_failed_stack(self):
        plan = self.assert_deleted_as_planned(self.fail('failed'))
        reason, = next(entry['reasons'] for entry in plan
                       if entry['path'] == 'bad_saved')
        self.assertEqual('deletion_policy', reason['kind'])
        self.assertIn('no snapshot of a failed', reason['message'])

    def test_policy_of_failed_update(self):
        path = self.create('web', _body())
        changed = _body(kept=_disk(), saved=_disk('Retain', 'first'),
                        bad=_disk('Delete', 'last', 'saved', 'kept',
                                  fail=True))
        self.client.put(path, changed)
        self.client.wait_for_status(path, 'UPDATE_FAILED')
        plan = self.assert_deleted_as_planned_in_any_order(path)
        self.assertEqual(('removed', 'retained', 'removed'), tuple(
            plan[name] for name in ('kept', 'saved', 'bad')))

    def test_failed_replacement(self):
        path = self.create('web', _body())
        self.client.put(path, _body(kept=_disk(fail=True)))
        self.client.wait_for_status(path, 'UPDATE_FAILED')
        self.assertEqual(['removed', 'retained'], sorted(
            entry['action'] for entry in self.preview_delete(path)['plan']
            if entry['path'] == 'kept'))
        self.assertEqual([('kept', 'removed')], [
            each for each in self.list_deleted(path) if each[0] == 'kept'])

    def test_snapshot_that_is_not_certain(self):
        body = _body(slow=_disk('Snapshot', seconds=5))
        path = self.client.create_stack('slow', body.pop('template'),
                                        wait=False, **body)
        for name, status in (('slow', 'CREATE_IN_PROGRESS'),
                             ('saved', 'CREATE_COMPLETE')):
            self.client.wait_for_resource(path, name, status)
        self.assert_possibly_without_snapshot(path, 'slow',
                                              'CREATE_IN_PROGRESS')
        self.client.wait_for_stack(path, ['CREATE_COMPLETE'])
        self.client.patch(path + '/resources/saved', {'mark_unhealthy': True})
        self.assert_possibly_without_snapshot(path, 'saved', 'CHECK_FAILED')
        self.assertEqual('snapshot', self.actions(path)['slow'])
        self.client.delete(path)

    def assert_possibly_without_snapshot(self, path, name, status):
        entry, = (each for each in self.preview_delete(path)['plan']
                  if each['path'] == name)
        reason, = entry['reasons']
        self.assertEqual('removed', entry['action'])
        self.assertIn(f'possibly makes no snapshot of a resource that is '
                      f'{status}', reason['message'])

    def assert_deleted_as_planned_in_any_order(self, path):
        plan, done = self.actions(path), self.delete(path)
        self.assertEqual(
            {name.split('/')[-1]: action for name, action in plan.items()
             if action != 'retained' and name != 'nested'}, done)
        return plan

    def test_guards_of_deletion_are_stops(self):
        path = self.create('guarded', _body())
        for action, undo, kind, command in (
                ('lock', 'unlock', 'lock', 'openstack stack unlock'),
                ('protect', 'unprotect', 'delete_protection',
                 'openstack stack unprotect')):
            body = {'level': 'stacks'} if action == 'lock' else None
            self.client.post(path + '/actions', {action: body})
            for each in path, self.nested(path):
                stop, = self.preview_delete(each)['plan_stops']
                self.assertEqual((kind, 'will', 'before_start'), tuple(
                    stop[key] for key in ('type', 'certainty', 'when')))
                self.assertIn(command, stop['message'])
                self.assertEqual(409, self.client.delete(each).status_code)
            self.client.post(path + '/actions', {undo: None})
            self.assertEqual([], self.preview_delete(path)['plan_stops'])

    def test_nested_stack_that_is_deleted_alone(self):
        path = self.create('outer', _body())
        nested = self.nested(path)
        self.assertEqual({'s': 'removed', 'inner_kept': 'retained'},
                         self.actions(nested))
        self.delete(nested)
        self.assertNotIn('nested/s', self.actions(path))
        self.assert_deleted_as_planned_in_any_order(path)

    def test_invalid_requests(self):
        path = self.create('invalid', _body())
        for client, suffix, status in (
                (self.client, '?a=b', 400),
                (self.sandbox.client('eve', 'reader'), '', 403)):
            self.assertEqual(status, client.get(
                path + '/delete_preview' + suffix).status_code)
        for method in 'post', 'put', 'delete':
            self.assertEqual(405, getattr(self.client, method)(
                path + '/delete_preview').status_code)
        self.assertEqual(404, self.client.get(
            '/stacks/no/such/delete_preview').status_code)
        self.assertEqual(200, self.client.get(
            '/stacks/invalid/delete_preview').status_code)


class DeletePlanLegacyTest(DeletePlanTest):

    settings = base.LEGACY + DeletePlanTest.settings.partition('\n')[2]


class DeletePlanClientTest(actual_changes.PlanTestCase):
    """Test the commands of the client."""

    settings = DeletePlanTest.settings

    def setUp(self):
        super().setUp()
        self.addCleanup(self.client.wait_until_free, 'web')
        self.path = self.create('web', _body())

    def plan_delete(self, *arguments):
        return self.client.openstack('stack', 'plan', '--delete', *arguments)

    def delete_first(self, *arguments, answer=None):
        """Run "stack delete --plan-first", on a terminal with an answer."""
        arguments = 'stack', 'delete', '--plan-first', *arguments
        if answer is None:
            return self.client.openstack(*arguments)
        return self.client.answer_openstack(answer, *arguments)

    def test_plan_is_shown(self):
        done = self.plan_delete('web')
        self.assertEqual((2, SHOWN), (done.returncode, done.stdout),
                         done.stderr)
        document = json.loads(self.plan_delete('web', '-f', 'json').stdout)
        self.assertEqual('retained', next(
            entry['action'] for entry in document['plan']
            if entry['path'] == 'kept'))
        self.client.post(self.path + '/actions', {'protect': None})
        self.addCleanup(self.client.post, self.path + '/actions',
                        {'unprotect': None})
        done = self.plan_delete('web')
        self.assertEqual(1, done.returncode)
        self.assertIn('openstack stack unprotect', done.stdout + done.stderr)
        done = self.delete_first('--yes', 'web')
        self.assertEqual(1, done.returncode)
        self.assertIn('Nothing was changed', done.stderr)
        self.client.show_stack(self.path)

    def test_stacks_without_resources_are_named(self):
        for name in 'empty1', 'empty2':
            self.create(name, plan_cases.body({}))
        done = self.delete_first('--yes', 'empty1', 'empty2')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(['empty1', 'empty2'],
                         done.stderr.splitlines()[::2])

    def test_invalid_arguments_are_rejected(self):
        for arguments in (('-t', 'no.yaml'), ('--tags', 'a'), ('--create',),
                          ('--out', 'file'), ('--existing',),
                          ('--rollback', 'enabled'), ('--timeout', '1')):
            done = self.plan_delete('web', *arguments)
            self.assertEqual(1, done.returncode)
            self.assertIn('not allowed with argument --delete', done.stderr)
        done = self.plan_delete('missing')
        self.assertEqual(1, done.returncode)
        self.assertIn('missing', done.stderr)

    def test_deletion_with_plan_first(self):
        done = self.delete_first('web')
        self.assertEqual(1, done.returncode)
        self.assertIn('add --yes', done.stderr)
        for text in 'n\n', '\n', '\x04':
            done = self.delete_first('web', answer=text)
            self.assertEqual(1, done.returncode, done.stderr)
            self.assertIn(SHOWN, done.stderr)
            self.assertIn('[y/N]', done.stderr)
            self.assertIn('Nothing was changed', done.stderr)
        self.client.show_stack(self.path)
        other = self.create('other', _body())
        done = self.delete_first('web', 'other', '--wait',
                                 answer='y\n')
        self.assertEqual(0, done.returncode, done.stderr)
        for path in self.path, other:
            self.assertEqual('DELETE_COMPLETE', self.client.show_stack(
                path)['stack_status'])

    def test_change_before_answer_stops_deletion(self):
        def update_and_confirm(process, keyboard):
            shown = ''
            while '[y/N] ' not in shown:
                letter = process.stderr.read(1)
                self.assertTrue(letter, shown)
                shown += letter
            self.client.put(self.path, _body(kept=_disk()))
            self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
            os.write(keyboard, b'y\n')

        done = self.delete_first('web', answer=update_and_confirm)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('plan of stack web changed', done.stderr)
        self.assertEqual('UPDATE_COMPLETE', self.client.show_stack(
            self.path)['stack_status'])
        done = self.delete_first('web', '--yes', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
