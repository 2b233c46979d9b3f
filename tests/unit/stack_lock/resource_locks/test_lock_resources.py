# SPDX-License-Identifier: Apache-2.0

"""Protect and release the resources of a stack tree."""

from unittest import mock

import fixtures
from heat.engine.resources import stack_resource
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_db import exception as db_exception
import requests
import testtools

from heat_extras import conf
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.unit.stack_lock.resource_locks import fakes


class Blind(fakes.Lockable):
    """A lock handler that cannot query the service."""

    find_lock = None


class LockResourcesTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(config_fixture.Config(cfg.CONF))
        conf.register_opts(cfg.CONF)
        self.web, self.nested = fakes.Stack('web'), fakes.Stack('nested')
        self.rows = {}
        self.written = []
        self.events = []
        self.late = []
        self.meanwhile = lambda resource: None
        self.operation_token = fakes.Token(self.web.id)
        for target, name, replacement in (
                (lock_resources, 'load_resources', self.load),
                (lock_resources, '_stack_name', lambda context, row: 'web'),
                (resource_table, 'read_tree',
                 lambda context, root_id: dict(self.rows)),
                (resource_table, 'replace_rows', self.write),
                (resource_table, 'mark_releasing', self.mark_asked),
                (resource_table, 'is_protection_wanted', self.is_wanted),
                (lock_resources.thread_pool.time, 'sleep',
                 lambda seconds: None)):
            patcher = mock.patch.object(target, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def load(self, context, stack_ids, failures=None, **how):
        stacks = [stack for stack in (self.web, self.nested)
                  if stack.id in stack_ids]
        return [resource for stack in stacks
                for resource in stack.resources.values()], stacks

    def write(self, operation_token, results, events=(), deleted=()):
        operation_token.check()
        self.events += events
        for id in deleted:
            self.rows.pop(id)
        self.written.append({resource.name: state for
                             resource, (state, _) in results.items()})
        for resource, (state, reason) in results.items():
            self.rows[resource.id] = mock.Mock(
                stack_id=resource.stack.id, resource_name=resource.name,
                state=state, reason=reason)

    def mark_asked(self, operation_token, events):
        operation_token.check()
        self.events += events
        self.rows.update({id: mock.Mock(
            stack_id=row.stack_id, resource_name=row.resource_name,
            state=resource_states.LOCKING, reason=None)
            for id, row in self.rows.items()
            if row.state in resource_states.OWN})

    def is_wanted(self, operation_token, resource_id, is_protected):
        resource, = (each for each in self.web.resources.values()
                     if each.id == resource_id)
        self.late.append((resource.name, is_protected))
        self.meanwhile(resource)
        return not is_protected

    def withdraw_in(self, resource, name):
        """Supersede the operation token during a call of a handler."""
        original = getattr(resource, name)

        def handle(*arguments):
            self.operation_token.is_withdrawn = True
            return original(*arguments)
        setattr(resource, name, handle)

    def states(self):
        return {row.resource_name: row.state for row in self.rows.values()}

    def protect(self):
        return lock_resources.protect(self.operation_token, [self.web.id,
                                                             self.nested.id],
                                      'all')

    def release(self):
        return lock_resources.release(self.operation_token)

    def protected_and_then(self, **holders):
        """Protect resources, and change their lock owners afterwards."""
        for name in holders:
            self.web.add(fakes.Lockable, name)
        self.protect()
        for name, holder in holders.items():
            self.web.resources[name].holder = holder

    def test_locking_state_is_stored_before_service_is_called(self):
        server = self.web.add(fakes.Lockable, 'server')

        def look(level):
            self.assertEqual({'server': resource_states.LOCKING},
                             self.states())
        server.handle_lock = look
        self.protect()
        self.assertEqual({'server': resource_states.PROTECTED},
                         self.states())

    def test_resource_without_lock_api_is_reported(self):
        self.web.add(fakes.Resource, 'network')
        self.protect()
        row, = self.rows.values()
        self.assertEqual((resource_states.NO_API,
                          'OS::Test::Thing has no lock API'),
                         (row.state, row.reason))

    def test_other_resources_are_protected_after_failure(self):
        bad = self.web.add(fakes.Lockable, 'bad')
        good = self.nested.add(fakes.Lockable, 'good')
        bad.errors = [fakes.Refused()]
        report_text = self.protect()
        self.assertEqual(['bad of stack web: you do not have the required '
                          'rights: HTTP 403'], report_text.list_failures())
        self.assertEqual('us', good.holder)
        self.assertEqual({'bad': resource_states.FAILED,
                          'good': resource_states.PROTECTED},
                         self.states())

    def test_second_lock_retries_only_failed_resources(self):
        bad = self.web.add(fakes.Lockable, 'bad')
        good = self.web.add(fakes.Lockable, 'good')
        bad.errors = [fakes.Refused()]
        self.protect()
        good.calls.clear()
        self.assertEqual([], self.protect().list_failures())
        self.assertEqual(['find'], good.calls)
        self.assertEqual('us', bad.holder)

    def test_lock_of_other_user_is_kept_by_unlock(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.holder = 'bob'
        self.protect()
        self.assertEqual({'server': resource_states.FOUND}, self.states())
        self.release()
        self.assertEqual('bob', server.holder)

    def test_concurrent_lock_of_other_user_is_kept(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.handle_lock = mock.Mock(
            side_effect=handler_api.LockedByOthers('bob'))
        self.protect()
        self.assertEqual({'server': resource_states.FOUND}, self.states())

    def test_lock_with_lost_response_is_protected(self):
        server = self.web.add(fakes.Lockable, 'server')

        def lock(level):
            server.holder = 'us'
            raise fakes.Refused(400)
        server.handle_lock = lock
        self.protect()
        self.assertEqual({'server': resource_states.PROTECTED},
                         self.states())

    def test_lock_state_is_checked_after_base_exception_of_handler(self):
        for name, is_locked in ('kept', True), ('lost', False):
            server = self.web.add(fakes.Lockable, name)

            def lock(level, server=server, is_locked=is_locked):
                server.holder = 'us' if is_locked else None
                raise SystemExit(404)

            server.handle_lock = lock
        report = self.protect()
        self.assertEqual({'kept': 'protected', 'lost': 'locking'},
                         self.states())
        self.assertIn('SystemExit: 404', report.list_failures()[0])

    def test_resource_without_find_lock_is_locked_once(self):
        thing = self.web.add(Blind, 'thing')
        self.protect()
        self.protect()
        self.assertEqual(['lock all'], thing.calls)
        self.release()
        self.assertEqual(['lock all', 'unlock'], thing.calls)

    def test_slow_handler_is_polled_until_complete(self):
        thing = self.web.add(fakes.Lockable, 'thing')
        thing.check_lock_complete = mock.Mock(side_effect=[False, True])
        thing.check_unlock_complete = mock.Mock(side_effect=[False, True])
        self.protect()
        self.release()
        self.assertEqual(2, thing.check_lock_complete.call_count)
        self.assertEqual(2, thing.check_unlock_complete.call_count)

    def test_release_removes_lock_row_and_lock_id(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        handler_api.save_lock_id(server, 'lock-1')
        self.assertEqual([], self.release().list_failures())
        self.assertIsNone(server.holder)
        self.assertEqual(({}, {}), (self.rows, server.kept))

    def test_release_notes_resources_changed_by_others(self):
        self.protected_and_then(lifted=None, taken='bob')
        report_text = self.release()
        self.assertEqual('1 resource had been unlocked by another user or '
                         'program: lifted. Not released, because of a lock '
                         'of another user or program: taken',
                         report_text.note())
        self.assertEqual('bob', self.web.resources['taken'].holder)
        self.assertEqual({}, self.rows)

    def test_release_of_unprotected_resource_has_no_note(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.write(self.operation_token,
                   {server: (resource_states.LOCKING, None)})
        self.assertIsNone(self.release().note())

    def test_failed_release_can_be_retried(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        server.errors = [fakes.Refused()]
        self.assertEqual(1, len(self.release().list_failures()))
        self.assertEqual({'server': resource_states.LOCKING}, self.states())
        self.assertEqual([], self.release().list_failures())
        self.assertIsNone(server.holder)

    def test_deleted_physical_resource_is_not_failure(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        server.errors = [fakes.NotFound()]
        self.assertEqual([], self.release().list_failures())
        server.errors = [fakes.NotFound()]
        self.assertEqual([], self.protect().list_failures())
        self.assertEqual({'server': resource_states.NO_API}, self.states())

    def test_superseded_lock_stops_and_is_reverted(self):
        cfg.CONF.set_override('lock_concurrency', 1, 'heat_extras')
        first = self.web.add(fakes.Lockable, 'first')
        second = self.web.add(fakes.Lockable, 'second')
        self.withdraw_in(first, 'handle_lock')
        self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual(([('first', True)], None),
                         (self.late, first.holder))
        self.assertNotIn('lock all', second.calls)
        self.assertEqual([resource_states.LOCKING] * 2,
                         list(self.states().values()))

    def test_superseded_unlock_stops_and_is_reverted(self):
        cfg.CONF.set_override('lock_concurrency', 1, 'heat_extras')
        first = self.web.add(fakes.Lockable, 'first')
        second = self.web.add(fakes.Lockable, 'second')
        self.protect()
        self.withdraw_in(first, 'handle_unlock')
        self.assertRaises(resource_table.Superseded, self.release)
        self.assertEqual(([('first', False)], 'us', 'us'),
                         (self.late, first.holder, second.holder))
        self.assertEqual([resource_states.LOCKING] * 2,
                         list(self.states().values()))

    def test_late_unlock_is_followed_by_single_query(self):
        # Some services would add a second lock to the other user's lock.
        for holder in 'us', 'bob':
            server = self.late_unlock(holder)
            self.assertEqual(holder, server.holder)
            self.assertEqual('unlock', server.calls[-2])
            self.assertEqual('find', server.calls[-1])

    def late_unlock(self, holder):
        """Unlock too late a resource that another user then protects."""
        self.operation_token.is_withdrawn = False
        self.web.resources.clear()
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        self.meanwhile = lambda resource: setattr(resource, 'holder', holder)
        self.withdraw_in(server, 'handle_unlock')
        self.assertRaises(resource_table.Superseded, self.release)
        return server

    def test_superseded_lock_keeps_lock_of_other_user(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.meanwhile = lambda resource: setattr(resource, 'holder', 'bob')
        self.withdraw_in(server, 'handle_lock')
        self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual('bob', server.holder)

    def test_revert_of_late_lock_is_retried(self):
        # The service is overloaded. Otherwise, the call would not be late.
        server = self.web.add(fakes.Lockable, 'server')

        def meanwhile(resource):
            resource.errors = [fakes.Refused(503), None,
                               requests.ConnectionError()]
        self.meanwhile = meanwhile
        self.withdraw_in(server, 'handle_lock')
        with mock.patch('tenacity.nap.time.sleep'):
            self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual(([], None), (server.errors, server.holder))

    def test_failed_revert_of_late_lock_is_logged(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.meanwhile = lambda resource: setattr(
            resource, 'errors', [fakes.Refused()])
        self.withdraw_in(server, 'handle_lock')
        with mock.patch.object(lock_resources, 'LOG') as log:
            self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual((1, 'us'), (log.exception.call_count, server.holder))

    def test_failed_late_call_is_settled(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.errors = [None, ValueError('connection lost')]
        self.withdraw_in(server, 'handle_lock')
        self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual([('server', True)], self.late)

    def test_late_call_is_settled_after_database_outage(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.withdraw_in(server, 'handle_lock')
        is_valid, away = self.operation_token._is_valid, [True]

        def look():
            if self.operation_token.is_withdrawn and away:
                away.pop()
                raise db_exception.DBConnectionError()
            return is_valid()
        self.operation_token._is_valid = look
        self.useFixture(fixtures.MockPatchObject(
            resource_table.Token.is_superseded.retry, 'sleep',
            lambda seconds: None))
        self.assertRaises(resource_table.Superseded, self.protect)
        self.assertEqual(([], [('server', True)], None),
                         (away, self.late, server.holder))

    def test_dry_run_changes_nothing(self):
        server = self.web.add(fakes.Lockable, 'server')
        other = self.web.add(fakes.Lockable, 'other')
        other.holder = 'bob'
        entries = lock_resources.dry_run(None, self.web.id, [self.web.id])
        self.assertEqual(
            {'server': (resource_states.PROTECTED, None),
             'other': (resource_states.FOUND, 'held by bob')},
            {each.name: result for each, result in entries.results.items()})
        self.assertEqual((['find'], []), (server.calls, self.written))

    def verified(self):
        """Return the recorded and current state and the reason, by name."""
        return {row[2]: row[-3:]
                for row in lock_resources.verify(self.web.id)}

    def test_verification_without_find_lock_shows_recorded_state(self):
        self.web.add(Blind, 'thing')
        self.protect()
        self.assertEqual({'thing': (
            'protected', 'protected',
            'the recorded state, because the lock handler of this type cannot '
            'query the service')}, self.verified())

    def test_verification_compares_recorded_and_current_state(self):
        self.protected_and_then(kept='us', lifted=None, taken='bob',
                                unknown='us', theirs=None)
        self.web.resources['unknown'].errors = [fakes.Refused(500)] * 5
        for name, state in (('lifted', resource_states.LOCKING),
                            ('theirs', resource_states.FOUND)):
            self.rows[self.web.resources[name].id].state = state
        with mock.patch('tenacity.nap.time.sleep'):
            self.assertEqual({
                'kept': ('protected', 'protected', ''),
                'lifted': ('failed', 'not_protected', ''),
                'taken': ('protected', 'found_protected', 'held by bob'),
                'theirs': ('found_protected', 'not_protected', ''),
                'unknown': ('protected', 'not_known', 'HTTP 500')},
                self.verified())


class LoadResourcesTest(testtools.TestCase):
    """The resources of a stack, regardless of its template."""

    def setUp(self):
        super().setUp()
        self.rows, self.resources = {}, {}
        self.stack = mock.Mock(id='id-of-web')
        self.stack._resource_from_db_resource.side_effect = (
            lambda row, definitions: self.resources[row.name])
        for target, name, replacement in (
                (lock_resources.heat_stack.Stack, 'load',
                 mock.Mock(return_value=self.stack)),
                (lock_resources.guard_row, 'read_all',
                 lambda context, ids: {id: {} for id in ids}),
                (lock_resources.resource_object.Resource,
                 'get_all_active_by_stack',
                 lambda context, stack_id: dict(self.rows))):
            patcher = mock.patch.object(target, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def add(self, name, resource, physical_id='physical'):
        row = mock.Mock(physical_resource_id=physical_id)
        row.name = name
        self.rows[len(self.rows)] = row
        self.resources[name] = resource

    def load(self):
        return lock_resources.load_resources(None, ['id-of-web'])[0]

    def test_resources_with_same_name_are_both_loaded(self):
        for resource in ('old', 'new'):
            self.add(resource, resource)
        self.assertEqual(['old', 'new'], self.load())

    def test_resource_without_physical_id_is_omitted(self):
        self.add('planned', 'planned', physical_id=None)
        self.assertEqual([], self.load())

    def test_nested_stack_resource_is_omitted(self):
        self.add('group', mock.Mock(spec=stack_resource.StackResource))
        self.assertEqual([], self.load())

    def test_resource_without_definition_is_omitted(self):
        self.add('unknown', None)
        self.assertEqual([], self.load())

    def test_loaded_stacks_are_returned_with_resources(self):
        _, stacks = lock_resources.load_resources(None, ['id-of-web'])
        self.assertIn(self.stack, stacks)
