# SPDX-License-Identifier: Apache-2.0

import os
import tempfile

import fixtures
import testtools

from heat_extras.sandbox import state


class DirectoryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = self.useFixture(fixtures.TempDir()).path

    def test_named_directory_is_created_and_kept(self):
        wanted = os.path.join(self.place, 'new', 'state')
        with state.directory(wanted) as found:
            self.assertEqual(wanted, found)
        self.assertTrue(os.path.isdir(wanted))

    def test_temporary_directory_is_removed(self):
        with state.directory() as found:
            self.assertTrue(os.path.isdir(found))
        self.assertFalse(os.path.exists(found))

    def test_temporary_directory_is_removed_after_an_error(self):
        places = []

        def fail():
            with state.directory() as found:
                places.append(found)
                raise KeyError('on purpose')
        self.assertRaises(KeyError, fail)
        self.assertFalse(os.path.exists(places[0]))

    def test_second_holder_is_told_who_holds_it(self):
        with state.directory(self.place):
            error = self.assertRaises(
                state.NotUsable, state.directory(self.place).__enter__)
        self.assertIn('process %d' % os.getpid(), str(error))

    def test_names_that_heat_would_not_find_are_rejected(self):
        for name in ('$HOME', '50%'):
            path = os.path.join(self.place, name)
            error = self.assertRaises(
                state.NotUsable, state.directory(path).__enter__)
            self.assertIn(path, str(error))

    def test_temporary_directory_with_such_a_name_is_removed(self):
        place = os.path.join(self.place, '$HOME')
        os.mkdir(place)
        self.patch(tempfile, 'tempdir', place)
        self.assertRaises(state.NotUsable, state.directory().__enter__)
        self.assertEqual([], os.listdir(place))

    def test_directory_can_be_held_again(self):
        for _time in range(2):
            with state.directory(self.place):
                pass
