# SPDX-License-Identifier: Apache-2.0

"""Sphinx configuration."""

import configparser
import pathlib
import re

_setup = configparser.ConfigParser()
_setup.read(pathlib.Path(__file__).parents[2] / 'setup.cfg')

project = 'heat-extras'
copyright = '2026, heat-extras developers'

extensions = [
    'openstackdocstheme',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxext',
    'reno.sphinxext',
]

# The theme asks git for the version; there may be no tag.
openstackdocs_auto_name = False
openstackdocs_auto_version = False
openstackdocs_use_storyboard = False
version = release = _setup['metadata']['version']

html_theme = 'openstackdocs'
pygments_style = 'native'
exclude_patterns = []

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


def setup(app):
    # Before Sphinx makes the table of contents of it.
    app.connect('doctree-read', _name_releases, priority=100)
