# SPDX-License-Identifier: Apache-2.0

import types

from heatclient import exc
import testtools

from heat_extras.client import choice
from tests.unit.client import base


class ChoiceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(base.HeatServer())
        self.web = self.heat.add('web', 'env=prod', 'team=a')
        self.mail = self.heat.add('mail', 'env=prod')
        self.heat.add('test', 'env=test')

    def choose(self, *tags, stack=(), client=None):
        return choice.make(client or self.heat.session_client(),
                           types.SimpleNamespace(tag=tags, stack=stack))

    def test_what_is_named_is_not_looked_up(self):
        self.assertEqual([('web', None), ('nosuch', None)],
                         self.choose(stack=('web', 'nosuch')))
        self.assertEqual([], self.heat.requests)

    def test_those_with_all_of_the_tags(self):
        web = 'web', f'web/{self.web.id}'
        mail = 'mail', f'mail/{self.mail.id}'
        for tags, wanted in ((('env=prod',), [web, mail]),
                             (('env=prod', 'team=a'), [web]),
                             (('env=prod,team=a',), [web])):
            for client in (self.heat.session_client(),
                           self.heat.token_client()):
                self.assertEqual(wanted, self.choose(*tags, client=client))

    def test_hidden_ones_too(self):
        self.choose('env=prod')
        self.assertIn('show_hidden=True', self.heat.requests[0][1])

    def test_none_is_an_error(self):
        error = self.assertRaises(choice.NoChoice, self.choose, 'env=none')
        self.assertEqual(
            'found no stack with the tag env=none in this project, wanted at '
            'least one; look with "openstack stack list --hidden --tags '
            'env=none"', str(error))

    def test_an_empty_tag_is_not_all_stacks(self):
        for tags in ('',), (' ',), (',',), ('env=prod', ''), ('env=prod,',):
            self.assertRaises(choice.NoChoice, self.choose, *tags)
        self.assertEqual([], self.heat.requests)

    def test_an_administrator_means_the_own_project(self):
        self.web.body['project'] = 'demo'
        self.mail.body['project'] = 'other'
        for client in self.heat.session_client(), self.heat.token_client():
            self.assertEqual(
                ['web'], [each.name for each
                          in self.choose('env=prod', client=client)])
        self.web.body['project'] = 'other'
        self.assertRaises(choice.NoChoice, self.choose, 'env=prod')

    def test_an_error_of_the_server_passes_through(self):
        self.heat.refuse_list(base.fault(403, 'Forbidden', 'Not yours.'))
        self.assertRaises(exc.HTTPForbidden, self.choose, 'env=prod')
