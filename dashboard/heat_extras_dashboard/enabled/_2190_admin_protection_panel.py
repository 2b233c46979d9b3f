# SPDX-License-Identifier: Apache-2.0

"""The panel *Protection* of administrators."""

PANEL = 'protection'
PANEL_DASHBOARD = 'admin'
PANEL_GROUP = 'orchestration'
ADD_PANEL = 'heat_extras_dashboard.admin_locks.panel.Protection'
