# SPDX-License-Identifier: Apache-2.0

"""The requirements list the imports of the package, and nothing else.

requirements.txt lists what the client needs. engine-requirements.txt lists
what all other modules need in addition.
"""

import ast
import functools
from importlib import metadata
import pathlib
import re
import subprocess
import sys

from packaging import requirements
from packaging import utils
import testtools

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = ('heat_extras', 'db_migrations')

LIGHT, ENGINE, SANDBOX = (
    'requirements.txt', 'engine-requirements.txt', 'sandbox-requirements.txt')

# Imported only where another distribution requires it.
BROUGHT = {
    'eventlet': 'Heat 24, the only one that runs on it',
    'fixtures': 'the tests that use heat_extras.fixture',
}

# Imports all of the client, while some modules cannot be imported.
IMPORT = """\
import importlib, sys

class Finder:
    def find_spec(name, *_rest):
        if name in {blocked!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)

sys.meta_path.insert(0, Finder)
for name in {names!r}:
    importlib.import_module(name)
"""


@functools.cache
def modules():
    """Map the name of each module to its path and its imports."""
    paths_by_module = {}
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob('*.py')):
            name = '.'.join(path.relative_to(ROOT).with_suffix('').parts)
            paths_by_module[name.removesuffix('.__init__')] = path, {
                each for node in ast.walk(ast.parse(path.read_text()))
                for each in _names(node)}
    return paths_by_module


def _names(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module, *(f'{node.module}.{alias.name}'
                               for alias in node.names)]
    return []


def imported(names=None):
    """Map each imported top-level module to a file that imports it.

    :param names: of the modules to check; by default all of the package.
    """
    by_module = {}
    known = modules()
    for name in sorted(known if names is None else names):
        path, used = known[name]
        for each in used:
            by_module.setdefault(each.partition('.')[0],
                                 str(path.relative_to(ROOT)))
    own = {*SOURCES, *sys.stdlib_module_names}
    return {name: path for name, path in by_module.items() if name not in own}


def light():
    """List the modules of the client, and the modules that they import."""
    known = modules()
    client_modules = {name for name in known
                      if name.startswith('heat_extras.client')}
    while more := {used for name in client_modules for used in known[
        name][1] if used in known and used != 'heat_extras'} - client_modules:
        client_modules |= more
    return client_modules


def required(*files):
    """Read the canonical names in files of requirements."""
    lines = [line for name in files
             for line in (ROOT / name).read_text().splitlines()]
    return {utils.canonicalize_name(requirements.Requirement(line).name)
            for line in lines if line and not line.startswith('#')}


# It reads the files of all installed distributions, which takes a while.
@functools.cache
def _installed():
    return metadata.packages_distributions()


def distributions(module):
    """List the canonical names of the distributions that have a module."""
    return {utils.canonicalize_name(name)
            for name in _installed().get(module, ())}


def brought(names):
    """List all direct and indirect requirements, without extras."""
    complete, left = set(), set(names)
    while left:
        name = left.pop()
        complete.add(name)
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            # For another Python, or another system.
            continue
        left |= {utils.canonicalize_name(requirements.Requirement(line).name)
                 for line in lines
                 if not re.search(r';.*\bextra\b', line)} - complete
    return complete


@testtools.skipIf(sys.version_info < (3, 11),
                  'this Python does not know all modules of a distribution')
class RequirementsTest(testtools.TestCase):
    def missing(self, imports, *files):
        names = required(*files)
        return {
            module: f'imported by {path}, wanted one of '
                    f'{sorted(distributions(module))} in {" or ".join(files)}'
            for module, path in imports.items()
            if module not in BROUGHT and not distributions(module) & names}

    def test_imported_distributions_are_required(self):
        self.assertEqual({}, self.missing(imported(), LIGHT, ENGINE))

    def test_client_imports_are_in_requirements_txt(self):
        self.assertEqual({}, self.missing(imported(light()), LIGHT))

    def test_required_distributions_are_imported(self):
        for name, imports in ((LIGHT, imported(light())),
                              (ENGINE, imported())):
            used = {each for module in imports
                    for each in distributions(module)}
            self.assertEqual(set(), required(name) - used, name)

    def test_each_requirement_is_listed_once(self):
        self.assertEqual(
            sum(len(required(name)) for name in (LIGHT, ENGINE, SANDBOX)),
            len(required(LIGHT, ENGINE, SANDBOX)))

    def test_indirect_requirements_are_imported(self):
        self.assertEqual(set(), set(BROUGHT) - set(imported()))

    def test_client_imports_without_engine_requirements(self):
        # In a separate process, because this one has imported all of them.
        reached = brought(required(LIGHT))
        blocked = sorted({
            module for module, names in _installed().items()
            if not module.startswith('heat_extras') and names
            and {utils.canonicalize_name(name) for name in names}
            & required(ENGINE) - reached})
        for name in ('heat', 'oslo_config', 'oslo_db', 'sqlalchemy'):
            self.assertIn(name, blocked)
        done = subprocess.run(
            [sys.executable, '-c', IMPORT.format(
                blocked=blocked, names=sorted(light()))],
            capture_output=True, text=True, timeout=300)
        self.assertEqual('', done.stderr)
