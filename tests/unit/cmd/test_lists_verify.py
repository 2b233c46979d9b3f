# SPDX-License-Identifier: Apache-2.0

"""Tests of the output and exit status of list-locks --verify."""

from unittest import mock

import fixtures
from oslo_serialization import jsonutils
import testtools

from heat_extras.cmd import cli_config
from heat_extras.cmd import lists
from heat_extras.output import lister
from heat_extras.stack_lock.resource_locks import lock_resources


class VerifyTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.load = self.useFixture(fixtures.MockPatchObject(
            cli_config, 'load_heat')).mock
        self.out = self.useFixture(fixtures.StringStream('out')).stream

    def run_verify(self, *locks, level='all', is_left=False):
        conf = mock.Mock()
        conf.command = lister.create_parser('x').parse_args(
            ['-f', 'json'])
        row = mock.Mock(id='1234', level=level, tenant='demo')
        with fixtures.MonkeyPatch('sys.stdout', self.out), \
                mock.patch.object(lock_resources, 'verify', return_value=[
                    ('web', '1234', f'r{index}', 'OS::Nova::Server', 'id',
                     noted, held, '')
                    for index, (noted, held) in enumerate(locks)]):
            lists._verify(conf, *(([], [row]) if is_left else ([row], [])))

    def printed(self):
        self.out.seek(0)
        return jsonutils.loads(self.out.read())

    def test_matching_protection_is_listed(self):
        self.run_verify(('protected', 'protected'))
        row, = self.printed()
        self.assertEqual(
            ('demo', 'web', 'r0', 'protected', 'protected'),
            (row['project'], row['stack_name'], row['resource_name'],
             row['lock_protection'], row['found']))

    def test_mismatches_are_counted_after_list(self):
        error = self.assertRaises(
            cli_config.CommandError, self.run_verify,
            ('protected', 'protected'), ('protected', 'not_protected'),
            ('failed', 'protected'), ('found_protected', 'not_protected'))
        self.assertIn('Found 3 of 4 resources', str(error))
        self.assertEqual(4, len(self.printed()))

    def test_unreleased_resources_are_listed_and_counted(self):
        error = self.assertRaises(
            cli_config.CommandError, self.run_verify,
            ('not_released', 'protected'), ('not_released', 'not_protected'),
            level=None, is_left=True)
        self.assertIn('Found 1 resource that an unlock could not release',
                      str(error))
        self.assertEqual(2, len(self.printed()))

    def test_resource_released_by_its_service_is_no_error(self):
        self.run_verify(('not_released', 'not_protected'), is_left=True)

    def test_resource_protected_before_lock_is_no_error(self):
        self.run_verify(('found_protected', 'found_protected'))
        self.assertEqual('found_protected', self.printed()[0]['found'])

    def test_locks_of_level_stacks_do_not_load_heat(self):
        self.run_verify(level='stacks')
        self.assertEqual([], self.printed())
        self.load.assert_not_called()
