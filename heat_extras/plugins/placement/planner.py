# SPDX-License-Identifier: Apache-2.0

"""Find racks for the members of groups.

Pure: nothing of Heat is imported.
"""

import collections
from collections import abc
import dataclasses

SAME_RACK, SPREAD = 'same_rack', 'spread'
POLICIES = (SAME_RACK, SPREAD)

# How many more of a type a rack can hold, by rack and type; and the rack of
# each member, by its key.
Room = dict[str, dict[str, int]]
Plan = dict[str, str]

# So many steps are looked at before a plan is given up.
_STEPS = 50_000


class Impossible(Exception):
    """No plan satisfies all groups."""


@dataclasses.dataclass(frozen=True)
class Group:
    """Resources that belong together.

    :param placed: racks of the members that have one already.
    :param members: (key, type) of each that needs one.
    """

    name: str
    policy: str
    members: tuple[tuple[str, str], ...]
    placed: tuple[str, ...] = ()


def plan(groups: abc.Iterable[Group], free: Room) -> Plan:
    """Find a rack for each member.

    :param free: from a rack to a dict from a type to how many more it can
        hold.
    :returns: a dict from the members' keys to racks.
    :raises Impossible: with the group that cannot be satisfied, or all.
    """
    groups = [group for group in groups if group.members]
    for group in groups:
        _check(group)
        if not _search([group], free):
            raise Impossible(_text(group))
    # What has the fewest ways comes first.
    found = _search(sorted(groups, key=lambda group: (
        not group.placed, -len(group.members))), free)
    if found is None:
        names = ', '.join(sorted(group.name for group in groups))
        raise Impossible(f'placement groups {names}: found no plan that '
                         'satisfies all of them together')
    return found


def _check(group: Group) -> None:
    racks = collections.Counter(group.placed)
    if group.policy == SAME_RACK and len(racks) > 1:
        raise Impossible(f'placement group {group.name}: found members on '
                         f'{", ".join(sorted(racks))}, wanted one rack')
    if group.policy == SPREAD and len(racks) < len(group.placed):
        raise Impossible(f'placement group {group.name}: found several '
                         'members on one rack, wanted them spread')


def _text(group: Group) -> str:
    kinds = collections.Counter(kind for _key, kind in group.members)
    wanted = ' and '.join(f'{count} {kind}' for kind, count
                          in sorted(kinds.items()))
    if group.policy == SPREAD:
        besides = (' without members of the group' if group.placed else '')
        return (f'placement group {group.name}: found too few racks{besides} '
                f'with room, wanted one for each of {wanted}')
    where = (f'rack {group.placed[0]}, where the group is,' if group.placed
             else 'any rack')
    return (f'placement group {group.name}: found no room on {where} for '
            f'{wanted} together')


def _search(groups: abc.Iterable[Group], free: Room) -> Plan | None:
    free = {rack: dict(capacity) for rack, capacity in free.items()}
    return _Search(free).groups(list(groups))


class _Search:
    """Try racks, those with most room first, and go back where stuck."""

    def __init__(self, free: Room) -> None:
        self._free = free
        self._steps = 0

    def groups(self, groups: list[Group]) -> Plan | None:
        if not groups:
            return {}
        group, rest = groups[0], groups[1:]
        if group.policy == SAME_RACK:
            return self._same_rack(group, rest)
        members = sorted(group.members, key=lambda member: member[1])
        racks: list[str | None] = [
            rack for rack in self._by_room() if rack not in group.placed]
        return self._spread(members, racks, (None, -1), rest)

    def _same_rack(self, group: Group, rest: list[Group]) -> Plan | None:
        for rack in group.placed[:1] or self._by_room():
            kinds = [kind for _key, kind in group.members]
            if not self._take(rack, kinds):
                continue
            found = self.groups(rest)
            if found is not None:
                return {**found, **{key: rack for key, _ in group.members}}
            self._give_back(rack, kinds)
        return None

    def _spread(self, members: list[tuple[str, str]],
                racks: list[str | None], last: tuple[str | None, int],
                rest: list[Group]) -> Plan | None:
        if not members:
            return self.groups(rest)
        (key, kind), others = members[0], members[1:]
        # Members of one type are alike: each order of them is tried once.
        first = last[1] + 1 if kind == last[0] else 0
        for index in range(first, len(racks)):
            rack = racks[index]
            if rack is None or not self._take(rack, [kind]):
                continue
            racks[index] = None
            found = self._spread(others, racks, (kind, index), rest)
            racks[index] = rack
            if found is not None:
                return {**found, key: rack}
            self._give_back(rack, [kind])
        return None

    def _by_room(self) -> list[str]:
        return sorted(self._free, key=lambda rack: (
            -sum(self._free[rack].values()), rack))

    def _take(self, rack: str, kinds: list[str]) -> bool:
        self._steps += 1
        if self._steps > _STEPS:
            return False
        free = self._free.get(rack, {})
        wanted = collections.Counter(kinds)
        if any(free.get(kind, 0) < count for kind, count in wanted.items()):
            return False
        for kind, count in wanted.items():
            free[kind] -= count
        return True

    def _give_back(self, rack: str, kinds: list[str]) -> None:
        for kind in kinds:
            self._free[rack][kind] += 1
