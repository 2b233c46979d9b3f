# SPDX-License-Identifier: Apache-2.0

"""What a policy means to a resource that is marked as unhealthy."""

from heat_extras.host import effect
from heat_extras.update_policy import ancestry


def list_obstacles(resource, stack):
    """Tell which policy will stop the replacement of a resource.

    :param stack: the resource's own, as loaded.
    :returns: a list of texts, empty when none will.
    """
    above = ancestry.look(stack)
    by = above.of(resource.name, resource.t).forbids(effect.RECREATE)
    if by is None:
        return []
    path = above.name_of(resource.name)
    whose = 'Its own' if by == path else f'The one of resource {by}'
    return [f'The update_policy forbids to replace resource {path}. {whose} '
            'says replace: false: every update that would replace it will '
            'be refused, until the template allows it or the mark is reset.']
