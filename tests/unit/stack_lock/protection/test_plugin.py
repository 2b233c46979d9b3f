# SPDX-License-Identifier: Apache-2.0

"""What a plugin remembers of its lock."""

import testtools

from heat_extras.stack_lock.protection import plugin
from tests.unit.stack_lock.protection import fakes


class PluginTest(testtools.TestCase):
    def test_it_is_remembered_until_it_is_forgotten(self):
        resource = fakes.Resource()
        self.assertIsNone(plugin.recall(resource))
        plugin.forget(resource)
        plugin.remember(resource, 'a lock')
        self.assertEqual('a lock', plugin.recall(resource))
        plugin.forget(resource)
        self.assertEqual({}, resource.kept)

    def test_so_it_is_of_a_resource_that_heat_has_forgotten(self):
        resource = fakes.Resource()
        resource.is_forgotten = True
        plugin.remember(resource, 'a lock')
        self.assertEqual(({}, 'a lock'),
                         (resource.kept, plugin.recall(resource)))
        plugin.forget(resource)
        self.assertIsNone(plugin.recall(resource))

    def test_the_reason_that_services_show(self):
        resource = fakes.Resource()
        self.assertEqual('locked with Heat stack web',
                         plugin.text(resource, 100))
        self.assertEqual('locked', plugin.text(resource, 6))

    def test_our_reason_is_known_whatever_the_user_said(self):
        resource = fakes.Resource(fakes.Stack(reason='now'))
        for found, is_ours in (('locked with Heat stack web', True),
                               ('locked with Heat stack web: then', True),
                               ('locked with Heat stack web2', False),
                               ('locked', False), (None, False)):
            self.assertEqual(is_ours,
                             plugin.is_text(resource, found, 255), found)

    def test_our_reason_is_known_where_it_was_cut(self):
        resource = fakes.Resource(fakes.Stack('n' * 300, reason='now'))
        self.assertTrue(plugin.is_text(
            resource, plugin.text(resource, 255), 255))
