# SPDX-License-Identifier: Apache-2.0

"""The changes that the policies of a tree forbid, from its templates."""

from tests.fuzz import trees

_MEMBERS = {trees.GROUP: 'resource_def', trees.SCALING: 'resource'}


def has_policy(path, *several):
    """Return whether a policy may apply to a resource in one of the trees."""
    for tree in several:
        level = tree['template']['resources']
        for name in path:
            resource = level.get(name)
            if ((resource or {}).get('update_policy') or {}).get('allow'):
                return True
            level = _inside(tree, resource)
    return False


def forbidden(path, before, after):
    """Return the actions that an update must not do on a resource.

    :param path: the path of names to the resource.
    :param before: the tree that was applied last.
    :param after: the new one, whose policies are in effect, but for what it
        does not have.
    :returns: a set of ``update`` and ``replace``.
    """
    actions = set()
    levels = [tree['template']['resources'] for tree in (before, after)]
    for name in path:
        old, new = (level.get(name) for level in levels)
        resource = new or old or {}
        allow = (resource.get('update_policy') or {}).get('allow') or {}
        actions |= {key for key, value in allow.items() if value is False}
        levels = [_inside(tree, each) for tree, each in (
            (before, old), (after, new))]
    return actions


class _Members(dict):
    """Return the same for each name, because members are not known here."""

    def __init__(self, resource):
        super().__init__()
        self._resource = resource

    def get(self, name):
        return self._resource


def _inside(tree, resource):
    if resource is None:
        return {}
    kind = resource['type']
    if kind in _MEMBERS:
        return _Members(resource['properties'][_MEMBERS[kind]])
    if kind in (trees.CHAIN, trees.DEPLOYMENTS):
        return _Members({'type': trees.NONE})
    kind = tree['environment']['resource_registry'].get(kind, kind)
    return tree['files'].get(kind, {}).get('resources', {})
