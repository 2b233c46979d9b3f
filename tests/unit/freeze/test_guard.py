# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

from heat_extras.freeze import errors
from heat_extras.freeze import guard
from heat_extras.heat_internals import caller
from heat_extras import rpc_request
from tests.unit.freeze import test_guard_check
from tests.unit.freeze import test_window

moment = test_window.moment

ROW = types.SimpleNamespace(id='1234', name='web', tenant='p1', owner_id=None)


class ListGuardsTest(test_guard_check.FreezeTestCase):
    def listed(self, at=None, project='p1'):
        tree = types.SimpleNamespace(
            at=at and moment(at),
            stack=types.SimpleNamespace(id='1234', tenant=project))
        return guard.FreezeGuard().list_guards(self.context, tree)

    def test_active_freeze_is_listed(self):
        self.freeze(reason='holidays', operations='[update, signal]')
        listed, = self.listed()
        self.assertEqual(
            ('freeze', '1234', 'test', ('update', 'replace', 'signal'),
             'holidays', 'nobody', 'try again at 2026-12-24T19:00:00Z',
             moment('2026-12-24T18:00'), moment('2026-12-24T19:00')),
            (listed.kind, listed.stack_id, listed.name, listed.stops,
             listed.reason, listed.lifted_by, listed.how_to_lift,
             listed.set_at, listed.expires_at))

    def test_freezes_at_given_time_are_listed(self):
        self.hold(test_window.window(
            begin='2026-12-24T18:00', duration='1h', rrule='FREQ=YEARLY'))
        for at, count in (('2030-12-24T18:30', 1), ('2030-12-24T19:00', 0),
                          ('2025-12-24T18:30', 0)):
            self.assertEqual(count, len(self.listed(at)), at)

    def test_freezes_at_latest_and_earliest_time_are_listed(self):
        self.hold(test_window.window(
            begin='2026-12-24T00:00', duration='1d', rrule='FREQ=DAILY',
            timezone='America/New_York'))
        listed, = self.listed('9999-12-31T23:59:59')
        self.assertEqual(2201, listed.expires_at.year)
        self.assertEqual([], self.listed('0001-01-01T00:00'))

    def test_freezes_of_other_project_or_exempt_caller_are_omitted(self):
        self.freeze(projects='[p2]')
        self.assertEqual([], self.listed())
        self.assertEqual(1, len(self.listed(project='p2')))
        self.freeze(exempt='role:admin')
        self.assertEqual(['role:admin'], [
            each.lifted_by for each in self.listed()])
        self.freeze(exempt='role:member')
        self.assertEqual([], self.listed())

    def test_no_guards_are_listed_without_freezes_file(self):
        self.assertEqual([], self.listed())


class ProcessTest(test_guard_check.FreezeTestCase):
    def ask(self, operation, row=ROW, **arguments):
        request = rpc_request.Request(operation, self.context,
                                      arguments=arguments)
        freeze = guard.FreezeGuard()
        freeze.process(request, mock.Mock())
        freeze.check_row(request, row)
        return request

    def refused(self, operation, *arguments, **options):
        return self.assertRaises(errors.StackFrozen, self.ask, operation,
                                 *arguments, **options)

    def test_project_of_stack_is_checked_not_of_caller(self):
        self.freeze(projects='[p2]')
        self.ask('update')
        self.refused('update', types.SimpleNamespace(
            **{**vars(ROW), 'tenant': 'p2'}))

    def test_operation_that_started_before_freeze_is_allowed(self):
        self.freeze()
        self.clock.advance_time_seconds(-1)
        request = self.ask('update')
        request.is_row_checked = True
        self.clock.advance_time_seconds(1)
        guard.FreezeGuard().check_row(request, ROW)
        self.refused('update')

    def test_operation_of_parent_stack_is_allowed(self):
        self.freeze()
        caller.set_parent_call(self.context)
        self.ask('update')
        self.ask('create', stack_name='web')

    def test_signal_is_ignored_not_rejected(self):
        self.freeze(operations='[signal]')
        ignoring, = self.ask('signal').ignored_by
        self.assertEqual('test', ignoring.name)
        self.freeze(operations='[update]')
        self.assertEqual((), self.ask('signal').ignored_by)

    def test_creation_is_rejected(self):
        self.freeze(projects='[p1]')
        self.assertIn('Stack web is frozen',
                      str(self.refused('create', stack_name='web')))
        self.count.assert_called_once_with('', 'frozen', 'create',
                                           self.context)
        self.freeze(projects='[p2]')
        self.ask('create', stack_name='web')

    def test_migration_is_rejected(self):
        get = self.mock('freeze.guard.stack_object.Stack.get_by_id',
                        return_value=ROW)
        self.freeze()
        self.refused('migrate', stack_id='1234')
        self.freeze(operations='[update]')
        self.ask('migrate', stack_id='1234')
        self.freeze()
        # Heat reports that the stack does not exist.
        get.return_value = None
        guard.FreezeGuard().process(rpc_request.Request(
            'migrate', self.context, arguments={'stack_id': '1234'}), int)
