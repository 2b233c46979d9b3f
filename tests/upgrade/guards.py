# SPDX-License-Identifier: Apache-2.0

"""Guards of stacks during an upgrade of Heat, one class for each guard.

``create`` makes a stack, ``protect`` guards it, ``check`` makes the requests
that the guard rejects, and ``end`` removes the guard and changes the stack.
"""

import datetime

from tests.harness import request_times
from tests.stress import templates

TAG = 'keep'
ADMIN, MEMBER = ('root', 'admin'), ('alice',)
_VERSION = {'heat_template_version': '2018-08-31'}
_REMOTE = {
    **_VERSION,
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'test': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'}}},
        'remote': templates.PROTECTED_TREE['resources']['remote']},
}
LONE = {
    **_VERSION,
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'}}}},
}
_IMMUTABLE = {
    **LONE,
    'parameters': {'value': {'type': 'string', 'default': 'one',
                             'updatable': False}},
}
_KEPT = {
    **LONE,
    'resources': {'test': {
        **LONE['resources']['test'],
        'update_policy': {'allow': {'replace': False}}}},
}
_EMPTY = {**LONE, 'resources': {}}
_FREE = {**LONE, 'resources': {'test': {
    **LONE['resources']['test'],
    'update_policy': {'allow': {'replace': True}}}}}


class Guard:
    """A stack and its guard.

    :param test: has ``connect``, which makes a client of a user, and
        ``engines``: so often a rejected request is made, for that many
        engines take turns
    """

    name = ''
    template = LONE
    files = None

    def __init__(self, test, suffix=''):
        self.test = test
        self.name = f'{self.name}{suffix}'
        self.path = ''

    def create(self):
        """Create the stack."""
        self.path = self.alice.create_stack(
            self.name, self.template, files=self.files, **self.more())

    def more(self):
        """Return additional fields of the create request."""
        return {}

    @property
    def alice(self):
        return self.test.connect(*MEMBER)

    @property
    def admin(self):
        return self.test.connect(*ADMIN)

    def act(self, name, fields=None, client=None, status=200):
        """Send an action, and check the status of the response."""
        return self.expect(status, (client or self.alice).post(
            self.path + '/actions', {name: fields}))

    def expect(self, status, answer):
        self.test.assertEqual(status, answer.status_code,
                              f'{self.name}: {answer.text}')
        return answer

    def expect_each(self, status, send):
        """Check the status of the response of each engine."""
        for _ in range(self.test.engines):
            answer = self.expect(status, send())
        return answer

    def expect_update_rejected(self):
        self.expect_each(409, lambda: self.patch(parameters={'value': 'no'}))

    def shown(self):
        return self.alice.show_stack(self.path)

    def resource(self, name):
        return self.expect(200, self.alice.get(
            f'{self.path}/resources/{name}')).json()['resource']

    def patch(self, client=None, **body):
        return (client or self.alice).patch(self.path, body)

    def update(self, template=None, status='UPDATE_COMPLETE', **body):
        """Update the stack, and wait for the end."""
        before = self.shown()['stack_status']
        self.expect(202, self.alice.put(self.path, {
            'template': template or self.template, 'files': self.files,
            **body}))
        self.alice.wait_for_stack(self.path, [status], failed=before)


class Lock(Guard):
    """A lock of level ``stacks`` on a tree."""

    name = 'tree'
    template = templates.TREE
    files = templates.FILES
    level = 'stacks'

    def protect(self):
        self.act('lock', self.fields(), self.locker())
        self.alice.wait_for_lock(self.path, 'LOCK_COMPLETE')

    def fields(self):
        return {'level': self.level, 'reason': 'upgrade'}

    def locker(self):
        return self.alice

    def check(self):
        self.expect_each(409, lambda: self.alice.delete(self.path))
        self.expect_update_rejected()
        self.expect_each(409, lambda: self.alice.post(
            self.path + '/actions', {'suspend': None}))
        stack = self.shown()
        self.test.assertEqual(
            ('LOCK', 'COMPLETE', self.level, 'upgrade'),
            (*stack['lock_status'].split('_'), stack['lock_level'],
             stack['lock_reason']))
        self.test.assertIn(stack['lock_id'], [
            lock['id'] for lock in self.expect(
                200, self.alice.get('/locks')).json()['locks']])

    def end(self):
        self.act('unlock', {'id': self.shown()['lock_id']}, self.locker())
        self.alice.wait_for_lock(self.path, 'UNLOCK_COMPLETE')
        self.update(parameters={'value': 'three'})


class SignalLock(Lock):
    """A lock of a tree with a group of two members that gets signals."""

    name = 'signalled'

    def check(self):
        super().check()
        before = self.members()
        self.expect_each(200, lambda: self.alice.post(
            f'{self.path}/resources/scale_up/signal', {}))
        self.test.assertEqual(before, self.members())

    def members(self):
        listed = self.expect(200, self.alice.get(
            f'{self.path}/resources?nested_depth=3')).json()['resources']
        return sorted(each['physical_resource_id'] for each in listed)


class LevelAll(Lock):
    """A lock that also locks the resources in another service."""

    name = 'remote'
    template = _REMOTE
    files = None
    level = 'all'

    def remote(self):
        return '/stacks/' + self.resource('remote')['physical_resource_id']

    def check(self):
        super().check()
        self.test.assertEqual('protected',
                              self.resource('remote')['lock_protection'])
        stack = self.alice.show_stack(self.remote())
        self.test.assertEqual('all', stack['lock_level'])
        self.expect_each(409, lambda: self.alice.delete(
            f'/stacks/{stack["stack_name"]}/{stack["id"]}'))

    def end(self):
        super().end()
        self.test.assertIsNone(
            self.alice.show_stack(self.remote())['lock_level'])


class ExpiringLock(Lock):
    """A lock that an engine removes at its expiration time."""

    name = 'expiring'
    template = LONE
    files = None

    def fields(self):
        self.expires_at = _seconds(request_times.from_now(days=2))
        return {**super().fields(), 'expires_at': self.expires_at}

    def check(self):
        super().check()
        self.test.assertEqual(self.expires_at,
                              self.shown()['lock_expires_at'])

    def end(self):
        self.act('extend_lock',
                 {'expires_at': request_times.from_now(seconds=3)})
        self.test.wait_for(
            'the lock to expire', lambda: self.shown()['lock_level'],
            lambda level: level is None)
        self.update(parameters={'value': 'three'})


class AdministratorLock(Lock):
    """An administrator lock."""

    name = 'administrators'
    template = LONE
    files = None

    def locker(self):
        return self.admin

    def check(self):
        super().check()
        self.expect_each(403, lambda: self.alice.post(
            self.path + '/actions', {'unlock': None}))


class Pass(Lock):
    """A lock with an unused lock pass."""

    name = 'passed'
    template = LONE
    files = None

    def protect(self):
        super().protect()
        self.act('lock_pass', {'user': {'id': 'bob'},
                               'expires_at': request_times.from_now(hours=12)})

    def check(self):
        super().check()
        self.test.assertIsNotNone(self.shown()['lock_pass'])

    def end(self):
        self.expect(202, self.patch(self.test.connect('bob'),
                                    parameters={'value': 'two'}))
        self.alice.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.test.wait_for(
            'the lock to be closed', self.shown,
            lambda stack: stack['lock_pass'] is None)
        Lock.check(self)
        super().end()


class Protection(Guard):
    """A delete protection."""

    name = 'protected'

    def protect(self):
        self.act('protect', {'reason': 'upgrade'})

    def check(self):
        self.expect_each(409, lambda: self.alice.delete(self.path))
        self.expect_each(409, lambda: self.admin.delete(
            self.path + '/abandon'))
        self.test.assertIs(True, self.shown()['delete_protected'])

    def end(self):
        self.update(parameters={'value': 'two'})
        self.check()
        self.act('unprotect')
        self.expect(204, self.alice.delete(self.path))
        self.alice.wait_for_stack(self.path, ['DELETE_COMPLETE'])


class Tag(Guard):
    """The tag that protects a stack from deletion."""

    name = 'tagged'

    def more(self):
        return {'tags': TAG}

    def protect(self):
        """Do nothing: the tag protects the stack."""

    def check(self):
        self.expect_each(409, lambda: self.alice.delete(self.path))

    def end(self):
        self.update(parameters={'value': 'two'}, tags='free')
        self.expect(204, self.alice.delete(self.path))
        self.alice.wait_for_stack(self.path, ['DELETE_COMPLETE'])


class Parameter(Guard):
    """An immutable parameter."""

    name = 'parameter'
    template = _IMMUTABLE

    def protect(self):
        """The template does that."""

    def check(self):
        answer = self.expect_each(
            400, lambda: self.patch(parameters={'value': 'two'}))
        self.test.assertEqual('ImmutableParameterModified',
                              answer.json()['error']['type'])
        self.test.assertEqual({'value': False}, self.shown()['updatable'])

    def end(self):
        self.update(LONE)
        self.update(LONE, parameters={'value': 'two'})


class Policy(Guard):
    """A resource that updates must not replace or remove."""

    name = 'policy'
    template = _KEPT

    def protect(self):
        """The template does that."""

    def check(self):
        changes = self.expect_each(200, lambda: self.alice.put(
            self.path + '/preview', {'template': _EMPTY})).json()[
                'resource_changes']
        self.test.assertEqual(['test'], [
            each['resource_name'] for each in changes['restricted']])

    def end(self):
        before = self.resource('test')['physical_resource_id']
        self.update(_EMPTY, 'UPDATE_FAILED')
        self.test.assertEqual(
            before, self.resource('test')['physical_resource_id'])
        self.test.assertIn('nothing was changed',
                           self.shown()['stack_status_reason'])
        self.update(_FREE)
        self.update(_EMPTY)


class Mark(Guard):
    """A resource that the next update replaces."""

    name = 'marked'

    def protect(self):
        self.expect(200, self.alice.patch(
            f'{self.path}/resources/test', {
                'mark_unhealthy': True,
                'resource_status_reason': 'broken'}))

    def check(self):
        resource = self.resource('test')
        self.test.assertEqual('CHECK_FAILED', resource['resource_status'])
        self.test.assertIn('broken', resource['resource_status_reason'])

    def end(self):
        before = self.resource('test')['physical_resource_id']
        self.update()
        after = self.resource('test')
        self.test.assertNotEqual(before, after['physical_resource_id'])


ALL = (SignalLock, LevelAll, ExpiringLock, AdministratorLock, Pass,
       Protection, Tag, Parameter, Policy, Mark)


def _seconds(moment):
    """Format a time as in responses: in UTC and whole seconds."""
    time = datetime.datetime.fromisoformat(moment)
    return time.astimezone(datetime.timezone.utc).strftime(
        '%Y-%m-%dT%H:%M:%SZ')
