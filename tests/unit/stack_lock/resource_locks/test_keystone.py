# SPDX-License-Identifier: Apache-2.0

"""The option immutable of roles, projects and domains."""

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
        """Lock and unlock. Return the options before and after the unlock."""
        roles = Roles(**options)
        role = Role(roles)
        self.assertIsNone(role.find_lock())
        role.handle_lock('all')
        self.assertEqual(('it is immutable', True), role.find_lock())
        locked = dict(roles.options)
        role.handle_unlock()
        return locked, roles.options

    def test_missing_option_is_removed_by_unlock(self):
        self.assertEqual(({'immutable': True}, {}), self.round_trip())

    def test_false_option_is_restored_by_unlock(self):
        self.assertEqual(({'immutable': True}, {'immutable': False}),
                         self.round_trip(immutable=False))

    def test_other_options_are_kept(self):
        self.assertEqual(({'immutable': True, 'other': 1}, {'other': 1}),
                         self.round_trip(other=1))

    def test_role_without_options_has_no_lock(self):
        roles = Roles()
        roles.options = None
        self.assertIsNone(Role(roles).find_lock())
