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


class EventSinkTest(testtools.TestCase):
    """The credentials that send events to the sinks of a stack."""

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

    def test_event_sinks_get_credentials_of_caller(self):
        self.assertEqual([('caller', 'threads')], self.send(
            user_id='alice', is_admin=False))

    def test_event_sinks_get_stored_credentials_without_caller(self):
        self.assertEqual([('kept', 'threads')], self.send(is_admin=True))

    def test_event_is_sent_without_stored_credentials(self):
        self.creds = None
        self.assertEqual([('caller', 'threads')], self.send(is_admin=True))

    def test_event_is_sent_if_credentials_are_not_readable(self):
        self.is_readable = False
        self.assertEqual([('caller', 'threads')], self.send(is_admin=True))


class RequestedByTest(testtools.TestCase):
    def test_requester_is_named_only_within_project_of_stack(self):
        root = types.SimpleNamespace(tenant='demo')
        for who, project, wanted in (
                ('alice', 'demo', 'Requested by alice'),
                ('ops', 'admin', None), (None, 'demo', None)):
            self.assertEqual(wanted, events.requested_by(root, who, project))


class CompletedTest(testtools.TestCase):
    def test_completed_event_includes_lock_reason(self):
        self.assertEqual('Stack LOCK completed successfully (level all)',
                         events.completed('all', None))
        self.assertEqual('Stack LOCK completed successfully (level all): x',
                         events.completed('all', 'x'))
