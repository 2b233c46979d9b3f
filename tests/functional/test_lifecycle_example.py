# SPDX-License-Identifier: Apache-2.0

"""Tests of the examples of the plugin author's guide."""

import configparser
import pathlib
import sys

import fixtures
import testtools

from tests.functional import base
from tests.functional import templates
from tests.harness import command
from tests.harness import environment

EXAMPLE = (pathlib.Path(__file__).parents[2] / 'doc' / 'source' / 'examples'
           / 'lifecycle')


def servers(count):
    return {'heat_template_version': '2018-08-31', 'resources': {
        f'server{number}': {'type': 'OS::Heat::TestResource',
                            'metadata': {'spread': 'web'}}
        for number in range(count)}}


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

    def test_tests_of_examples_pass(self):
        for name, count in ('cost_centre', 5), ('rack_spread', 4):
            done = command.run(
                [sys.executable, '-W', 'ignore', f'test_{name}.py'],
                directory=EXAMPLE)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn(f'Ran {count} tests', done.stderr)

    def test_stack_without_cost_centre_is_denied(self):
        self.useFixture(Installed())
        client = self.useFixture(base.Sandbox()).client()
        path = client.create_stack('free', templates.SMALL, wait=False)
        stack = client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertEqual(
            'CREATE denied by lifecycle plugin cost_centre: the stack has 0 '
            'tags that start with cost-centre:, but must have one. Add a tag '
            'with --tags cost-centre:4711. Nothing was created.',
            stack['stack_status_reason'])
        client.create_stack('paid', templates.SMALL,
                            tags='cost-centre:4711')

    def test_group_larger_than_racks_is_denied(self):
        self.useFixture(Installed())
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        place.joinpath('racks.txt').write_text('r1\nr2\n')
        self.useFixture(fixtures.EnvironmentVariable(
            'RACKS_FILE', str(place / 'racks.txt')))
        client = self.useFixture(base.Sandbox()).client()
        path = client.create_stack('full', servers(3), wait=False,
                                   tags='cost-centre:1')
        stack = client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertIn('group web has 3 servers (server0, server1, server2), '
                      'but there are 2 racks', stack['stack_status_reason'])
        path = client.create_stack('spread', servers(2),
                                   tags='cost-centre:1')
        client.put(path, {'template': servers(3)})
        client.wait_for_stack(path, ['UPDATE_FAILED'])
