# SPDX-License-Identifier: Apache-2.0

import os
from unittest import mock

import fixtures
import testtools

from heat_extras.freeze import file_parser
from heat_extras.freeze import file_watch
from heat_extras import operator_errors

_ENTRY = '{name: %s, begin: "2026-12-24T18:00", duration: 1h}'


def text(*names):
    return 'freezes: [%s]' % ', '.join(_ENTRY % name for name in names)


class FileWatchTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        self.write(text('one'))
        self.logger = self.useFixture(fixtures.FakeLogger())
        self.watch = file_watch.FileWatch(self.path)

    def write(self, content):
        # Replace the file atomically.
        with open(self.path + '.new', 'w') as target:
            target.write(content)
        os.rename(self.path + '.new', self.path)

    def names(self):
        return [each.name for each in self.watch.windows()]

    def test_change_takes_effect_immediately(self):
        self.assertEqual(['one'], self.names())
        digest = self.watch.digest
        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertNotEqual(digest, self.watch.digest)
        self.assertIn('are now in effect', self.logger.output)

    def test_unchanged_file_is_not_parsed_again(self):
        with mock.patch.object(file_parser, 'parse') as parse:
            for _ in range(100):
                self.names()
        parse.assert_not_called()

    def test_unexpected_error_keeps_last_valid_file_in_effect(self):
        self.write('freezes: &a [*a]')
        self.assertEqual(['one'], self.names())
        self.write('freezes: []')
        with mock.patch.object(file_parser, 'parse', side_effect=KeyError):
            self.assertEqual(['one'], self.names())
        self.assertEqual(file_parser.digest(b'freezes: []'),
                         self.watch.refused)

    def test_invalid_file_keeps_last_valid_file_in_effect(self):
        digest = self.watch.digest
        for _ in range(3):
            # The same content, in another file.
            self.write('freezes: soon')
            self.assertEqual(['one'], self.names())
        self.assertEqual(digest, self.watch.digest)
        self.assertEqual(file_parser.digest(b'freezes: soon'),
                         self.watch.refused)
        self.assertEqual(1, self.logger.output.count('stay in effect'))
        self.assertIn("'soon' is not valid: expected a list",
                      self.logger.output)

        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertIsNone(self.watch.refused)

    def test_deleted_file_keeps_last_valid_file_in_effect(self):
        os.remove(self.path)
        self.assertEqual(['one'], self.names())
        self.assertEqual('unreadable', self.watch.refused)
        self.assertEqual(1, self.logger.output.count(
            'No such file or directory'))
        self.write(text('one'))
        self.assertEqual(['one'], self.names())
        self.assertIsNone(self.watch.refused)

    def test_each_different_error_is_logged(self):
        for content in 'freezes: soon', 'freezes: late', 'freezes: soon':
            self.write(content)
            self.names()
        self.assertEqual(3, self.logger.output.count('stay in effect'))


class StartTest(testtools.TestCase):
    def test_missing_file_is_rejected_at_start(self):
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        conf = self.useFixture(fixtures.MockPatchObject(
            file_watch.cfg, 'CONF')).mock
        conf.heat_extras.freezes_file = path
        self.addCleanup(file_watch.stop)
        self.assertRaises(operator_errors.ActivationError, file_watch.start)
        self.assertEqual((), file_watch.current_windows())
        with open(path, 'w') as target:
            target.write(text('one'))
        file_watch.start()
        self.assertEqual(1, len(file_watch.current_windows()))
        file_watch.stop()
        self.assertEqual((), file_watch.current_windows())

    def test_file_is_parsed_once_at_start(self):
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        conf = self.useFixture(fixtures.MockPatchObject(
            file_watch.cfg, 'CONF')).mock
        conf.heat_extras.freezes_file = path
        self.addCleanup(file_watch.stop)
        with open(path, 'w') as target:
            target.write(text('once'))
        with mock.patch.object(file_parser.yaml_file, 'parse',
                               wraps=file_parser.yaml_file.parse) as parse:
            # As validation.find_errors does before features start.
            file_parser.load(path)
            file_watch.start()
            self.assertEqual('once', file_watch.current_windows()[0].name)
        parse.assert_called_once()
