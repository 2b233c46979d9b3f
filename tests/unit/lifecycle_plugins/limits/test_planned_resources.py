# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.lifecycle_plugins.limits import planned_resources


class DomainTest(testtools.TestCase):

    def test_domain_is_read_from_request_context(self):
        context = mock.Mock(project_domain_id='d1')
        self.assertEqual('d1', planned_resources._get_domain_id(context))

    def test_domain_is_read_from_token_of_stored_credentials(self):
        context = mock.Mock(project_domain_id=None)
        session = context.keystone_session
        session.auth.get_access.return_value.project_domain_id = 'd2'
        self.assertEqual('d2', planned_resources._get_domain_id(context))


class ActionsTest(testtools.TestCase):

    def test_actions_without_new_resources_are_not_checked(self):
        for action in ('ROLLBACK', 'DELETE', 'SUSPEND', 'RESUME', 'CHECK',
                       'SNAPSHOT', 'LOCK', 'UNLOCK'):
            with mock.patch.object(planned_resources,
                                   '_make_planned_stack') as asked:
                planned_resources.check_action([], None, mock.sentinel.stack,
                                               mock.sentinel.new, action)
            asked.assert_not_called()
