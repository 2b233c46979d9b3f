# SPDX-License-Identifier: Apache-2.0

"""A wheel of the checkout, built without network access."""

import importlib.util
import pathlib
import shutil
import sys

import fixtures

from tests.harness import command

ROOT = pathlib.Path(__file__).parents[2]
# All files that a build reads.
SOURCES = ('setup.py', 'setup.cfg', 'pyproject.toml', 'requirements.txt',
           'engine-requirements.txt', 'sandbox-requirements.txt',
           'README.rst', 'LICENSE', 'MANIFEST.in', 'heat_extras',
           'db_migrations', 'etc')
REQUIREMENTS = ('pip', 'setuptools', 'wheel')


def missing():
    """List the missing build requirements."""
    return [name for name in REQUIREMENTS
            if importlib.util.find_spec(name) is None]


class Wheel(fixtures.Fixture):
    """The wheel, which exists while the fixture is used.

    :ivar path: of the wheel.
    :ivar copy: of the sources: a build leaves files behind in its tree.
    """

    def _setUp(self):
        self._directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.copy = self._directory / 'copy'
        self.copy.mkdir()
        for name in SOURCES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.copy / name, ignore=(
                    shutil.ignore_patterns('__pycache__')))
            else:
                shutil.copy(ROOT / name, self.copy / name)
        self.path = self.make(self.copy, 'out')

    def make(self, source, out):
        """Build a wheel.

        :param source: the path of a tree or of a source distribution.
        :param out: the name of a directory that there is not yet.
        :returns: the path of the wheel.
        """
        out = self._directory / out
        command.check([
            sys.executable, '-m', 'pip', 'wheel', '--quiet', '--no-deps',
            '--no-index', '--no-build-isolation', '--wheel-dir', out, source],
            directory=self._directory)
        wheel, = out.glob('*.whl')
        return wheel
