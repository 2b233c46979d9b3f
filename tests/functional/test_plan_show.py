# SPDX-License-Identifier: Apache-2.0

"""Tests of ``openstack stack plan show`` with a running Heat."""

import json

from heat_extras.client import plan_file
from heat_extras.sandbox import clients
from tests.functional import base
from tests.functional import test_plan_seal
from tests.harness import command


class PlanShowTest(test_plan_seal.SealCase):

    def assert_shown(self, status, tree, text, *arguments):
        done = self.client.openstack('stack', 'plan', 'show', *arguments)
        self.assertEqual((status, tree), (done.returncode, done.stdout),
                         done.stderr)
        self.assertIn(text, done.stderr)

    def test_saved_plan_is_shown_and_checked(self):
        self.start_hidden('shown')
        path = self.make_plan('shown')
        self.assert_shown(0, self.tree, 'The plan fits. To do this update: '
                          f'openstack stack update --plan {path} shown', path)
        document = plan_file.read(path)
        edited = self.write('edited.plan', {
            **document, 'request': {**document['request'], 'tags': 'three'}})
        self.assert_shown(1, self.tree, 'The plan does not fit. Stack shown (',
                          edited)
        self.assert_shown(0, self.tree, 'The plan was not checked', edited,
                          '--offline')
        done = self.update('--plan', path, 'shown', '--wait')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assert_shown(1, self.tree, 'was updated or locked after', path)
        done = self.client.openstack('stack', 'plan', 'show', path, '-f',
                                     'json')
        self.assertEqual(1, done.returncode, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(
            (document['plan'], [], False),
            (found['plan'], found['plan_stops'], found['fits']))
        self.assertIn('was updated or locked after', found['problem'])

    def test_plan_with_new_hidden_value(self):
        self.start_hidden('keys')
        path = self.make_plan('keys', key='other-secret')
        self.assert_shown(1, self.tree, 'Add the parameter "key"', path)
        self.assert_shown(0, self.tree, 'The plan fits.', path,
                          '--parameter', 'key=other-secret')
        self.client.openstack('stack', 'suspend', 'keys', '--wait')
        self.assert_shown(1, self.tree, 'does not fit', path, '--parameter',
                          'key=other-secret')
        self.client.openstack('stack', 'delete', 'keys', '--yes', '--wait')
        self.assert_shown(1, self.tree, 'check that this stack exists', path,
                          '--parameter', 'key=other-secret')

    def test_offline_needs_no_authentication(self):
        self.start_hidden('alone')
        path = self.make_plan('alone')
        without_cloud = {
            name: value for name, value in clients.openstack_environment(
                '', '').items() if not name.startswith('OS_')}
        for more, status in ((['--offline'], 0), ([], 1)):
            done = command.run(
                [clients.find_client('openstack', 'python-openstackclient'),
                 'stack', 'plan', 'show', path, *more],
                directory=command.BIN, environment=without_cloud)
            self.assertEqual(status, done.returncode, done.stderr)
        self.assert_shown(1, '', 'is not a plan: expected a file', self.write(
            'x.plan', {}), '--offline')
        document = plan_file.read(path)
        for field, value in (('action', 'burnt'), ('stops', 1),
                             ('reasons', None),
                             ('order', json.loads('[' * 900 + ']' * 900))):
            entry = {**document['plan'][1], field: value}
            self.assert_shown(
                1, '', 'cannot be shown, because it was edited', self.write(
                    'x.plan', {**document, 'plan': [entry]}), '--offline')


class PlanShowLegacyTest(PlanShowTest):

    settings = base.LEGACY
