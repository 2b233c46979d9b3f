# SPDX-License-Identifier: Apache-2.0

"""Texts for values of the API that several pages show."""

from django.utils.translation import gettext_lazy as _

LEVELS = (
    ('stacks', _('Stacks: the stack and its nested stacks cannot be changed')),
    ('all', _('All: the resources are also protected, if their services '
              'support this')))

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
    ('parameter', _('Immutable Parameter')),
    ('policy', _('Update Policy')),
    ('plan_required', _('Plan Required')),
    ('plugin', _('Lifecycle Plugin')))

# The lock_protection of a resource under a lock of level all.
COVERAGE = {
    'protected': _('Protected'),
    'found_protected': _('Already protected'),
    'no_lock_api': _('Not protected'),
    'failed': _('Failed')}

LOCK = _('Lock Stack')

# What happens to a resource, by the action and whether it is not certain.
CHANGES = {
    ('added', False): _('Added'),
    ('updated', False): _('Updated'),
    ('replaced', False): _('Replaced'),
    ('removed', False): _('Removed'),
    ('unchanged', False): _('Unchanged'),
    ('added', True): _('May be added'),
    ('updated', True): _('May be updated'),
    ('replaced', True): _('May be replaced'),
    ('removed', True): _('May be removed'),
    ('unchanged', True): _('May be unchanged'),
    ('unknown', False): _('Not known')}
