# SPDX-License-Identifier: Apache-2.0

"""What rules judge: a stack as it would be.

Pure: nothing of Heat is imported.
"""

import dataclasses
import functools
import typing


class Unknown:
    """Stands for a value that is not known before the stack is made."""

    def __repr__(self) -> str:
        return 'a value that is not known yet'


UNKNOWN = Unknown()


@dataclasses.dataclass(frozen=True)
class Living:
    """A resource that is there, or would be, in whatever stack.

    :param types: its names: the one in the template, and the one that the
        environment makes of it.
    :param key: what is there and what is planned under one key is the same;
        None for what is nowhere yet.
    """

    types: frozenset
    key: tuple | None = None


@dataclasses.dataclass(frozen=True)
class There:
    """What is there besides what is planned.

    :param own: each :class:`Living` of the stack and of all that is nested
        in it.
    :param living: the types of each resource that lives elsewhere.
    :param current: of each that the templates elsewhere have.
    """

    own: tuple = ()
    living: tuple = ()
    current: tuple = ()


@dataclasses.dataclass(frozen=True)
class Resource:
    """A resource of the stack itself.

    :param types: its names: the one in the template, and the one that the
        environment makes of it.
    :param get: from a property's name to its value, None where it has
        none, or UNKNOWN.
    :param references: names of resources that its properties refer to.
    :param literals: what the template has for properties as a literal, by
        their names; empty where that could be a resolved value.
    :param key: as that of :class:`Living`.
    :param is_unchanged: whether an update leaves it as it is.
    """

    name: str
    types: frozenset
    get: typing.Callable = lambda name: None
    references: frozenset = frozenset()
    literals: dict = dataclasses.field(default_factory=dict)
    key: tuple | None = None
    is_unchanged: bool = False


@dataclasses.dataclass(frozen=True)
class Subject:
    """A stack as it would be.

    :param list_nested: returns each :class:`Living` that would be nested in
        it, as far as that is known.
    :param there: from ``tree`` or ``project`` to what is :class:`There`.
    :param is_remade: says whether what is there under a key may be made
        anew.
    :param domain: returns the id of the project's domain.
    """

    resources: tuple
    list_nested: typing.Callable = tuple
    tags: tuple = ()
    project: str = ''
    is_root: bool = True
    there: typing.Callable = lambda scope: There()
    is_remade: typing.Callable = lambda key: False
    domain: typing.Callable = lambda: None

    @property
    def changing(self) -> tuple:
        """The resources that a rule about one resource is for."""
        return tuple(one for one in self.resources if not one.is_unchanged)

    @functools.cached_property
    def nested(self) -> tuple:
        return tuple(self.list_nested())
