# SPDX-License-Identifier: Apache-2.0

"""The data that a lock handler stores about its lock."""

import testtools

from heat_extras.stack_lock.resource_locks import handler_api
from tests.unit.stack_lock.resource_locks import fakes


class HandlerApiTest(testtools.TestCase):
    def test_lock_id_is_saved_until_deleted(self):
        resource = fakes.Resource()
        self.assertIsNone(handler_api.load_lock_id(resource))
        handler_api.delete_lock_id(resource)
        handler_api.save_lock_id(resource, 'a lock')
        self.assertEqual('a lock', handler_api.load_lock_id(resource))
        handler_api.delete_lock_id(resource)
        self.assertEqual({}, resource.kept)

    def test_reason_text_names_stack_and_is_truncated(self):
        resource = fakes.Resource()
        self.assertEqual('locked with Heat stack web',
                         handler_api.reason_text(resource, 100))
        self.assertEqual('locked', handler_api.reason_text(resource, 6))

    def test_own_reason_is_recognized_with_any_user_reason(self):
        resource = fakes.Resource(fakes.Stack(reason='now'))
        for reason, is_ours in (('locked with Heat stack web', True),
                                ('locked with Heat stack web: then', True),
                                ('locked with Heat stack web2', False),
                                ('locked', False), (None, False)):
            self.assertEqual(is_ours, handler_api.is_own_reason(
                resource, reason, 255), reason)

    def test_own_reason_is_recognized_if_truncated(self):
        resource = fakes.Resource(fakes.Stack('n' * 300, reason='now'))
        self.assertTrue(handler_api.is_own_reason(
            resource, handler_api.reason_text(resource, 255), 255))
