# SPDX-License-Identifier: Apache-2.0

"""Protect and release a tree: what is tried, noted and left alone."""

from unittest import mock

import fixtures
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_db import exception as db_exception
import requests
import testtools

from heat_extras import conf
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock.resource_locks import physical_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from tests.unit.stack_lock.resource_locks import fakes


class Blind(fakes.Lockable):
    """A plugin that cannot be asked."""

    find_lock = None
    is_own_lock = None


class WorkTest(testtools.TestCase):
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
        self.theirs = []
        self.operation_token = fakes.Token(self.web.id)
        for target, name, replacement in (
                (physical_resources, 'load', self.load),
                (protection_table, 'of_tree',
                 lambda context, root_id: dict(self.rows)),
                (protection_table, 'write', self.write),
                (protection_table, 'mark_asked', self.mark_asked),
                (operation_token, 'reconcile_late_call', self.settle),
                (lock_resources.thread_pool.time, 'sleep',
                 lambda seconds: None)):
            patcher = mock.patch.object(target, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def load(self, context, stack_ids, **how):
        stacks = [stack for stack in (self.web, self.nested)
                  if stack.id in stack_ids]
        return physical_resources.Physical(
            [resource for stack in stacks
             for resource in stack.resources.values()], stacks)

    def write(self, operation_token, results, events=(), forgotten=()):
        operation_token.check()
        self.events += events
        for id in forgotten:
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
            state=states.LOCKING, reason=None)
            for id, row in self.rows.items() if row.state in states.OURS})

    def settle(self, operation_token, resource, is_protected, change):
        self.late.append((resource.name, is_protected))
        self.meanwhile(resource)
        self.theirs.append(change(resource, not is_protected))

    def withdraw_in(self, resource, name):
        """Let the mandate be withdrawn while a handler is at work."""
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
        """Protect resources, which have other holders from then on."""
        for name in holders:
            self.web.add(fakes.Lockable, name)
        self.protect()
        for name, holder in holders.items():
            self.web.resources[name].holder = holder

    def test_it_is_noted_before_the_service_is_asked(self):
        server = self.web.add(fakes.Lockable, 'server')

        def look(level):
            self.assertEqual({'server': states.LOCKING}, self.states())
        server.handle_lock = look
        self.protect()
        self.assertEqual({'server': states.PROTECTED}, self.states())

    def test_what_has_no_lock_is_told(self):
        self.web.add(fakes.Resource, 'network')
        self.protect()
        row, = self.rows.values()
        self.assertEqual((states.NO_API, 'OS::Test::Thing has no lock API'),
                         (row.state, row.reason))

    def test_everything_is_tried(self):
        bad = self.web.add(fakes.Lockable, 'bad')
        good = self.nested.add(fakes.Lockable, 'good')
        bad.errors = [fakes.Refused()]
        found = self.protect()
        self.assertEqual(['bad of stack web: needs rights that you lack: '
                          'HTTP 403'], found.failed())
        self.assertEqual('us', good.holder)
        self.assertEqual({'bad': states.FAILED, 'good': states.PROTECTED},
                         self.states())

    def test_to_lock_again_tries_what_is_missing_only(self):
        bad = self.web.add(fakes.Lockable, 'bad')
        good = self.web.add(fakes.Lockable, 'good')
        bad.errors = [fakes.Refused()]
        self.protect()
        good.calls.clear()
        self.assertEqual([], self.protect().failed())
        self.assertEqual(['find'], good.calls)
        self.assertEqual('us', bad.holder)

    def test_what_one_look_has_found_is_not_asked_again(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        for is_own, left in ((False, 'us'), (True, None)):
            server.find_lock = lambda is_own=is_own: handler_api.Found(
                'somebody', is_own)
            server.is_own_lock = lambda is_own=is_own: not is_own
            self.rows[server.id] = mock.Mock(
                stack_id=self.web.id, resource_name='server',
                state=states.PROTECTED, reason=None)
            self.release()
            self.assertEqual(left, server.holder)

    def test_found_ones_stay_theirs(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.holder = 'bob'
        self.protect()
        self.assertEqual({'server': states.FOUND}, self.states())
        self.release()
        self.assertEqual('bob', server.holder)

    def test_who_was_faster_keeps_it(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.handle_lock = mock.Mock(
            side_effect=handler_api.LockedByOthers('bob'))
        self.protect()
        self.assertEqual({'server': states.FOUND}, self.states())

    def test_a_lock_whose_answer_was_lost_is_ours(self):
        server = self.web.add(fakes.Lockable, 'server')

        def lock(level):
            server.holder = 'us'
            raise fakes.Refused(400)
        server.handle_lock = lock
        self.protect()
        self.assertEqual({'server': states.PROTECTED}, self.states())

    def test_so_is_one_whose_plugin_ends_in_what_is_no_exception(self):
        for name, is_locked in ('kept', True), ('lost', False):
            server = self.web.add(fakes.Lockable, name)

            def lock(level, server=server, is_locked=is_locked):
                server.holder = 'us' if is_locked else None
                raise SystemExit(404)

            server.handle_lock = lock
        report = self.protect()
        self.assertEqual({'kept': 'protected', 'lost': 'locking'},
                         self.states())
        self.assertIn('SystemExit: 404', report.failed()[0])

    def test_a_plugin_that_cannot_be_asked_is_locked_once(self):
        thing = self.web.add(Blind, 'thing')
        self.protect()
        self.protect()
        self.assertEqual(['lock all'], thing.calls)
        self.release()
        self.assertEqual(['lock all', 'unlock'], thing.calls)

    def test_a_plugin_that_takes_its_time_is_waited_for(self):
        thing = self.web.add(fakes.Lockable, 'thing')
        thing.check_lock_complete = mock.Mock(side_effect=[False, True])
        thing.check_unlock_complete = mock.Mock(side_effect=[False, True])
        self.protect()
        self.release()
        self.assertEqual(2, thing.check_lock_complete.call_count)
        self.assertEqual(2, thing.check_unlock_complete.call_count)

    def test_release_forgets_what_it_lifts(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        handler_api.remember(server, 'lock-1')
        self.assertEqual([], self.release().failed())
        self.assertIsNone(server.holder)
        self.assertEqual(({}, {}), (self.rows, server.kept))

    def test_release_tells_what_others_did(self):
        self.protected_and_then(lifted=None, taken='bob')
        found = self.release()
        self.assertEqual(['lifted', 'taken'],
                         sorted(found.lifted_by_others()))
        self.assertEqual('bob', self.web.resources['taken'].holder)
        self.assertEqual({}, self.rows)

    def test_what_was_never_protected_is_no_news(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.write(self.operation_token, {server: (states.LOCKING, None)})
        self.assertEqual([], self.release().lifted_by_others())

    def test_what_cannot_be_released_stays_ours(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        server.errors = [fakes.Refused()]
        self.assertEqual(1, len(self.release().failed()))
        self.assertEqual({'server': states.LOCKING}, self.states())
        self.assertEqual([], self.release().failed())
        self.assertIsNone(server.holder)

    def test_what_is_gone_is_no_failure(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        server.errors = [fakes.NotFound()]
        self.assertEqual([], self.release().failed())
        server.errors = [fakes.NotFound()]
        self.assertEqual([], self.protect().failed())
        self.assertEqual({'server': states.NO_API}, self.states())

    def test_a_lock_that_is_taken_away_stops_and_takes_back(self):
        cfg.CONF.set_override('lock_concurrency', 1, 'heat_extras')
        first = self.web.add(fakes.Lockable, 'first')
        second = self.web.add(fakes.Lockable, 'second')
        self.withdraw_in(first, 'handle_lock')
        self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual(([('first', True)], None),
                         (self.late, first.holder))
        self.assertNotIn('lock all', second.calls)
        self.assertEqual([states.LOCKING] * 2, list(self.states().values()))

    def test_an_unlock_that_is_taken_away_stops_and_takes_back(self):
        cfg.CONF.set_override('lock_concurrency', 1, 'heat_extras')
        first = self.web.add(fakes.Lockable, 'first')
        second = self.web.add(fakes.Lockable, 'second')
        self.protect()
        self.withdraw_in(first, 'handle_unlock')
        self.assertRaises(operation_token.Superseded, self.release)
        self.assertEqual(([('first', False)], 'us', 'us'),
                         (self.late, first.holder, second.holder))
        self.assertEqual([states.LOCKING] * 2, list(self.states().values()))

    def test_a_late_call_is_brought_back_once(self):
        # Some services would add a lock to that of who was faster.
        for holder, is_theirs in (('us', False), ('bob', True)):
            server = self.late_unlock(holder)
            self.assertEqual((holder, [is_theirs]),
                             (server.holder, self.theirs))
            self.assertEqual('unlock', server.calls[-2])
            self.assertEqual('find', server.calls[-1])

    def late_unlock(self, holder):
        """Unlock too late something that another one then protects."""
        self.operation_token.is_withdrawn, self.theirs = False, []
        self.web.resources.clear()
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        self.meanwhile = lambda resource: setattr(resource, 'holder', holder)
        self.withdraw_in(server, 'handle_unlock')
        self.assertRaises(operation_token.Superseded, self.release)
        return server

    def test_what_others_have_taken_is_not_released_late(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.meanwhile = lambda resource: setattr(resource, 'holder', 'bob')
        self.withdraw_in(server, 'handle_lock')
        self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual(('bob', [True]), (server.holder, self.theirs))

    def test_a_service_that_fails_while_it_takes_back_is_asked_again(self):
        # It was in trouble, or the call would not have come too late.
        server = self.web.add(fakes.Lockable, 'server')

        def meanwhile(resource):
            resource.errors = [fakes.Refused(503), None,
                               requests.ConnectionError()]
        self.meanwhile = meanwhile
        self.withdraw_in(server, 'handle_lock')
        with mock.patch('tenacity.nap.time.sleep'):
            self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual(([], [False], None), (
            server.errors, self.theirs, server.holder))

    def test_a_plugin_that_ends_in_what_is_no_exception_late(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.meanwhile = lambda resource: setattr(
            resource, 'errors', [SystemExit()])
        self.operation_token.is_withdrawn = True
        error = self.assertRaises(
            lock_resources.thread_pool.NonException,
            lock_resources._reconcile_if_late, self.operation_token, server,
            True)
        self.assertIn('SystemExit', str(error))

    def test_what_may_have_got_through_is_settled_too(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.errors = [None, ValueError('connection lost')]
        self.withdraw_in(server, 'handle_lock')
        self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual([('server', True)], self.late)

    def test_while_the_database_is_away_it_is_found_out_later(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.withdraw_in(server, 'handle_lock')
        is_valid, away = self.operation_token.is_valid, [True]

        def look():
            if self.operation_token.is_withdrawn and away:
                away.pop()
                raise db_exception.DBConnectionError()
            return is_valid()
        self.operation_token.is_valid = look
        self.useFixture(fixtures.MockPatchObject(
            operation_token.Token.is_superseded.retry, 'sleep',
            lambda seconds: None))
        self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual(([], [('server', True)], None),
                         (away, self.late, server.holder))

    def test_what_was_refused_is_not(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.errors = [None, fakes.Refused()]
        self.withdraw_in(server, 'handle_lock')
        self.assertRaises(operation_token.Superseded, self.protect)
        self.assertEqual([], self.late)

    def test_what_is_lifted_for_a_deletion_stays_noted(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        self.assertEqual(
            [], lock_resources.lift(self.operation_token).failed())
        self.assertIsNone(server.holder)
        self.assertEqual({'server': states.PROTECTED}, self.states())

    def test_what_was_lifted_is_put_back(self):
        self.protected_and_then(ours='us', lifted=None, taken='bob')
        lifted = lock_resources.lift(self.operation_token)
        lock_resources.put_back(self.operation_token, lifted)
        self.assertEqual(
            {'ours': 'us', 'lifted': None, 'taken': 'bob'},
            {name: resource.holder
             for name, resource in self.web.resources.items()})
        self.assertEqual({states.PROTECTED}, set(self.states().values()))

    def test_what_cannot_be_put_back_is_noted(self):
        server = self.web.add(fakes.Lockable, 'server')
        self.protect()
        lifted = lock_resources.lift(self.operation_token)
        server.errors = [fakes.Refused()]
        lock_resources.put_back(self.operation_token, lifted)
        self.assertEqual({'server': states.FAILED}, self.states())

    def test_a_tree_that_was_taken_away_is_not_lifted(self):
        self.web.add(fakes.Lockable, 'server')
        self.protect()
        self.operation_token.is_withdrawn = True
        lifted = lock_resources.lift(self.operation_token)
        (state, reason), = lifted.results.values()
        self.assertEqual(states.FAILED, state)
        self.assertIn('no longer an operation', reason)

    def test_a_look_changes_nothing(self):
        server = self.web.add(fakes.Lockable, 'server')
        other = self.web.add(fakes.Lockable, 'other')
        other.holder = 'bob'
        found = lock_resources.look(None, self.web.id, [self.web.id])
        self.assertEqual(
            {'server': (states.PROTECTED, None),
             'other': (states.FOUND, 'held by bob')},
            {each.name: result for each, result in found.results.items()})
        self.assertEqual((['find'], []), (server.calls, self.written))

    def test_what_cannot_be_asked_is_as_it_is_noted(self):
        self.web.add(Blind, 'thing')
        self.protect()
        found = lock_resources.inspect(None, self.web.id)
        self.assertEqual([states.PROTECTED],
                         [state for state, _ in found.results.values()])

    def test_what_others_held_is_asked_about_by_who_wants_it(self):
        server = self.web.add(fakes.Lockable, 'server')
        server.holder = 'bob'
        self.protect()
        everything = (*states.OURS, states.FOUND)
        for holder, wanted in (('bob', states.FOUND), (None, None)):
            server.holder = holder
            self.assertEqual({}, lock_resources.inspect(
                None, self.web.id).results)
            self.assertEqual([wanted], [
                state for state, _ in lock_resources.inspect(
                    None, self.web.id, everything).results.values()])

    def test_inspection_says_what_is_so_now(self):
        self.protected_and_then(kept='us', lifted=None, taken='bob')
        found = lock_resources.inspect(None, self.web.id)
        self.assertEqual(
            {'kept': states.PROTECTED, 'lifted': None,
             'taken': states.FOUND},
            {each.name: state
             for each, (state, _) in found.results.items()})
