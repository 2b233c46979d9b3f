# SPDX-License-Identifier: Apache-2.0

"""The operations that a lock rejects, and how each is sent.

Every sender gets a :class:`Target` and returns a response, or None when
there is nothing to send it to at the moment.
"""

from collections.abc import Callable
import dataclasses
import random

from tests.stress import templates


@dataclasses.dataclass
class Target:
    """A stack under stress.

    :ivar client: a client of the functional tests
    :ivar path: the path of the root stack, ``/stacks/NAME/ID``
    :ivar database: a :class:`tests.stress.database_state.Database`
    :ivar template: the template for create and update
    """

    client: object
    path: str
    database: object
    template: dict

    @property
    def stack_id(self):
        return self.path.rpartition('/')[2]

    def nested_path(self):
        """Return the path of any stack below the root, or None."""
        ids = self.database.nested_ids(self.stack_id)
        if not ids:
            return None
        chosen = random.choice(ids)
        name = self.database.names([chosen]).get(chosen)
        return name and f'/stacks/{name}/{chosen}'

    def snapshot_path(self):
        """Return the path of any snapshot, or None."""
        answer = self.client.get(self.path + '/snapshots')
        if answer.status_code != 200 or not answer.json()['snapshots']:
            return None
        chosen = random.choice(answer.json()['snapshots'])
        return f'{self.path}/snapshots/{chosen["id"]}'


@dataclasses.dataclass(frozen=True)
class Operation:
    """An operation.

    :ivar answers: what may come while the stack is not locked, beside 409
    :ivar locked: what may come while it is locked, and only that
    """

    name: str
    send: Callable
    answers: frozenset
    locked: frozenset = frozenset({409})


def _update(target):
    return target.client.put(target.path, {
        'template': target.template, 'files': templates.FILES,
        'parameters': {'value': random.choice('abcdef')}})


def _patch(target):
    return target.client.patch(
        target.path, {'parameters': {'value': random.choice('abcdef')}})


def _action(name):
    return lambda target: target.client.post(
        target.path + '/actions', {name: None})


def _signal(resource, **details):
    return lambda target: target.client.post(
        f'{target.path}/resources/{resource}/signal', details)


def _mark_unhealthy(target):
    return target.client.patch(
        target.path + '/resources/text',
        {'mark_unhealthy': True, 'resource_status_reason': 'stress'})


def _delete(target):
    return target.client.delete(target.path)


def _abandon(target):
    return target.client.delete(target.path + '/abandon')


def _snapshot(target):
    return target.client.post(target.path + '/snapshots', {'name': 'stress'})


def _snapshot_delete(target):
    path = target.snapshot_path()
    return path and target.client.delete(path)


def _restore(target):
    path = target.snapshot_path()
    return path and target.client.post(path + '/restore')


def _nested_patch(target):
    path = target.nested_path()
    return path and target.client.patch(path, {'parameters': {}})


def _nested_check(target):
    path = target.nested_path()
    return path and target.client.post(path + '/actions', {'check': None})


def _nested_delete(target):
    path = target.nested_path()
    return path and target.client.delete(path)


def _export(target):
    return target.client.get(target.path + '/export')


def _operation(name, send, *answers, **keywords):
    # 400 if the stack is suspended, or has no operation to cancel.
    return Operation(name, send, frozenset(answers), **keywords)


UPDATE = _operation('update', _update, 202, 400)
PATCH = _operation('patch', _patch, 202, 400)
# 400: bare Heat loses its credentials where a delete races a delete
# (heat.engine.stack.Stack._check_refresh_cred).
DELETE = _operation('delete', _delete, 204, 400, 404)
ABANDON = _operation('abandon', _abandon, 200, 404)
SUSPEND = _operation('suspend', _action('suspend'), 200, 400)
RESUME = _operation('resume', _action('resume'), 200, 400)
CHECK = _operation('check', _action('check'), 200, 400)
SNAPSHOT = _operation('snapshot', _snapshot, 200)
SNAPSHOT_DELETE = _operation('snapshot delete', _snapshot_delete,
                             204, 400, 404)
RESTORE = _operation('restore', _restore, 200, 202, 204, 400, 404)
MARK_UNHEALTHY = _operation('mark unhealthy', _mark_unhealthy, 200)
CANCEL = _operation('cancel', _action('cancel_update'), 200, 400)
CANCEL_ONLY = _operation('cancel without rollback',
                         _action('cancel_without_rollback'), 200, 400)
HOOK = _operation('hook clearing', _signal('test', unset_hook='pre-update'),
                  200, 400)
SCALE_UP = _operation('scale up', _signal('scale_up'), 200, 400,
                      locked=frozenset({200}))
SCALE_DOWN = _operation('scale down', _signal('scale_down'), 200, 400,
                        locked=frozenset({200}))
NESTED_PATCH = _operation('patch of a nested stack', _nested_patch,
                          202, 400, 404)
NESTED_CHECK = _operation('check of a nested stack', _nested_check,
                          200, 400, 404)
NESTED_DELETE = _operation('delete of a nested stack', _nested_delete,
                           204, 404)
# Not rejected. Older releases of Heat use StackLock, like a lock.
EXPORT = _operation('export', _export, 200, locked=frozenset({200, 409}))
