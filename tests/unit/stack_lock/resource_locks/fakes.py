# SPDX-License-Identifier: Apache-2.0

"""Fake resources and stacks for tests of lock handlers."""

import itertools
from unittest import mock

from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import resource_table

_ids = itertools.count(7)


class NotFound(Exception):
    """The error of a service for a deleted resource."""

    code = 404


class Refused(Exception):
    """The error of a service that rejects a request."""

    def __init__(self, code=403):
        super().__init__(f'HTTP {code}')
        self.code = code


class Token(resource_table.Token):
    """An operation token without a database.

    :ivar is_withdrawn: whether the token is superseded.
    """

    def __init__(self, root_id):
        super().__init__(None, root_id, 'an operation')
        object.__setattr__(self, 'is_withdrawn', False)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def _is_valid(self):
        return not self.is_withdrawn


class Plugin:
    """A client plugin of Heat."""

    def is_not_found(self, error):
        return isinstance(error, NotFound)

    def is_over_limit(self, error):
        return False

    def _get_region_name(self):
        return 'RegionOne'


class Stack:
    def __init__(self, name='web', **lock):
        self.id = f'id-of-{name}'
        self.name = name
        self.tenant_id = 'demo'
        object_data.of_stack(self).lock = lock_record.Lock(
            **{'level': 'all', **lock})
        self.resources = {}
        self.stored = mock.Mock(name='stored context')

    def stored_context(self):
        return self.stored

    def add(self, kind, name):
        self.resources[name] = kind(self, name)
        return self.resources[name]


class Resource:
    """A resource with resource data, but without a lock handler."""

    plugin = Plugin()

    def __init__(self, stack=None, name='server'):
        self.stack = stack or Stack()
        self.name = name
        self.id = next(_ids)
        self.resource_id = f'physical-{name}'
        self.context = mock.Mock(name='context', user_id='alice',
                                 project_id='demo')
        self.kept = {}

    def type(self):
        return 'OS::Test::Thing'

    def client_plugin(self):
        return self.plugin

    _default_client_plugin = client_plugin

    def data(self):
        return self.kept

    def data_set(self, key, value, redact=False):
        self.kept[key] = value

    def data_delete(self, key):
        return self.kept.pop(key, None) is not None


class Lockable(Resource):
    """A resource with a lock handler whose calls can fail.

    :ivar holder: the owner of the lock: None, 'us' or another name.
    :ivar errors: the errors of the next calls, in this order. None is a
        success.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.holder = None
        self.errors = []
        self.calls = []

    def _call(self, name):
        self.calls.append(name)
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error

    def find_lock(self):
        self._call('find')
        return self.holder and (f'held by {self.holder}', self.holder == 'us')

    def handle_lock(self, level):
        self._call(f'lock {level}')
        self.holder = 'us'

    def handle_unlock(self):
        self._call('unlock')
        self.holder = None
