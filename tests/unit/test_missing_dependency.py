# SPDX-License-Identifier: Apache-2.0

"""An extra that is not installed, and an installation that is broken."""

from importlib import metadata

import fixtures
import testtools

from heat_extras import missing_dependency

REQUIRED = [
    'cliff>=3.5.0', 'osc-lib',
    'openstack-heat<28,>=24.1; extra == "engine"',
    "alembic ; extra == 'engine'",
    'google-re2>=1.1; extra == "engine"',
    'SQLAlchemy>=2.0.0; extra == "engine"',
    'openstack-heat<28,>=24.1; extra == "sandbox"',
    'python-openstackclient>=6.0.0; extra == "sandbox"',
]


class MissingTestCase(testtools.TestCase):
    def install(self, *names):
        """Let these distributions be all that there is, beside our own."""
        def version(name):
            if name not in names:
                raise metadata.PackageNotFoundError(name)
            return '1.0'
        self.useFixture(fixtures.MockPatchObject(
            metadata, 'version', version))
        self.useFixture(fixtures.MockPatchObject(
            metadata, 'requires', lambda name: REQUIRED))


class LackingTest(MissingTestCase):
    def test_what_is_not_installed(self):
        self.install('cliff', 'alembic', 'SQLAlchemy')
        self.assertEqual(['openstack-heat', 'google-re2'],
                         missing_dependency.lacking('engine'))
        self.assertEqual(['openstack-heat', 'python-openstackclient'],
                         missing_dependency.lacking('sandbox'))

    def test_nothing(self):
        self.install('openstack-heat', 'alembic', 'google-re2', 'SQLAlchemy')
        self.assertEqual([], missing_dependency.lacking('engine'))

    def test_nothing_is_known_of_a_checkout_that_is_not_installed(self):
        def requires(name):
            raise metadata.PackageNotFoundError(name)
        self.useFixture(fixtures.MockPatchObject(
            metadata, 'requires', requires))
        self.assertEqual([], missing_dependency.lacking('engine'))

    def test_the_names_of_this_distribution(self):
        for extra in (missing_dependency.ENGINE, missing_dependency.SANDBOX):
            self.assertIn('openstack-heat', missing_dependency._brought(extra))
            # All of it is there where tests are run.
            self.assertEqual([], missing_dependency.lacking(extra))


class DescribeTest(MissingTestCase):
    def describe(self, statement, extra='engine'):
        try:
            exec(statement)
        except ImportError as error:
            text = missing_dependency.describe(error, extra)
        self.assertEqual(1, len(text.splitlines()), text)
        return text

    def test_nothing_of_the_extra_is_installed(self):
        self.install()
        self.assertEqual(
            'found no no_such_thing, wanted what the extra '
            'heat-extras[engine] brings, of which openstack-heat, alembic, '
            'google-re2 and 1 more are not installed here; install '
            'heat-extras[engine] in place of heat-extras',
            self.describe('import no_such_thing'))

    def test_one_is_not_installed(self):
        self.install('openstack-heat')
        self.assertIn(
            'of which python-openstackclient is not installed here',
            self.describe('import no_such_thing', 'sandbox'))

    def test_a_distribution_without_which_nothing_goes(self):
        self.install()
        self.assertIn('found no openstack-heat, wanted what the extra ',
                      self.describe('metadata.version("openstack-heat")'))

    def test_all_is_installed_and_a_module_is_missing(self):
        self.install('openstack-heat', 'alembic', 'google-re2', 'SQLAlchemy')
        self.assertRegex(
            self.describe('import no_such_thing'),
            r"^found ModuleNotFoundError: No module named 'no_such_thing' "
            r'\(.*:1\), wanted all that heat-extras\[engine\] brings to '
            r'import; "pip check" tells ')

    def test_a_package_that_is_broken(self):
        self.install()
        for statement, words in (
                ('import testtools.nothing', "'testtools.nothing'"),
                ('from testtools import nothing', "name 'nothing' from")):
            text = self.describe(statement)
            self.assertIn(words, text)
            self.assertIn('pip check', text)
            self.assertNotIn('in place of', text)


class LocateTest(testtools.TestCase):
    def test_an_error_that_nobody_raised(self):
        self.assertEqual('KeyError: no further details',
                         missing_dependency.locate(KeyError()))

    def test_where_it_comes_from(self):
        try:
            raise ValueError('one\n  two')
        except ValueError as error:
            self.assertRegex(missing_dependency.locate(error),
                             r'^ValueError: one two \(.*test_missing_depend'
                             r'ency.py:\d+')
