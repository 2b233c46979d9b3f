# SPDX-License-Identifier: Apache-2.0

"""Words of several pages."""

from django.utils.translation import gettext_lazy as _

LEVELS = (
    ('stacks', _('Stacks: nobody changes the stack or what is nested in it')),
    ('all', _('All: the resources are protected, too, where their service '
              'can')))

STATUSES = (
    ('lock_in_progress', _('Lock In Progress')),
    ('lock_complete', _('Lock Complete')),
    ('lock_failed', _('Lock Failed')),
    ('unlock_in_progress', _('Unlock In Progress')),
    ('unlock_complete', _('Unlock Complete')),
    ('unlock_failed', _('Unlock Failed')))

KINDS = (
    ('lock', _('Lock')),
    ('delete_protection', _('Delete Protection')),
    ('freeze', _('Freeze')),
    ('protection', _('Protected Resource')),
    ('unhealthy', _('Unhealthy Resource')),
    ('restriction', _('Restricted Actions')),
    ('parameter', _('Parameter That Stays')),
    ('policy', _('Resource That Stays')),
    ('plugin', _('Plugin')))

# What becomes of a resource, as a lock of level all tells it.
COVERAGE = {
    'protected': _('Protected'),
    'found_protected': _('Protected already'),
    'no_lock_api': _('Not protected'),
    'failed': _('Failed')}

LOCK = _('Lock Stack')
