# SPDX-License-Identifier: Apache-2.0

"""The versions in ``constraints/``, and the tool that writes them."""

import pathlib
import re
import subprocess
import sys
import tempfile

from packaging import requirements
from packaging import utils
import testtools

ROOT = pathlib.Path(__file__).parents[2]
FILES = sorted((ROOT / 'constraints').glob('*.txt'))
NEWEST = 'constraints/heat27.0.txt'
NEEDED = ('requirements.txt', 'engine-requirements.txt',
          'sandbox-requirements.txt', 'test-requirements.txt')
PIN = re.compile(r'[a-z0-9-]+==[a-z0-9.]+(; python_version >= "3\.\d+")?')
COMMENT = re.compile(r'#.*|')


def lines(path):
    return [line for line in path.read_text().splitlines()
            if not COMMENT.fullmatch(line)]


def wanted():
    for name in NEEDED:
        for line in lines(ROOT / name):
            if not line.startswith('-r '):
                yield requirements.Requirement(line)


class ConstraintsFilesTest(testtools.TestCase):

    def test_each_heat_release_in_tox_has_constraints_file(self):
        text = (ROOT / 'tox.ini').read_text()
        releases = set(re.findall(r'openstack-heat~=(\d+\.\d+)', text))
        self.assertEqual({f'heat{each}.txt' for each in releases},
                         {path.name for path in FILES})
        for path in FILES:
            self.assertIn(f': -c constraints/{path.name}\n', text)

    def test_files_contain_only_pinned_versions(self):
        for path in FILES:
            for line in lines(path):
                self.assertTrue(PIN.fullmatch(line), f'{path.name}: {line}')

    def test_each_requirement_allows_its_pinned_version(self):
        for path in FILES:
            pins = {pin.name: pin for pin in map(
                requirements.Requirement, lines(path))}
            for need in wanted():
                name = utils.canonicalize_name(need.name)
                version = str(pins[name].specifier).removeprefix('==')
                self.assertTrue(need.specifier.contains(version),
                                f'{path.name}: {pins[name]}')

    def test_build_requires_pinned_setuptools(self):
        # pip does not apply constraints to what it builds with.
        need = requirements.Requirement(re.search(
            'requires = \\["(.*)"]', (ROOT / 'pyproject.toml').read_text())[1])
        pin, = re.findall('^setuptools==([0-9]+)', (ROOT / NEWEST).read_text(),
                          re.MULTILINE)
        self.assertTrue(need.specifier.contains(pin))
        self.assertFalse(need.specifier.contains(str(int(pin) + 1)))

    def test_pinned_heat_release_matches_file_name(self):
        for path in FILES:
            series = path.stem.removeprefix('heat')
            self.assertIn(f'\nopenstack-heat=={series}.', path.read_text())

    def test_documented_commands_use_newest_constraints(self):
        for name in ('README.rst', 'CONTRIBUTING.rst', '.ci/run'):
            text = (ROOT / name).read_text()
            self.assertIn(NEWEST, text)
            self.assertEqual(
                set(), set(re.findall(r'constraints/heat[\d.]+txt', text))
                - {NEWEST}, name)


class ConstraintsToolTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.enterContext(
            tempfile.TemporaryDirectory()))

    def install(self, environment, name, version, python=None):
        path = (self.place / environment / 'lib/python3.11/site-packages'
                / f'{name}-{version}.dist-info')
        path.mkdir(parents=True)
        text = f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n'
        if python:
            text += f'Requires-Python: {python}\n'
        (path / 'METADATA').write_text(text)

    def run_tool(self, *words):
        return subprocess.run(
            [sys.executable, ROOT / 'tools' / 'constraints.py', *words],
            cwd=self.place, capture_output=True, text=True)

    def pinned(self, *words):
        done = self.run_tool(*words)
        self.assertEqual('', done.stderr)
        return [line for line in done.stdout.splitlines() if '==' in line]

    def test_environments_are_merged(self):
        self.install('one', 'Oslo.Log', '8.3')
        self.install('one', 'heat_extras', '1.0.0')
        self.install('two', 'oslo_log', '8.3')
        self.install('two', 'amqp', '5.4', '>=3.9')
        self.assertEqual(['amqp==5.4', 'oslo-log==8.3'],
                         self.pinned('one', 'two'))

    def test_version_for_newer_python_has_marker(self):
        self.install('one', 'cliff', '4.17', '!=3.14.1,>=3.11')
        self.install('one', 'yaql', '3.2', '>=3.10.2')
        self.assertEqual(
            ['cliff==4.17; python_version >= "3.11"', 'yaql==3.2'],
            self.pinned('one'))

    def test_conflicting_versions_are_rejected(self):
        self.install('one', 'amqp', '5.4')
        self.install('two', 'amqp', '5.5')
        done = self.run_tool('one', 'two')
        self.assertEqual(1, done.returncode)
        self.assertIn('two has amqp==5.5', done.stderr)

    def test_empty_environment_is_rejected(self):
        self.assertEqual(1, self.run_tool('one').returncode)

    def test_compare_shows_differences_from_file(self):
        self.install('one', 'amqp', '5.4')
        self.run_tool('--write', 'pinned.txt', 'one')
        self.assertEqual([], self.pinned('--compare', 'pinned.txt', 'one'))
        self.install('two', 'amqp', '5.5')
        self.assertEqual(
            ['-amqp==5.4', '+amqp==5.5'],
            self.pinned('--compare', 'pinned.txt', 'two'))
