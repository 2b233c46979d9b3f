# SPDX-License-Identifier: Apache-2.0

"""What will stop the replacement of a marked resource.

Other features add to it by an entry point in ``heat_extras.obstacles``: a
function that takes the resource and its stack and returns texts.
"""

from heat_extras import guard_loader
from heat_extras.health import words

NAMESPACE = 'heat_extras.obstacles'


def obstacles(resource, stack):
    """Tell what will stop the next update from replacing a resource.

    :param stack: the resource's own, as loaded.
    :returns: a list of texts, empty when nothing is in the way.
    """
    found = []
    if resource.external_id is not None:
        found.append(words.external(resource.name))
    restricted = stack.env.registry.get_rsrc_restricted_actions(
        resource.name)
    if 'replace' in restricted:
        found.append(words.restricted(resource.name, stack.name))
    for list_obstacles in guard_loader.load(NAMESPACE):
        found.extend(list_obstacles(resource, stack))
    return found


def start():
    """Load what others add, so that a failure is found at the start."""
    guard_loader.load(NAMESPACE)


def stop():
    """Stop what start() started: nothing runs."""
