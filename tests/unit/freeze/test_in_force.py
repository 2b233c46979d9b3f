# SPDX-License-Identifier: Apache-2.0

import os
from unittest import mock

import fixtures
import testtools

from heat_extras import errors
from heat_extras.freeze import freezes_file
from heat_extras.freeze import in_force

_ENTRY = '{name: %s, begin: "2026-12-24T18:00", duration: 1h}'


def text(*names):
    return 'freezes: [%s]' % ', '.join(_ENTRY % name for name in names)


class HolderTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        self.write(text('one'))
        self.logger = self.useFixture(fixtures.FakeLogger())
        self.holder = in_force.Holder(self.path)

    def write(self, content):
        # Another file in its place, as those who care write it.
        with open(self.path + '.new', 'w') as target:
            target.write(content)
        os.rename(self.path + '.new', self.path)

    def names(self):
        return [each.name for each in self.holder.windows()]

    def test_a_change_is_noticed_at_once(self):
        self.assertEqual(['one'], self.names())
        digest = self.holder.digest
        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertNotEqual(digest, self.holder.digest)
        self.assertIn('are in force as', self.logger.output)

    def test_a_file_that_does_not_change_is_read_once(self):
        with mock.patch.object(freezes_file, 'parse') as parse:
            for _ in range(100):
                self.names()
        parse.assert_not_called()

    def test_so_does_what_nobody_has_foreseen(self):
        self.write('freezes: &a [*a]')
        self.assertEqual(['one'], self.names())
        self.write('freezes: []')
        with mock.patch.object(freezes_file, 'parse', side_effect=KeyError):
            self.assertEqual(['one'], self.names())
        self.assertEqual(freezes_file.digest(b'freezes: []'),
                         self.holder.refused)

    def test_what_is_bad_leaves_the_last_good_one_in_force(self):
        digest = self.holder.digest
        for _ in range(3):
            # The same again, in a file of its own.
            self.write('freezes: soon')
            self.assertEqual(['one'], self.names())
        self.assertEqual(digest, self.holder.digest)
        self.assertEqual(freezes_file.digest(b'freezes: soon'),
                         self.holder.refused)
        self.assertEqual(1, self.logger.output.count('stay in force'))
        self.assertIn("found 'soon', wanted", self.logger.output)

        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertIsNone(self.holder.refused)

    def test_a_file_that_is_gone(self):
        os.remove(self.path)
        self.assertEqual(['one'], self.names())
        self.assertEqual('unreadable', self.holder.refused)
        self.assertEqual(1, self.logger.output.count(
            'No such file or directory'))
        self.write(text('one'))
        self.assertEqual(['one'], self.names())
        self.assertIsNone(self.holder.refused)

    def test_each_other_error_is_told(self):
        for content in 'freezes: soon', 'freezes: late', 'freezes: soon':
            self.write(content)
            self.names()
        self.assertEqual(3, self.logger.output.count('stay in force'))
        self.assertEqual((3, 0), (self.holder.take_uncounted(),
                                  self.holder.take_uncounted()))


class StartTest(testtools.TestCase):
    def test_errors_stop_an_engine_that_starts(self):
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        conf = self.useFixture(fixtures.MockPatchObject(
            in_force.cfg, 'CONF')).mock
        conf.heat_extras.freezes_file = path
        self.addCleanup(in_force.stop)
        self.assertRaises(errors.ActivationError, in_force.start)
        self.assertIsNone(in_force.current())
        with open(path, 'w') as target:
            target.write(text('one'))
        in_force.start()
        self.assertEqual(1, len(in_force.current().windows()))
        in_force.stop()
        self.assertIsNone(in_force.current())

    def test_the_file_of_an_engine_that_starts_is_parsed_once(self):
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        conf = self.useFixture(fixtures.MockPatchObject(
            in_force.cfg, 'CONF')).mock
        conf.heat_extras.freezes_file = path
        self.addCleanup(in_force.stop)
        with open(path, 'w') as target:
            target.write(text('once'))
        with mock.patch.object(freezes_file.yaml_file, 'parse',
                               wraps=freezes_file.yaml_file.parse) as parse:
            # As mistakes.find does before features start.
            freezes_file.load(path)
            in_force.start()
            self.assertEqual('once', in_force.current().windows()[0].name)
        parse.assert_called_once()
