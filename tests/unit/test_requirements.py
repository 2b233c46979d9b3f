# SPDX-License-Identifier: Apache-2.0

"""The requirements name what the package imports, and nothing else.

requirements.txt is what the client needs, engine-requirements.txt what all
the rest does besides.
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

# Only together with something that brings it along.
BROUGHT = {
    'eventlet': 'Heat 24, the only one that runs on it',
    'fixtures': 'the tests that use heat_extras.fixture',
}

# Imports all of the client, with some modules out of its reach.
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
    """Map the name of each module of ours to its path and its imports."""
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
    """Map each top-level module that is imported to one file that does.

    :param names: of the modules to look at; by default all of ours.
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
    """List the modules of the client, and what they import of ours."""
    known = modules()
    client_modules = {name for name in known
                      if name.startswith('heat_extras.client')}
    while more := {used for name in client_modules for used in known[
        name][1] if used in known and used != 'heat_extras'} - client_modules:
        client_modules |= more
    return client_modules


def required(*files):
    """Read the names in files of requirements, in one spelling."""
    lines = [line for name in files
             for line in (ROOT / name).read_text().splitlines()]
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


def brought(names):
    """Follow what distributions require, extras apart, to its end."""
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

    def test_what_is_imported_is_named(self):
        self.assertEqual({}, self.missing(imported(), LIGHT, ENGINE))

    def test_what_the_client_imports_is_named(self):
        self.assertEqual({}, self.missing(imported(light()), LIGHT))

    def test_what_is_named_is_imported(self):
        for name, imports in ((LIGHT, imported(light())),
                              (ENGINE, imported())):
            used = {each for module in imports
                    for each in distributions(module)}
            self.assertEqual(set(), required(name) - used, name)

    def test_each_is_named_once(self):
        self.assertEqual(
            sum(len(required(name)) for name in (LIGHT, ENGINE, SANDBOX)),
            len(required(LIGHT, ENGINE, SANDBOX)))

    def test_what_others_bring_along_is_imported(self):
        self.assertEqual(set(), set(BROUGHT) - set(imported()))

    def test_the_client_imports_without_the_rest(self):
        # In a process of its own, for here they are all imported.
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
