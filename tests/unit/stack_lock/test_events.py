# SPDX-License-Identifier: Apache-2.0

import types

import testtools

from heat_extras.stack_lock import events


class RequesterTest(testtools.TestCase):
    def test_only_users_of_the_project_of_the_stack_are_named(self):
        root = types.SimpleNamespace(tenant='demo')
        for who, project, wanted in (
                ('alice', 'demo', 'Requested by alice'),
                ('ops', 'admin', None), (None, 'demo', None)):
            self.assertEqual(wanted, events.requester(root, who, project))
