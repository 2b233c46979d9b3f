# SPDX-License-Identifier: Apache-2.0

"""The reasons why no update can replace a resource."""

from heat_extras import gate


def list_blockers(resource, stack):
    """List the reasons why the next update cannot replace a resource.

    :param stack: the loaded stack of the resource.
    :returns: a list of texts.
    """
    if resource.external_id is not None:
        # Heat skips it in an update (heat.engine.resource.Resource.update).
        return [f'Resource {resource.name} has an external_id. Heat did not '
                'create this resource, and never replaces it. The next update '
                'removes the mark.']
    blockers = []
    if 'replace' in stack.env.registry.get_rsrc_restricted_actions(
            resource.name):
        blockers.append(
            f'The environment of stack {stack.name} forbids the replacement '
            f'of resource {resource.name} (restricted_actions). Every update '
            'will fail until the environment allows the replacement, or until '
            'the mark is reset.')
    return [*blockers, *gate.list_replace_blockers(resource, stack)]
