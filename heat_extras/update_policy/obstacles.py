# SPDX-License-Identifier: Apache-2.0

"""What a policy means to a resource that is marked as unhealthy."""

from heat_extras.update_plan import change
from heat_extras.update_policy import ancestry
from heat_extras.update_policy import descendants
from heat_extras.update_policy import words


def list_obstacles(resource, stack):
    """Tell which policy will stop the replacement of a resource.

    :param stack: the resource's own, as loaded.
    :returns: a list of texts, empty when none will.
    """
    above = ancestry.look(stack)
    path = above.name_of(resource.name)
    by = above.of(resource.name, resource.t).forbids(change.REPLACE)
    if by is not None:
        return [words.forbids_replacement(path, by)]
    guarded = descendants.first_guarded_in(resource, path)
    return [] if guarded is None else [
        words.forbids_replacement_around(path, guarded)]
