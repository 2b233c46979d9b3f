# SPDX-License-Identifier: Apache-2.0

"""Tests of the digests that a rollback compares."""

from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
import testtools

from heat_extras.heat_internals import current_update


class DigestTest(testtools.TestCase):

    def assert_same(self, first, other):
        self.assertEqual(current_update.compute_digest(first),
                         current_update.compute_digest(other))

    def assert_other(self, first, other):
        self.assertNotEqual(current_update.compute_digest(first),
                            current_update.compute_digest(other))

    def test_digest_depends_on_value(self):
        self.assert_same({'a': 1, 'b': [2.0]}, {'b': [2], 'a': 1.0})
        self.assert_same(('a',), ['a'])
        self.assert_same({1: 'x'}, {'1': 'x'})
        self.assert_other(1, True)
        self.assert_other(1, '1')
        self.assert_other(1, 1.5)
        self.assert_other(None, '')
        self.assert_other(['a', 'b'], ['b', 'a'])

    def test_digest_of_infinity_and_nan(self):
        self.assert_same(float('inf'), float('inf'))
        self.assert_same(float('nan'), float('nan'))
        self.assert_other(float('inf'), float('nan'))

    def test_digest_depends_on_auth_encryption_key(self):
        before = current_update.compute_digest('open-sesame')
        self.assertEqual(32, len(before))
        cfg.CONF.set_override('auth_encryption_key', 'another ' * 4)
        self.addCleanup(cfg.CONF.clear_override, 'auth_encryption_key')
        self.assertNotEqual(before,
                            current_update.compute_digest('open-sesame'))
