# SPDX-License-Identifier: Apache-2.0

"""The locks of all projects."""

from unittest import mock

from django import urls
from openstack_dashboard import api

from tests.unit import base

URL = urls.reverse_lazy('horizon:admin:protection:index')


class AdministratorTest(base.HeatTestCase):
    role = 'admin'

    def setUp(self):
        super().setUp()
        projects = mock.Mock(id=base.PROJECT)
        projects.name = 'shop'
        patch = mock.patch.object(api.keystone, 'tenant_list',
                                  return_value=([projects], False))
        self.tenant_list = patch.start()
        self.addCleanup(patch.stop)

    def test_locks_of_all_projects_are_shown_with_project_names(self):
        self.answer('GET', '/locks', {'locks': [
            base.lock(), base.lock('db', 'd0b0', project='p2')]})
        text = self.text(self.get(URL))
        self.assertIn('shop web', text)
        self.assertIn('p2 db', text)
        self.assertEqual(
            ['true'], self.heat.request_history[0].qs['all_projects'])

    def test_without_locks_no_request_is_sent_to_keystone(self):
        self.answer('GET', '/locks', {'locks': []})
        self.get(URL)
        self.tenant_list.assert_not_called()

    def test_error_is_shown_if_request_is_forbidden(self):
        self.answer('GET', '/locks', **base.fault(
            403, 'You are not authorized to complete this action.'))
        answer = self.get(URL)
        self.assertEqual(
            ['You are not authorized to complete this action.'],
            [str(each) for each in answer.context['messages']])


class MemberTest(base.HeatTestCase):
    def test_member_cannot_open_page(self):
        self.assertNotEqual(200, self.client.get(URL).status_code)
