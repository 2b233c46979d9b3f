# SPDX-License-Identifier: Apache-2.0

"""The example of the plugin author's guide, as a provider would copy it."""

import configparser
import pathlib
import sys

import fixtures
import testtools

from tests.functional import base
from tests.functional import templates
from tests.rigs import command
from tests.rigs import environment

EXAMPLE = (pathlib.Path(__file__).parents[2] / 'doc' / 'source' / 'examples'
           / 'lifecycle')


class Installed(fixtures.Fixture):
    """Put the example and its entry points on the path of new processes."""

    def _setUp(self):
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        parser = configparser.ConfigParser()
        parser.read(EXAMPLE / 'setup.cfg')
        about = place / 'example_cost_centre-1.0.dist-info'
        about.mkdir()
        about.joinpath('METADATA').write_text(
            'Metadata-Version: 2.1\n'
            f'Name: {parser["metadata"]["name"]}\n'
            f'Version: {parser["metadata"]["version"]}\n')
        about.joinpath('entry_points.txt').write_text(''.join(
            f'[{group}]\n{points.strip()}\n' for group, points
            in parser['options.entry_points'].items()))
        self.useFixture(environment.Environment(EXAMPLE, place))


class ExampleTest(testtools.TestCase):

    def test_its_own_tests_pass(self):
        done = command.run(
            [sys.executable, '-W', 'ignore', 'test_cost_centre.py'],
            directory=EXAMPLE)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('Ran 5 tests', done.stderr)

    def test_denies_a_stack_without_a_cost_centre(self):
        self.useFixture(Installed())
        client = self.useFixture(base.Sandbox()).client()
        path = client.create_stack('free', templates.SMALL, wait=False)
        stack = client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertEqual(
            'CREATE denied by lifecycle plugin cost_centre: found 0 tags '
            'that begin with cost-centre:, wanted one, like '
            'cost-centre:4711; add it with --tags. Nothing was created.',
            stack['stack_status_reason'])
        client.create_stack('paid', templates.SMALL,
                            tags='cost-centre:4711')
