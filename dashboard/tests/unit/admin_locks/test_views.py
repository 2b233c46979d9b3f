# SPDX-License-Identifier: Apache-2.0

"""The administrator's view."""

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
        self.tenants_asked = patch.start()
        self.addCleanup(patch.stop)

    def test_the_locks_of_all_projects_are_shown_by_their_names(self):
        self.answer('GET', '/locks', {'locks': [
            base.lock(), base.lock('db', 'd0b0', project='p2')]})
        text = self.text(self.get(URL))
        self.assertIn('shop web', text)
        self.assertIn('p2 db', text)
        self.assertEqual(
            ['true'], self.heat.request_history[0].qs['all_projects'])

    def test_keystone_is_not_asked_where_there_is_no_lock(self):
        self.answer('GET', '/locks', {'locks': []})
        self.get(URL)
        self.tenants_asked.assert_not_called()

    def test_one_of_another_project_than_the_admin_project_reads_why(self):
        self.answer('GET', '/locks', **base.fault(
            403, 'You are not authorized to complete this action.'))
        answer = self.get(URL)
        self.assertEqual(
            ['You are not authorized to complete this action.'],
            [str(each) for each in answer.context['messages']])


class MemberTest(base.HeatTestCase):
    def test_a_member_has_no_such_page(self):
        self.assertNotEqual(200, self.client.get(URL).status_code)
