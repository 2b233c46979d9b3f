# SPDX-License-Identifier: Apache-2.0

from heat.engine import rsrc_defn
import testtools

from heat_extras.plugins import hidden
from heat_extras.plugins.limits import planned


class ToldTest(testtools.TestCase):

    def told(self, value, key, properties):
        return planned._told(value, properties and (
            rsrc_defn.ResourceDefinition('a', 'OS::Designate::Zone',
                                         properties)), key)

    def test_what_is_free_of_hidden_parameters(self):
        for properties in ({}, {'ttl': 5}, {'ttl': 5, 'name': hidden.MASK},
                           {'ttl': '5', 'name': hidden.MASK}):
            self.assertEqual(5, self.told(5, 'ttl', properties or {'x': 1}))

    def test_what_is_not_known_to_be(self):
        self.assertEqual(hidden.MASK, self.told(5, 'ttl', None))
        self.assertEqual(hidden.MASK, self.told(5, 'ttl', {
            'ttl': hidden.MASK}))
        self.assertEqual(['a', hidden.MASK], self.told(
            ['a', 'b'], 'masters', {'masters': ['a', hidden.MASK]}))

    def test_what_heat_takes_from_another_property(self):
        # heat.engine.translation: primaries take the place of masters, and
        # rules can add to a list.
        self.assertEqual(hidden.MASK, self.told(
            ['secret'], 'masters', {'primaries': [hidden.MASK]}))
        self.assertEqual(hidden.MASK, self.told(
            ['a', 'secret'], 'masters', {
                'masters': ['a'], 'primaries': [hidden.MASK]}))
        self.assertEqual(['a'], self.told(
            ['a'], 'masters', {'primaries': ['a']}))
