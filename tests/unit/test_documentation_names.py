# SPDX-License-Identifier: Apache-2.0

"""Names in pages exist, and public names are documented on their page.

Options, commands with their options, policy rules, metrics, files, modules
and tox environments. Tests are in test_documentation.py.
"""

import configparser
import fnmatch
from importlib import metadata
import re

from heat import policies as heat_policies
import testtools

from heat_extras.client import heat_shell
from heat_extras import conf
from heat_extras.db import models
from heat_extras import entry_points
from tests.unit.output import test_help_text
from tests.unit import test_documentation

ROOT, SOURCE = test_documentation.ROOT, test_documentation.SOURCE
PAGES = [*test_documentation.PAGES, *test_documentation.OTHER_PAGES]

# An example of a name that is not valid.
MISSPELLED = {'lock_concurency'}
# Settings in pages that are not options of [heat_extras].
OTHER_SETTINGS = {'is_shared', 'mysql_wsrep_sync_wait', 'wsrep_sync_wait'}
# Names with the prefix of metrics and tables that are not metrics or tables.
OTHER_NAMES = {'heat_extras_dashboard', 'heat_extras_guards',
               'heat_extras_limits', 'heat_extras_policy',
               'heat_extras_webhook'}

_LITERAL = re.compile(r'``((?:[^`]|`(?!`))+)``')
_GLOBAL = re.compile(r' --(?:config-file|os-[\w-]+) \S+')
# The end of a command in a line.
_END = re.compile(r'[|;>&()#]|\.\.\.| -- ')
_LISTS = {'--help', '--format', '--column', '--max-width', '--fit-width',
          '--noindent', '--print-empty', '--sort-column', '--quote',
          '--sort-ascending', '--sort-descending'}


def literals(text):
    """List the inline literals of a page, each on one line."""
    return [' '.join(each.split()) for each in _LITERAL.findall(text)]


def lines(text):
    """List the commands in literal blocks, without the prompt."""
    return re.findall(r'^ +(?:\$ |(?=heat-extras-|openstack ))(.+)',
                      text.replace('\\\n', ''), re.MULTILINE)


def commands(text, programs):
    """List the commands of these programs in a page."""
    matches = []
    for each in (*literals(text), *lines(text)):
        program, _, words = each.partition(' ')
        if program in programs and words:
            words = _GLOBAL.sub('', ' ' + words).strip()
            matches.append(f'{program} {_END.split(words)[0].strip()}')
    return matches


def command_of(typed, known):
    """Return the longest name of a command that a line starts with."""
    words = typed.split()
    return next((name for name in (
        ' '.join(words[:count]) for count in range(len(words), 1, -1))
        if name in known), None)


def unknown_options(typed, parser):
    """List the options that the command does not have."""
    return [each for each in re.findall(r'(?<!\S)(--[a-z][\w-]*)', typed)
            if each not in parser._option_string_actions
            and each not in _LISTS]


def names(pages, pattern):
    """Map each match of a pattern in literals to a page that has it."""
    pages_by_name = {}
    for path in pages:
        for each in literals(path.read_text()):
            for name in re.findall(pattern, each):
                pages_by_name.setdefault(name, path.name)
    return pages_by_name


def is_program(name):
    """Return whether ``python -m`` can run a module of this repository."""
    path = ROOT.joinpath(*name.split('.'))
    if path.is_dir():
        return (path / '__main__.py').is_file()
    return "__name__ == '__main__'" in path.with_suffix('.py').read_text()


def environments():
    """List the names of the environments in tox.ini."""
    for section in re.findall(r'^\[testenv:(.+)\]', (
            ROOT / 'tox.ini').read_text(), re.MULTILINE):
        expanded = ['']
        for part in re.findall(r'\{[^}]*\}|[^{]+', section):
            choices = part.strip('{}').split(',')
            expanded = [name + each for name in expanded for each in choices]
        yield from expanded


class NamesInPagesTest(testtools.TestCase):
    """Names in pages exist."""

    def test_options_in_pages_exist(self):
        known = {each.name for each in conf.heat_extras_opts}
        known |= OTHER_SETTINGS | MISSPELLED
        pages_by_option = {}
        for path in PAGES:
            text = path.read_text()
            for name in (
                    *re.findall(r'\[heat_extras\]\s+([a-z_]+)\b(?! =$)', text),
                    *re.findall(r'``([a-z]+_[a-z_]+) = ', text)):
                pages_by_option.setdefault(name, path.name)
            for block in re.findall(
                    r'^ +\[heat_extras\]\n((?: +[a-z_]+ *=.*\n)+)', text,
                    re.MULTILINE):
                for name in re.findall('^ +([a-z_]+) *=', block,
                                       re.MULTILINE):
                    pages_by_option.setdefault(name, path.name)
        self.assertIn('status_overlay', pages_by_option)
        self.assertEqual({}, {name: page for name,
                              page in pages_by_option.items()
                              if name not in known})

    def test_commands_in_pages_exist(self):
        parsers = test_help_text.parsers()
        shell = heat_shell.HeatExtrasShell()
        shell.get_subcommand_parser('1')
        parsers.update({f'heat-extras {name}': parser
                        for name, parser in shell.subcommands.items()})
        stacks = {'openstack ' + point.name.replace('_', ' ')
                  for point in metadata.entry_points(
                      group='openstack.orchestration.v1')}
        programs = {name.split()[0] for name in parsers}
        wrong, count = [], 0
        for path in PAGES:
            for typed in commands(path.read_text(), programs):
                name = command_of(typed, {*parsers, *stacks})
                if name is None and re.match('openstack (?!stack )', typed):
                    # The client of another service.
                    continue
                count += name is not None
                if name is None or (name in parsers and unknown_options(
                        typed, parsers[name])):
                    wrong.append((path.name, typed))
        self.assertEqual([], wrong)
        self.assertGreater(count, 150)

    def test_wrong_command_or_option_is_detected(self):
        parsers = test_help_text.parsers()
        wrong = commands('Run ``openstack stack lock --levels\n all web``.\n',
                         {'openstack'})
        self.assertEqual(['openstack stack lock --levels all web'], wrong)
        self.assertEqual(['--levels'], unknown_options(
            wrong[0], parsers['openstack stack lock']))
        self.assertIsNone(command_of('heat-extras-manage list', parsers))

    def test_policy_rules_in_pages_exist(self):
        known = {rule.name for rule in (
            *heat_policies.list_rules(), *entry_points.list_rules_of_actions(),
            *entry_points.list_rules_of_guards())}
        rules = names(PAGES, r'\b((?:actions|locks|stacks|events):\w+)')
        self.assertIn('actions:unlock_override', rules)
        self.assertEqual({}, {name: page for name, page in rules.items()
                              if name not in known})

    def test_metrics_and_tables_in_pages_exist(self):
        known = {f'heat_extras_{name}'
                 for name in test_documentation.metrics()}
        known |= {*models.metadata.tables} | OTHER_NAMES
        pages_by_name = names(PAGES, r'\bheat_extras_[a-z_]+')
        self.assertIn('heat_extras_locked_stacks', pages_by_name)
        self.assertEqual({}, {name: page for name,
                              page in pages_by_name.items()
                              if name not in known and not name.endswith('_')})

    def test_files_in_pages_exist(self):
        pages_by_path = names(PAGES, r'^(?:tests|tools|bench|etc|doc|devstack|'
                              r'constraints|dashboard)/[\w./-]*[\w/]$')
        self.assertIn('tools/check_layout.py', pages_by_path)
        self.assertEqual({}, {name: page for name,
                              page in pages_by_path.items()
                              if not (ROOT / name).exists()
                              and name not in ('doc/build/bench', 'etc/heat')})

    def test_modules_in_pages_can_be_run(self):
        pages_by_module = {}
        for path in PAGES:
            for name in re.findall(r'python3? -m ((?:bench|tests)[\w.]*\w)',
                                   path.read_text()):
                pages_by_module[name] = path.name
        self.assertIn('bench.tree_size_scaling', pages_by_module)
        self.assertEqual({}, {name: page for name,
                              page in pages_by_module.items()
                              if not is_program(name)})

    def test_tox_environments_in_pages_exist(self):
        known = {*environments()}
        pages_by_environment = names(PAGES, r'tox -e ([\w.-]+\w)')
        self.assertIn('pep8', pages_by_environment)
        self.assertEqual({}, {name: page for name,
                              page in pages_by_environment.items()
                              if name not in known})


class DocumentedNamesTest(testtools.TestCase):
    """Public names are documented on their page."""

    def page(self, name):
        return (SOURCE / name).read_text()

    def test_options_are_documented(self):
        self.assertIn('.. show-options:: heat_extras\n',
                      self.page('configuration/options.rst'))

    def test_policy_rules_are_documented(self):
        """Sphinx lists the rules of all namespaces of this file."""
        path = 'etc/oslo-policy-generator/heat-extras.conf'
        self.assertIn(f':config-file: {path}',
                      self.page('configuration/policy.rst'))
        setup = configparser.ConfigParser()
        setup.read(ROOT / 'setup.cfg')
        points = setup['options.entry_points']['oslo.policy.policies']
        self.assertEqual(
            {line.partition('=')[0].strip()
             for line in points.strip().splitlines()},
            {*re.findall('^namespace = (.+)', (ROOT / path).read_text(),
                         re.MULTILINE)})

    def test_heat_shell_subcommands_are_documented(self):
        page = self.page('cli/heat-extras.rst')
        self.assertEqual([], [
            name for name in test_help_text.heat_parsers()
            if f'``{name.removeprefix("heat-extras ")}``' not in page])

    def test_operator_commands_and_options_are_documented(self):
        missing = []
        for name, parser in test_help_text.other_parsers():
            program, _, command = name.partition(' ')
            page = self.page(f'cli/{program}.rst')
            if not re.search(rf'^``{command}\b', page, re.MULTILINE):
                missing.append(name)
            missing += [f'{name} {option}'
                        for option in parser._option_string_actions
                        if option.startswith('--') and option not in _LISTS
                        and option not in page]
        self.assertEqual([], missing)

    def test_openstack_commands_are_documented(self):
        patterns = re.findall(':command: (.+)',
                              self.page('cli/openstack.rst'))
        self.assertEqual([], [
            name for name in test_help_text.osc_parsers() if not any(
                fnmatch.fnmatch(name, f'openstack {pattern}')
                for pattern in patterns)])

    def test_harness_modules_are_documented(self):
        page = (ROOT / 'tests' / 'README.rst').read_text()
        self.assertEqual([], [
            path.name for path in sorted(
                (ROOT / 'tests' / 'harness').glob('[a-z]*'))
            if not path.name.startswith('test_')
            and f'``{path.name}' not in page])
