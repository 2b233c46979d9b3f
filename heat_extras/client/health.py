# SPDX-License-Identifier: Apache-2.0

"""Mark resources as unhealthy through a client of python-heatclient."""

from urllib import parse

from heat_extras.client import locks

NESTED_DEPTH = 5

# Heat has one text for a mark and a reset.
MARKED, RESET = 'Marked as unhealthy', 'Reset to healthy'


class HealthManager(locks.LockManager):
    """Speak Heat's call for broken resources, with what heat-extras adds.

    heatclient's own ``resources.mark_unhealthy`` works, too; it cannot say
    force, and drops the warnings.
    """

    def mark(self, stack, resource, unhealthy=True, reason='', force=False):
        """Mark a resource as unhealthy, or reset it.

        :param stack: name and ID with a slash between
        :param resource: name or physical ID
        :param reason: shown with the status of the resource; by default
                       :data:`MARKED` or :data:`RESET`
        :param force: mark beyond the limit of unhealthy resources
        :returns: what will be in the way of a replacement, a list of texts
        """
        reason = reason or (MARKED if unhealthy else RESET)
        path = f'/stacks/{stack}/resources/{parse.quote(resource, safe="")}'
        answer = locks.body_of(self.client.patch(
            path + ('?force=true' if force else ''),
            data={'mark_unhealthy': unhealthy,
                  'resource_status_reason': reason}))
        return (answer or {}).get('mark_unhealthy', {}).get('warnings', [])


def find(resources, physical_id):
    """Find the one among listed resources that has a physical ID.

    :returns: the resource, or None when none or several have it
    """
    found = [each for each in resources
             if each.physical_resource_id == physical_id]
    return found[0] if len(found) == 1 else None


def stack_of(resource):
    """Tell the stack of a listed resource.

    :returns: name and ID with a slash between
    """
    href, = [link['href'] for link in resource.links
             if link['rel'] == 'stack']
    return '/'.join(href.rstrip('/').split('/')[-2:])
