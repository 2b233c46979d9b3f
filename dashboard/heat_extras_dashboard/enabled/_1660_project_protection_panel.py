# SPDX-License-Identifier: Apache-2.0

"""The panel *Protection* of projects, and the tab *Guards*."""

PANEL = 'protection'
PANEL_DASHBOARD = 'project'
PANEL_GROUP = 'orchestration'
ADD_PANEL = 'heat_extras_dashboard.protection.panel.Protection'
ADD_INSTALLED_APPS = ['heat_extras_dashboard']
EXTRA_TABS = {
    'heat_dashboard.content.stacks.tabs.StackDetailTabs': (
        (10, 'heat_extras_dashboard.stacks.tabs.GuardsTab'),)}
