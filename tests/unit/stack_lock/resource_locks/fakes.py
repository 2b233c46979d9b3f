# SPDX-License-Identifier: Apache-2.0

"""Fake resources and stacks for tests of lock handlers."""

import itertools
from unittest import mock

from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import lock_record

_ids = itertools.count(7)


class NotFound(Exception):
    """The error of a service for a deleted resource."""

    code = 404


class Refused(Exception):
    """The error of a service that rejects a request."""

    def __init__(self, code=403):
        super().__init__(f'HTTP {code}')
        self.code = code


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
