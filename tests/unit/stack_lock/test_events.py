# SPDX-License-Identifier: Apache-2.0

import datetime
import types

import fixtures
from heat.common import context as heat_context
import testtools

from heat_extras.stack_lock import events

_ROW = {'resource_action': 'UNLOCK', 'resource_status': 'COMPLETE',
        'resource_status_reason': 'the end of the lock has come',
        'physical_resource_id': 'an-id', 'resource_name': 'web',
        'resource_type': 'OS::Heat::Stack', 'uuid': 'a-uuid',
        'created_at': datetime.datetime(2026, 11, 24)}
_OUTCOME = types.SimpleNamespace(root=types.SimpleNamespace(id='an-id'),
                                 stack_ids=['an-id', 'nested'],
                                 root_events=[
                                     events.WrittenEvent(_ROW, 'COMPLETE')])
_SERVICE = types.SimpleNamespace(thread_group_mgr='threads')


class SinkTest(testtools.TestCase):
    """By whose credentials the sinks of a stack are told."""

    def setUp(self):
        super().setUp()
        self.listened, self.told, self.limited = [], [], []
        self.creds, self.sinks = 'kept', ['a sink']
        self.is_readable = True
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.events.purge_old_events',
            lambda context, stack_ids, written: self.limited.append(
                (stack_ids, written))))
        self.useFixture(fixtures.MonkeyPatch(
            'heat.engine.notification.stack.send',
            lambda stack: self.listened.append(stack.credentials)))
        self.useFixture(fixtures.MonkeyPatch(
            'heat.engine.event.Event', lambda context, stack, *_, **__: None))
        self.useFixture(fixtures.MonkeyPatch(
            'heat.engine.stack.Stack.load',
            lambda cls, *args, **more: self._load(*args, **more)))

    def _load(self, context, stack_id, use_stored_context=False):
        if use_stored_context and not self.is_readable:
            raise AttributeError("'NoneType' object has no attribute")
        stack = types.SimpleNamespace(
            id=stack_id, user_creds_id=self.creds,
            env=types.SimpleNamespace(get_event_sinks=lambda: self.sinks),
            credentials=self.creds if use_stored_context else 'caller')
        stack.dispatch_event = lambda event: self.told.append(
            (stack.credentials, stack.thread_group_mgr))
        return stack

    def send(self, **context):
        events.notify(_SERVICE, heat_context.RequestContext(**context),
                      _OUTCOME, 'UNLOCK')
        self.assertEqual(['caller'], self.listened)
        self.assertEqual([({'an-id', 'nested'}, 1)], self.limited)
        return self.told

    def test_a_caller_tells_them_as_himself(self):
        self.assertEqual([('caller', 'threads')], self.send(
            user_id='alice', is_admin=False))

    def test_where_nobody_asks_they_are_told_with_what_heat_keeps(self):
        self.assertEqual([('kept', 'threads')], self.send(is_admin=True))

    def test_a_stack_whose_credentials_are_not_kept_is_still_told_of(self):
        self.creds = None
        self.assertEqual([('caller', 'threads')], self.send(is_admin=True))

    def test_nor_is_one_missed_whose_credentials_cannot_be_read(self):
        self.is_readable = False
        self.assertEqual([('caller', 'threads')], self.send(is_admin=True))


class RequesterTest(testtools.TestCase):
    def test_only_users_of_the_project_of_the_stack_are_named(self):
        root = types.SimpleNamespace(tenant='demo')
        for who, project, wanted in (
                ('alice', 'demo', 'Requested by alice'),
                ('ops', 'admin', None), (None, 'demo', None)):
            self.assertEqual(wanted, events.requested_by(root, who, project))


class CompletedTest(testtools.TestCase):
    def test_a_reason_is_reported_where_there_is_one(self):
        self.assertEqual('Stack LOCK completed successfully (level all)',
                         events.completed('all', None))
        self.assertEqual('Stack LOCK completed successfully (level all): x',
                         events.completed('all', 'x'))
