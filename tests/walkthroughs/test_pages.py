# SPDX-License-Identifier: Apache-2.0

"""Commands in README and on pages print what README and the pages show.

The blocks ``console`` of a page are one terminal session, which starts with
the commands in ``pages.console``. The sandbox has the directory ``state`` in
place of ``/etc/heat``. Blocks ``shell-session`` need more than a sandbox, and
show no output.
"""

import pathlib
import re

import testtools

from tests.walkthroughs import base
from tests.walkthroughs import transcript

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parents[1] / 'doc' / 'source'

# A command, and after it a line that is neither command nor empty.
_WITH_OUTPUT = re.compile(r'^ +\$ .*\n(?: +> .*\n)* +[^$>\s]', re.MULTILINE)


def pages():
    """List the pages that show the output of a command."""
    return {str(path.relative_to(SOURCE).with_suffix(''))
            for path in SOURCE.rglob('*.rst')
            if _WITH_OUTPUT.search(path.read_text())}


# Pages whose outputs other tests check, or that need more than a sandbox.
ELSEWHERE = {
    'template_guide/parameters': 'tests.functional.test_parameters',
    'install/evaluate': 'tests.walkthroughs.test_staging',
    'install/kolla-ansible': 'needs containers'}


class PagesTest(base.TestCase):

    plugins = str(HERE / 'page_plugins')

    def walk_page(self, name):
        text = transcript.of_page((SOURCE / f'{name}.rst').read_text())
        text = '\n'.join(((HERE / 'pages.console').read_text(), text,
                          '$ kill %1; wait %1'))
        self.walk(text.replace('/etc/heat/', 'state/'), width=96)

    def test_readme(self):
        self.walk_page('../../README')

    def test_install(self):
        self.walk_page('install/install')

    def test_upgrade(self):
        self.walk_page('install/upgrade')

    def test_locks(self):
        self.walk_page('admin/locks')

    def test_guards(self):
        self.walk_page('user/guards')

    def test_plan(self):
        self.walk_page('user/plan')

    def test_stack_lock(self):
        self.walk_page('user/stack-lock')

    def test_update_policy(self):
        self.walk_page('template_guide/update-policy')

    def test_lock_pass(self):
        self.walk_page('user/lock-pass')

    def test_delete_protection(self):
        self.walk_page('user/delete-protection')

    def test_freezes(self):
        self.walk_page('admin/freezes')


class OutputTest(testtools.TestCase):

    def test_each_output_is_checked(self):
        walked = re.findall(r"walk_page\('(.*)'\)",
                            pathlib.Path(__file__).read_text())
        self.assertEqual(set(), pages() - {*walked, *ELSEWHERE})
