# SPDX-License-Identifier: Apache-2.0

"""Roles, projects, domains: the option immutable, and what was there."""

import testtools

from heat_extras.stack_lock.resource_locks import keystone
from tests.unit.stack_lock.resource_locks import fakes


class Roles:
    def __init__(self, **options):
        self.options = options

    def get(self, id_):
        return self

    def update(self, id_, options):
        if self.options.get('immutable') and options['immutable']:
            raise fakes.Refused()
        for name, value in options.items():
            self.options[name] = value
            if value is None:
                del self.options[name]


class Role(keystone.KeystoneLockMixin, fakes.Resource):
    entity = 'roles'

    def __init__(self, roles):
        super().__init__()
        self.roles = roles

    def client(self):
        return self


class KeystoneTest(testtools.TestCase):
    def round_trip(self, **options):
        """Lock and unlock; returns the options before and after unlock."""
        roles = Roles(**options)
        role = Role(roles)
        self.assertIsNone(role.find_lock())
        role.handle_lock('all')
        self.assertEqual(('it is immutable', True), role.find_lock())
        locked = dict(roles.options)
        role.handle_unlock()
        return locked, roles.options

    def test_an_option_that_was_not_there_is_gone_again(self):
        self.assertEqual(({'immutable': True}, {}), self.round_trip())

    def test_an_option_that_was_false_is_false_again(self):
        self.assertEqual(({'immutable': True}, {'immutable': False}),
                         self.round_trip(immutable=False))

    def test_other_options_stay(self):
        self.assertEqual(({'immutable': True, 'other': 1}, {'other': 1}),
                         self.round_trip(other=1))

    def test_a_release_of_keystone_without_options(self):
        roles = Roles()
        roles.options = None
        self.assertIsNone(Role(roles).find_lock())
