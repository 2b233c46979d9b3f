# SPDX-License-Identifier: Apache-2.0

"""The release is declared in setup.cfg, and all other places agree."""

import configparser
import contextlib
import io
import json
import pathlib
import re
import runpy

import testtools

from heat_extras.client import heat_shell
from heat_extras.cmd import manage
from heat_extras.cmd import sandbox
from heat_extras.cmd import status
from heat_extras import version

ROOT = pathlib.Path(__file__).parents[2]
# As an argument of pip, and in the name of a wheel.
PINNED = re.compile(r'heat[-_]extras(?:\[\w+\])?(?:==|-)(\d[.\d]*\d)')

COMMANDS = (heat_shell, manage, sandbox, status)


def declared():
    """Read the version that a build uses."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / 'setup.cfg')
    return parser['metadata']['version']


def printed(command):
    """Return the output of a command for --version."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            command.main(['--version'])
        except SystemExit as end:
            assert not end.code, end.code
    return out.getvalue().strip()


class VersionTest(testtools.TestCase):

    def test_installed_version_matches_setup_cfg(self):
        self.assertEqual(declared(), version.installed())

    def test_version_is_plain_release(self):
        # A build from a checkout without history has the same version.
        self.assertThat(declared(), testtools.matchers.MatchesRegex(
            r'\d+[.]\d+[.]\d+$'))

    def test_every_command_prints_version(self):
        self.assertEqual(
            {command.__name__: declared() for command in COMMANDS},
            {command.__name__: printed(command) for command in COMMANDS})

    def test_openapi_document_has_version(self):
        description = json.loads(
            (ROOT / 'heat_extras' / 'openapi.json').read_text())
        self.assertEqual(declared(), description['info']['version'])

    def test_release_notes_have_version_as_heading(self):
        conf = runpy.run_path(str(ROOT / 'doc/source/conf.py'))
        named = conf['name_release']
        for title in ('0.0.0', '1.0.0-7', '*working-copy*'):
            self.assertEqual(declared(), named(title))
        for title in ('0.9.0', '1.0.0.0rc1', 'New Features'):
            self.assertEqual(title, named(title))

    def test_pages_pin_only_this_version(self):
        for name in ('install', 'kolla-ansible', 'openstack-ansible'):
            page = (ROOT / f'doc/source/install/{name}.rst').read_text()
            self.assertEqual({declared()}, set(PINNED.findall(page)), name)
