# SPDX-License-Identifier: Apache-2.0

"""requirements.txt names what the package imports, and nothing else."""

import ast
import functools
from importlib import metadata
import pathlib
import sys

from packaging import requirements
from packaging import utils
import testtools

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = ('heat_extras', 'db_migrations')

# Only together with something that brings it along.
BROUGHT = {
    'eventlet': 'Heat 24, the only one that runs on it',
    'fixtures': 'the tests that use heat_extras.fixture',
}


def imported():
    """Map each top-level module that is imported to one file that does."""
    found = {}
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob('*.py')):
            for node in ast.walk(ast.parse(path.read_text())):
                for name in _names(node):
                    found.setdefault(name.partition('.')[0],
                                     str(path.relative_to(ROOT)))
    own = {*SOURCES, *sys.stdlib_module_names}
    return {name: path for name, path in found.items() if name not in own}


def _names(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module]
    return []


def required():
    """Read the names in requirements.txt, in one spelling."""
    lines = (ROOT / 'requirements.txt').read_text().splitlines()
    return {utils.canonicalize_name(requirements.Requirement(line).name)
            for line in lines if line and not line.startswith('#')}


# It reads the files of all that is installed, which takes a while.
@functools.cache
def _installed():
    return metadata.packages_distributions()


def distributions(module):
    """List the distributions that have a module, in one spelling."""
    return {utils.canonicalize_name(name)
            for name in _installed().get(module, ())}


@testtools.skipIf(sys.version_info < (3, 11),
                  'this Python does not know all modules of a distribution')
class RequirementsTest(testtools.TestCase):
    def test_what_is_imported_is_named(self):
        names = required()
        missing = {
            module: f'imported by {path}, wanted one of '
                    f'{sorted(distributions(module))} in requirements.txt'
            for module, path in imported().items()
            if module not in BROUGHT and not distributions(module) & names}
        self.assertEqual({}, missing)

    def test_what_is_named_is_imported(self):
        used = {name for module in imported()
                for name in distributions(module)}
        self.assertEqual(set(), required() - used)

    def test_what_others_bring_along_is_imported(self):
        self.assertEqual(set(), set(BROUGHT) - set(imported()))
