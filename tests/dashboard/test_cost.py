# SPDX-License-Identifier: Apache-2.0

"""The requests of the list of stacks, with and without the plugin.

``python -m tests.dashboard`` measures times.
"""

from tests.cloud import base
from tests.dashboard import base as pages
from tests.dashboard import horizon
from tests.dashboard import many_stacks
from tests.dashboard import page_client
from tests.harness.cloud import users


class CostTest(base.CloudTestCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page_clients = {is_bare: page_client.PageClient(
            cls.use_in_class(horizon.Horizon(
                cls.cloud.keystone.auth_url, is_bare=is_bare,
                page_size=many_stacks.COUNT)), users.ALICE)
            for is_bare in (True, False)}

    def test_stack_list_sends_no_additional_requests(self):
        path = many_stacks.create_copies(self.cloud, self.alice)
        self.addCleanup(self._remove, self.alice, path)
        self.addCleanup(many_stacks.delete_copies, self.cloud)
        for each in self.page_clients.values():
            # Horizon sends some requests to other services only once.
            text, _seconds = each.get(pages.STACKS)
            self.assertIn('many-499', text)
        bare, extended = (self.page_clients[
            is_bare].list_requests(pages.STACKS) for is_bare in (True, False))
        self.assertIn('/stacks?', str(bare))
        self.assertEqual(bare, extended)
