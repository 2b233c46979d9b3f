# SPDX-License-Identifier: Apache-2.0

import os
from unittest import mock

import fixtures
import testtools

from heat_extras import errors
from heat_extras.freeze import file_parser
from heat_extras.freeze import file_watch

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
        # Another file in its place, as those who care write it.
        with open(self.path + '.new', 'w') as target:
            target.write(content)
        os.rename(self.path + '.new', self.path)

    def names(self):
        return [each.name for each in self.watch.windows()]

    def test_a_change_is_noticed_at_once(self):
        self.assertEqual(['one'], self.names())
        digest = self.watch.digest
        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertNotEqual(digest, self.watch.digest)
        self.assertIn('are now in effect', self.logger.output)

    def test_a_file_that_does_not_change_is_read_once(self):
        with mock.patch.object(file_parser, 'parse') as parse:
            for _ in range(100):
                self.names()
        parse.assert_not_called()

    def test_an_unexpected_error_leaves_it_in_effect_too(self):
        self.write('freezes: &a [*a]')
        self.assertEqual(['one'], self.names())
        self.write('freezes: []')
        with mock.patch.object(file_parser, 'parse', side_effect=KeyError):
            self.assertEqual(['one'], self.names())
        self.assertEqual(file_parser.digest(b'freezes: []'),
                         self.watch.refused)

    def test_what_is_bad_leaves_the_last_good_one_in_effect(self):
        digest = self.watch.digest
        for _ in range(3):
            # The same again, in a file of its own.
            self.write('freezes: soon')
            self.assertEqual(['one'], self.names())
        self.assertEqual(digest, self.watch.digest)
        self.assertEqual(file_parser.digest(b'freezes: soon'),
                         self.watch.refused)
        self.assertEqual(1, self.logger.output.count('stay in effect'))
        self.assertIn("'soon' is not of type 'array'", self.logger.output)

        self.write(text('two'))
        self.assertEqual(['two'], self.names())
        self.assertIsNone(self.watch.refused)

    def test_a_file_that_is_gone(self):
        os.remove(self.path)
        self.assertEqual(['one'], self.names())
        self.assertEqual('unreadable', self.watch.refused)
        self.assertEqual(1, self.logger.output.count(
            'No such file or directory'))
        self.write(text('one'))
        self.assertEqual(['one'], self.names())
        self.assertIsNone(self.watch.refused)

    def test_each_other_error_is_logged(self):
        for content in 'freezes: soon', 'freezes: late', 'freezes: soon':
            self.write(content)
            self.names()
        self.assertEqual(3, self.logger.output.count('stay in effect'))


class StartTest(testtools.TestCase):
    def test_errors_stop_an_engine_that_starts(self):
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        conf = self.useFixture(fixtures.MockPatchObject(
            file_watch.cfg, 'CONF')).mock
        conf.heat_extras.freezes_file = path
        self.addCleanup(file_watch.stop)
        self.assertRaises(errors.ActivationError, file_watch.start)
        self.assertEqual((), file_watch.current_windows())
        with open(path, 'w') as target:
            target.write(text('one'))
        file_watch.start()
        self.assertEqual(1, len(file_watch.current_windows()))
        file_watch.stop()
        self.assertEqual((), file_watch.current_windows())

    def test_the_file_of_an_engine_that_starts_is_parsed_once(self):
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
