# SPDX-License-Identifier: Apache-2.0

"""Sphinx configuration."""

import configparser
import pathlib
import re
import subprocess
import sys

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_setup = configparser.ConfigParser()
_setup.read(_ROOT / 'setup.cfg')

project = 'heat-extras'
copyright = '2026, heat-extras developers'

extensions = [
    'cliff.sphinxext',
    'openstackdocstheme',
    'oslo_config.sphinxconfiggen',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxpolicygen',
    'oslo_policy.sphinxext',
    'reno.sphinxext',
]

config_generator_config_file = [
    (str(_ROOT / 'etc' / 'oslo-config-generator' / 'heat-extras.conf'),
     '_static/heat-extras')]
policy_generator_config_file = [
    (str(_ROOT / 'etc' / 'oslo-policy-generator' / 'heat-extras.conf'),
     '_static/heat-extras')]
autoprogram_cliff_application = 'openstack'

# The theme asks git for the version; there may be no tag.
openstackdocs_auto_name = False
openstackdocs_auto_version = False
openstackdocs_use_storyboard = False
version = release = _setup['metadata']['version']

html_theme = 'openstackdocs'
pygments_style = 'native'
exclude_patterns = []

# Pages that tools write when the site is built, see .gitignore.
_GENERATED = {'patch_table.py': 'contributor/patches.rst',
              'operation_table.py': 'reference/lock-states.rst',
              'api_requests.py': 'reference/api-requests.rst'}

# What reno calls notes that no tag has: there was none yet, so many commits
# after one, and not committed.
_WITHOUT_TAG = re.compile(r'0\.0\.0|.*-\d+|\*working-copy\*')


def name_release(title):
    """Return the heading of release notes, with the version in place of it."""
    return release if _WITHOUT_TAG.fullmatch(title) else title


def _name_releases(app, doctree):
    from docutils import nodes
    if app.env.docname != 'release-notes':
        return
    for title in doctree.findall(nodes.title):
        title.children = [nodes.Text(name_release(title.astext()))]


def _generate_pages(app):
    for tool, page in _GENERATED.items():
        subprocess.run([sys.executable, _ROOT / 'tools' / tool, '--write',
                        pathlib.Path(app.srcdir, page)], check=True)


def setup(app):
    app.connect('builder-inited', _generate_pages)
    # Before Sphinx makes the table of contents of it.
    app.connect('doctree-read', _name_releases, priority=100)
