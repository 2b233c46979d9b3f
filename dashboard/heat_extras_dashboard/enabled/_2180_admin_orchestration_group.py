# SPDX-License-Identifier: Apache-2.0

"""The panel group *Orchestration* of administrators."""

from django.utils.translation import gettext_lazy as _

PANEL_GROUP = 'orchestration'
PANEL_GROUP_NAME = _('Orchestration')
PANEL_GROUP_DASHBOARD = 'admin'
