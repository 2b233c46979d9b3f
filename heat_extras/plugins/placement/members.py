# SPDX-License-Identifier: Apache-2.0

"""What resources say about their place, in their metadata.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses

from heat_extras.lifecycle import public
from heat_extras.plugins.placement import planner

KEY = 'heat_extras_placement'


@dataclasses.dataclass(frozen=True)
class Member:
    """A resource that belongs to a group.

    :param types: its names; inventories may know any of them.
    """

    name: str
    types: frozenset[str]
    group: str
    policy: str


def read(resources: abc.Iterable[tuple]) -> list[Member]:
    """Find the members of groups.

    :param resources: (name, types, metadata) of each.
    :returns: a list of :class:`Member`.
    :raises Denied: when the metadata make no sense.
    """
    found = [_member(name, types, metadata[KEY])
             for name, types, metadata in resources
             if isinstance(metadata, dict) and KEY in metadata]
    policies: dict[str, str] = {}
    for member in found:
        if policies.setdefault(member.group, member.policy) != member.policy:
            raise public.Denied(
                f'placement group {member.group}: found both same_rack and '
                'spread, wanted one policy for all of its members')
    return found


def names(resources: abc.Iterable[tuple]) -> list[str]:
    """List the names of those that say anything about their place.

    Also where that makes no sense: it may be older than the plugin.

    :param resources: as for :func:`read`.
    """
    return [name for name, _types, metadata in resources
            if isinstance(metadata, dict) and KEY in metadata]


def _member(name: str, types: frozenset[str], said: object) -> Member:
    group = said.get('group') if isinstance(said, dict) else None
    policy = said.get('policy') if isinstance(said, dict) else None
    if (not isinstance(group, str) or not 0 < len(group) < 256
            or not isinstance(policy, str)
            or policy not in planner.POLICIES):
        raise public.Denied(
            f'metadata {KEY} of resource {name}: found no valid group and '
            'policy, wanted {group: NAME, policy: '
            f'{" or ".join(planner.POLICIES)}}}')
    return Member(name, types, group, policy)


def groups(members: abc.Collection[Member], kept: dict[str, str],
           others: abc.Collection[tuple], racks: dict[str, dict[str, int]]
           ) -> list[planner.Group]:
    """Make groups of those who need a place.

    :param members: a list of :class:`Member` of one stack.
    :param kept: from a member's name to the rack that it has.
    :param others: (group, rack) of members in other stacks of the tree.
    :param racks: the inventory, to know by which name it counts a type.
    """
    policies = {member.group: member.policy for member in members}
    return [planner.Group(
        name=name, policy=policy,
        members=tuple((member.name, kind_of(member, racks))
                      for member in members
                      if member.group == name and member.name not in kept),
        placed=tuple([kept[member.name] for member in members
                      if member.group == name and member.name in kept]
                     + [rack for group, rack in others if group == name]))
            for name, policy in sorted(policies.items())]


def kind_of(member: Member, racks: dict[str, dict[str, int]]) -> str:
    """Return the name of a member's type that the inventory counts by."""
    return min(member.types, key=lambda kind: (
        not any(kind in capacity for capacity in racks.values()), kind))
