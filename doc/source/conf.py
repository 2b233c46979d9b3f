# SPDX-License-Identifier: Apache-2.0

"""Sphinx configuration."""

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
version = ''
release = ''

html_theme = 'openstackdocs'
pygments_style = 'native'
exclude_patterns = []
