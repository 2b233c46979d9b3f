# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
import os
import pathlib
import subprocess
import sys
import tempfile

import testtools

SCRIPT = """
from heat_extras.sandbox import interpreter
interpreter.prepare()
import sys
patched = 'eventlet' in sys.modules and __import__(
    'eventlet.patcher').patcher.is_monkey_patched('socket')
print(patched)
"""
PROGRAM = """\
import subprocess, sys
from heat_extras.sandbox import interpreter
interpreter.keep_bytecode()
import heat
subprocess.run([sys.executable, '-c', 'import of_child'])
"""


class PrepareTest(testtools.TestCase):

    def test_standard_library_is_patched_for_the_heats_on_eventlet(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        major = int(metadata.version('openstack-heat').split('.')[0])
        self.assertEqual('%s\n' % (major < 25), done.stdout, done.stderr)

    def test_nothing_is_said_about_eventlet(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        self.assertNotIn('Eventlet', done.stderr)


class KeepBytecodeTest(testtools.TestCase):
    """With a package ``heat`` of its own, which has no bytecode yet."""

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.enterContext(
            tempfile.TemporaryDirectory()))
        self.package = self.place / 'heat'
        self.package.mkdir()
        (self.package / '__init__.py').touch()
        (self.place / 'of_child.py').touch()

    def run_it(self, *options, **variables):
        """Import it; return the names of the bytecode in the cache."""
        done = subprocess.run(
            [sys.executable, *options, '-c', PROGRAM], text=True,
            capture_output=True, env={
                'HOME': str(self.place / 'home'),
                'PYTHONPATH': os.pathsep.join(
                    (str(self.place), *filter(None, sys.path))), **variables})
        self.assertEqual('', done.stderr)
        # The standard library and heat_extras can be among them.
        return {path.name.partition('.')[0]
                for path in self.place.glob('**/heat-extras/bytecode/**/*.pyc')
                if str(path.parent).count(str(self.place)) == 2}

    def test_it_is_kept_where_python_would_not(self):
        self.assertEqual({'__init__', 'of_child'},
                         self.run_it(PYTHONDONTWRITEBYTECODE='1'))
        self.assertTrue((self.place / 'home/.cache/heat-extras').is_dir())
        self.assertFalse((self.package / '__pycache__').exists())

    def test_the_cache_folder_can_be_chosen(self):
        self.assertEqual({'__init__', 'of_child'}, self.run_it(
            PYTHONDONTWRITEBYTECODE='1',
            XDG_CACHE_HOME=str(self.place / 'elsewhere')))
        self.assertTrue((self.place / 'elsewhere/heat-extras').is_dir())

    def test_where_python_keeps_it_there_is_no_cache(self):
        self.assertEqual(set(), self.run_it())
        self.assertTrue((self.package / '__pycache__').exists())

    def test_installed_bytecode_is_used(self):
        self.run_it()
        self.assertEqual(set(), self.run_it(PYTHONDONTWRITEBYTECODE='1'))

    def test_another_folder_of_the_user_is_used(self):
        chosen = str(self.place / 'chosen')
        self.run_it(PYTHONPYCACHEPREFIX=chosen)
        self.assertEqual(set(), self.run_it(
            PYTHONPYCACHEPREFIX=chosen, PYTHONDONTWRITEBYTECODE='1'))
