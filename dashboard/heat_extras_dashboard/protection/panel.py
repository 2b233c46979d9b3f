# SPDX-License-Identifier: Apache-2.0

"""The panel *Protection* of a project."""

from django.utils.translation import gettext_lazy as _
import horizon


class Protection(horizon.Panel):
    """The locks of a project, and its protected stacks."""

    name = _('Protection')
    slug = 'protection'
    permissions = ('openstack.services.orchestration',)
    policy_rules = (('heat_extras', 'locks:index'),)
