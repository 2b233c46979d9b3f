# SPDX-License-Identifier: Apache-2.0

import json

import fixtures
from heatclient import exc
from heatclient.osc.v1 import resource as resource_commands
from heatclient.osc.v1 import stack as heat_commands
from heatclient.v1 import resources
from osc_lib import exceptions

from heat_extras.client.osc import heatclient_hooks
from heat_extras.client import plan_file
from tests.unit.client import base as client_base
from tests.unit.client.osc import base
from tests.unit.client import test_plan_file

LOCK = {'level': 'stacks', 'reason': 'db \x1b[2Jmove',
        'expires_at': '2026-12-24T18:00:00Z'}


class HookTestCase(base.CommandTestCase):

    def rows(self, text):
        return [[cell.strip() for cell in line.strip('|').split('|')]
                for line in text.splitlines() if line.startswith('|')]

    def assert_as_without(self, *arguments):
        """Check that the output is the same as without the hook."""
        self.assertEqual(self.call(self.command, *arguments),
                         self.run_it(*arguments))

    def run_it(self, *arguments):
        return self.call(self.command, *arguments, hook=self.hook)


class ShowStackTest(HookTestCase):

    command = heat_commands.ShowStack
    hook = heatclient_hooks.ShowStack

    def setUp(self):
        super().setUp()
        self.web = self.heat.add(
            'web', description='', parameters={}, outputs=[], links=[],
            locked_at='2026-11-20T10:02:11Z', delete_protected=False)

    def shown(self):
        return self.rows(self.run_it('web', '--max-width', '0')[1])

    def test_show_has_lock_rows_below_stack_status(self):
        self.web.lock(LOCK)
        fields = self.shown()
        names = [name for name, _value in fields]
        place = names.index('stack_status_reason')
        self.assertEqual([
            'lock', 'lock_level', 'lock_status', 'lock_status_reason',
            'lock_id', 'lock_reason', 'locked_by', 'locked_at',
            'lock_expires_at', 'delete_protected', 'parameters'],
            names[place + 1:place + 12])
        self.assertEqual(
            'Locked (level stacks) by alice since 2026-11-20T10:02:11Z until '
            r'2026-12-24T18:00:00Z: db \x1b[2Jmove. To unlock the stack: '
            'openstack stack unlock web', dict(fields)['lock'])

    def test_show_omits_hidden_lock_user_and_time(self):
        self.web.lock({'level': 'all'})
        self.web.body.update(locked_by=None, locked_at=None)
        self.assertEqual(
            'Locked (level all). To unlock the stack: openstack stack unlock '
            'web',
            dict(self.shown())['lock'])

    def test_show_of_nested_stack_refers_to_root_stack(self):
        self.web.lock({'level': 'all'})
        self.web.body['parent'] = 'an-id'
        self.assertIn('. To unlock the stack: unlock the root stack',
                      dict(self.shown())['lock'])

    def test_show_of_unlocked_stack_has_rows_but_no_summary(self):
        names = [name for name, _value in self.shown()]
        self.assertNotIn('lock', names)
        self.assertEqual(names.index('stack_status_reason') + 1,
                         names.index('lock_level'))

    def test_show_in_machine_formats_is_unchanged(self):
        self.web.lock(LOCK)
        for options in ('-f', 'json'), ('-f', 'value'), ('-f', 'shell'):
            self.assert_as_without('web', *options)

    def test_show_is_unchanged_if_heat_has_no_locks(self):
        for name in list(self.web.body):
            if 'lock' in name:
                del self.web.body[name]
        self.assert_as_without('web')

    def test_show_has_selected_row_only(self):
        self.web.lock(LOCK)
        code, out, err = self.run_it('web', '-c', 'lock_level')
        self.assertEqual([['Field', 'Value'], ['lock_level', 'stacks']],
                         self.rows(out))


class ListStacksTest(HookTestCase):

    command = heat_commands.ListStack
    hook = heatclient_hooks.ListStacks

    def setUp(self):
        super().setUp()
        self.web, self.mail, self.free = map(
            self.heat.add, ('web', 'mail', 'free'))

    def listed(self):
        heads, *rows = self.rows(self.run_it()[1])
        return heads[-1], {row[1]: row[-1] for row in rows}

    def test_list_has_lock_column_if_stack_is_locked(self):
        self.web.lock({'level': 'stacks'})
        self.mail.to_come = [None]
        self.mail.lock({'level': 'all'})
        self.assertEqual(('Lock', {
            'web': 'stacks', 'mail': 'all (LOCK_IN_PROGRESS)', 'free': ''}),
            self.listed())

    def test_list_sends_no_additional_request(self):
        self.web.lock({'level': 'stacks'})
        self.listed()
        self.assertEqual(1, len(self.heat.requests))

    def test_list_has_no_lock_column_without_locks(self):
        self.assert_as_without()

    def test_list_has_selected_lock_column(self):
        for options in (), ('-f', 'value'):
            for level in None, 'all':
                self.web.lock({'level': level})
                code, out, _err = self.run_it('-c', 'Lock', *options)
                self.assertEqual((0, level is not None),
                                 (code, 'all' in out), out)

    def test_delete_protected_filter_ends_with_command(self):
        heat = self.heat.session_client()
        self.heat.session_client = lambda: heat
        self.web.body['delete_protected'] = True
        for stack in self.mail, self.free:
            stack.body['delete_protected'] = False
        self.assertNotIn('mail', self.run_it('--delete-protected')[1])
        self.assertIn('mail', self.run_it('-f', 'value')[1])

    def test_list_in_machine_formats_is_unchanged(self):
        self.web.lock({'level': 'stacks'})
        for options in ('-f', 'json'), ('-f', 'value'), ('-f', 'csv'):
            self.assert_as_without(*options)

    def test_list_is_unchanged_if_heat_has_no_locks(self):
        for stack in self.heat.stacks:
            del stack.body['lock_level']
        self.assert_as_without()

    def test_list_has_delete_protected_stacks_only(self):
        for stack in self.heat.stacks:
            stack.body['delete_protected'] = stack.body['stack_name'] == 'mail'
        for options in (), ('-f', 'value'):
            code, out, _err = self.run_it('--delete-protected', *options)
            self.assertEqual((0, True, False), (
                code, 'mail' in out, 'web' in out))

    def test_delete_protected_filter_fails_if_not_reported(self):
        for stack in self.heat.stacks:
            stack.body.pop('delete_protected', None)
        error = self.assertRaises(exceptions.CommandError, self.run_it,
                                  '--delete-protected')
        self.assertIn('does not report delete protection', str(error))

    def test_list_error_is_same_as_without_hook(self):
        self.heat.refuse_list(client_base.fault(403, 'Forbidden', 'No.'))
        errors = []
        for options in {}, {'hook': self.hook}:
            try:
                self.call(self.command, **options)
            except Exception as error:
                errors.append(str(error))
        self.assertEqual(2, errors.count(errors[0]))
        self.assertIn('No.', json.dumps(errors))


class SignalResourceTest(HookTestCase):

    command = resource_commands.ResourceSignal
    hook = heatclient_hooks.SignalResource

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web')
        self.useFixture(fixtures.MockPatchObject(
            resources.ResourceManager, 'signal'))

    def test_signal_of_locked_stack_shows_lock_on_stderr(self):
        self.web.lock({'level': 'stacks', 'reason': 'db move'})
        code, out, err = self.run_it('web', 'scale_up')
        self.assertEqual((0, ''), (code, out))
        self.assertIn('Locked (level stacks) by alice', err)
        self.assertIn('db move', err)
        self.assertIn('openstack stack guard list web', err)

    def test_signal_of_frozen_stack_shows_freeze_on_stderr(self):
        self.web.guards = [
            {'kind': kind, 'name': kind, 'reason': 'year\x1b end',
             'expires_at': '2027-01-04T08:00:00Z'}
            for kind in ('plugin', 'freeze')]
        code, out, err = self.run_it('web', 'scale_up')
        self.assertEqual((0, '', (
            'Frozen until 2027-01-04T08:00:00Z (freeze "freeze": '
            r'year\x1b end). Signals are ignored, except signals to wait '
            'conditions and software deployments. Send the signal again '
            'after the freeze\n')), (code, out, err))
        self.assertIn('blocking=signal', self.heat.requests[-1][1])

    def test_signal_of_unlocked_stack_prints_nothing(self):
        self.assertEqual((0, '', ''), self.run_it('web', 'scale_up'))

    def test_signal_does_not_show_error_of_stack_query(self):
        self.assertEqual((0, '', ''), self.run_it('nosuch', 'scale_up'))


class CreateStackTest(HookTestCase):

    command = heat_commands.CreateStack
    hook = heatclient_hooks.CreateStack

    def test_failed_creation_leaves_no_plan_for_next_creation(self):
        self.heat.add('1', description='', parameters={}, outputs=[],
                      links=[])
        directory = self.useFixture(fixtures.TempDir())
        template, path = map(directory.join, ('new.yaml', 'new.plan'))
        with open(template, 'w') as target:
            target.write('heat_template_version: 2018-08-31')
        plan_file.write(path, {
            **test_plan_file.make(), 'stack': {'id': None, 'name': 'new'},
            'request': {'parameters': {}, 'disable_rollback': True}})
        create = self.useFixture(fixtures.MockPatch(
            'heatclient.v1.stacks.StackManager.create',
            return_value={'stack': {'id': '1'}})).mock
        heat = self.heat.session_client()
        self.heat.session_client = lambda: heat
        for kind, value in ((exc.CommandError, 'malformed'),
                            (exceptions.CommandError, 'size=1')):
            self.assertRaises(kind, self.run_it, '--plan', path, '--parameter',
                              value)
        self.run_it('new', '-t', template)
        self.assertNotIn('plan', create.call_args.kwargs)
        self.run_it('--plan', path)
        self.assertEqual('new', create.call_args.kwargs['stack_name'])


class UpdateStackTest(HookTestCase):

    command = heat_commands.UpdateStack
    hook = heatclient_hooks.UpdateStack

    def setUp(self):
        super().setUp()
        self.heat.add('web', description='', parameters={}, outputs=[],
                      links=[])
        directory = self.useFixture(fixtures.TempDir())
        self.plan = directory.join('web.plan')
        self.value = directory.join('value')
        with open(self.value, 'w') as target:
            target.write('hunter2')
        plan_file.write(self.plan, test_plan_file.make())
        self.update = self.useFixture(fixtures.MockPatch(
            'heatclient.v1.stacks.StackManager.update')).mock

    def test_update_with_plan_reads_hidden_value_from_file(self):
        self.run_it('web', '--plan', self.plan, '--parameter-file',
                    f'password={self.value}')
        fields = self.update.call_args.kwargs
        self.assertEqual(('web/1', {'password': b'hunter2'}),
                         (fields['stack_id'], fields['parameters']))

    def test_failed_update_leaves_no_plan_for_next_update(self):
        heat = self.heat.session_client()
        self.heat.session_client = lambda: heat
        for kind, value in ((exc.CommandError, 'malformed'),
                            (exceptions.CommandError, 'size=1')):
            self.assertRaises(kind, self.run_it, 'web', '--plan', self.plan,
                              '--parameter', value)
        self.run_it('web', '--existing')
        self.assertNotIn('plan', self.update.call_args.kwargs)

    def test_update_with_plan_of_deleted_stack_is_rejected(self):
        self.update.side_effect = exc.HTTPNotFound(json.dumps(
            client_base.fault(404, 'EntityNotFound', 'No stack.')[1]))
        error = self.assertRaises(exceptions.CommandError, self.run_it,
                                  'web', '--plan', self.plan)
        self.assertIn('The plan is for stack web/1: check that', str(error))

    def test_engine_without_plan_support_is_reported(self):
        for kind, error_class in (('ValueError', exceptions.CommandError),
                                  ('InvalidPlan', exc.HTTPBadRequest)):
            self.update.side_effect = exc.HTTPBadRequest(json.dumps(
                client_base.fault(400, kind, None)[1]))
            error = self.assertRaises(error_class, self.run_it, 'web',
                                      '--plan', self.plan)
            self.assertEqual(kind == 'ValueError', 'cannot apply plans'
                             in str(error))
