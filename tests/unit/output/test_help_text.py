# SPDX-License-Identifier: Apache-2.0

"""Tests of the help of commands and its examples."""

import argparse
import contextlib
from importlib import metadata
import io
import re
import shlex
import types
import typing

import fixtures
import testtools

from heat_extras.client import heat_shell
from heat_extras.cmd import manage
from heat_extras.cmd import sandbox
from heat_extras.cmd import status
from tests.unit.test_entry_points import DISTRIBUTION

OPENSTACK = 'openstack'


def osc_parsers():
    """Return the parsers of the openstack commands of heat-extras."""
    parsers_by_command = {}
    for point in metadata.distribution(DISTRIBUTION).entry_points:
        if point.group == 'openstack.orchestration.v1':
            name = f'{OPENSTACK} {point.name.replace("_", " ")}'
            parsers_by_command[name] = point.load()(
                types.SimpleNamespace(NAME=OPENSTACK), None).get_parser(name)
    return parsers_by_command


def heat_parsers():
    """Return the parsers of the additional commands of heat-extras."""
    own = heat_shell.HeatExtrasShell()
    own.get_subcommand_parser('1')
    return {f'heat-extras {name}': own.subcommands[name]
            for name in heat_shell.COMMANDS}


def parser_of(prog, add_parsers):
    parser = argparse.ArgumentParser(prog=prog)
    add_parsers(parser.add_subparsers())
    return parser


def other_parsers():
    """Return the parsers of the operator and sandbox commands."""
    for parser in (
            parser_of(manage.PROG, manage._add_command_parsers),
            parser_of(status.PROG, status._add_parsers),
            sandbox._parser()):
        for action in parser._actions:
            for name, each in (getattr(action, 'choices', None) or {}).items():
                yield f'{parser.prog} {name}', each


def parsers():
    return {**osc_parsers(), **heat_parsers(), **dict(other_parsers())}


class Example(typing.NamedTuple):
    """A command line and its purpose."""

    purpose: str
    command: str


def examples():
    """Return the examples in the help of each command, by command."""
    return {name: [Example(*map(str.strip, each.splitlines()))
                   for each in (parser.epilog or '').partition(
                       'Examples:\n\n')[2].split('\n\n') if each]
            for name, parser in parsers().items()}


class ExamplesTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.EnvironmentVariable('COLUMNS', '80'))
        self.parsers = parsers()
        self.examples = examples()

    def parse(self, command, example):
        """Parse an example with the parser of its command."""
        # A redirection is not an argument of the command.
        words = shlex.split(example.command.partition(' > ')[0])
        name = command.split()
        self.assertEqual(name, words[:len(name)])
        return self.parsers[command].parse_args(words[len(name):])

    def test_every_command_has_one_to_three_examples(self):
        self.assertGreater(len(self.examples), 30)
        for command, command_examples in self.examples.items():
            self.assertIn(len(command_examples), (1, 2, 3), command)

    def test_help_ends_with_examples_and_fits_80_columns(self):
        for command, command_examples in self.examples.items():
            help_text = self.parsers[command].format_help()
            # argparse wraps the usage by its own rules.
            lines = help_text.partition('\n\n')[2].splitlines()
            self.assertLessEqual(max(map(len, lines)), 80, help_text)
            lines = help_text.partition('\nExamples:\n\n')[2].splitlines()
            self.assertEqual(
                '\n\n'.join(f'  {each.purpose}\n    {each.command}'
                            for each in command_examples).splitlines(), lines)

    def test_examples_are_valid_command_lines(self):
        for command, command_examples in self.examples.items():
            for example in command_examples:
                output = io.StringIO()
                with contextlib.redirect_stderr(output):
                    try:
                        self.parse(command, example)
                    except SystemExit:
                        self.fail(f'{example.command}: {output.getvalue()}')

    def test_invalid_example_is_detected(self):
        wrong = Example('', 'openstack stack lock --levels all web')
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertRaises(SystemExit, self.parse, 'openstack stack lock',
                              wrong)

    def test_description_keeps_paragraphs(self):
        help_text = self.parsers['openstack stack lock'].format_help()
        self.assertRegex(help_text, re.escape('be changed.\n\nA lock covers'))
