# SPDX-License-Identifier: Apache-2.0

"""Whether a value in a template is known before an update starts.

It is when it comes from literals and parameters alone. What comes from a
resource is what the update itself may change. Pure; a template in either
format, as it was written.
"""

from collections import abc
import dataclasses
import typing

_OF_RESOURCES = frozenset({
    'get_attr', 'get_resource', 'resource_facade', 'Fn::GetAtt',
    'Fn::ResourceFacade'})
_OF_CONDITIONS = frozenset({'if', 'Fn::If'})


@dataclasses.dataclass(frozen=True)
class Sources:
    """What the values of a template come from.

    :param resources: names of the resources.
    :param unknown: parameters whose values are not known.
    :param conditions: the section of that name, by which ``if`` decides.
    """

    resources: typing.Collection[str] = ()
    unknown: frozenset[str] = frozenset()
    conditions: typing.Any = None

    def is_known(self, snippet: typing.Any) -> bool:
        """Return whether everything that makes up a value is known."""
        if isinstance(snippet, list):
            return all(map(self.is_known, snippet))
        if not isinstance(snippet, dict):
            return True
        if len(snippet) == 1:
            (name, argument), = snippet.items()
            if not self._is_function_known(name, argument):
                return False
        return all(map(self.is_known, snippet.values()))

    def _is_function_known(self, name: str, argument: typing.Any) -> bool:
        if name in _OF_RESOURCES:
            return False
        if name in _OF_CONDITIONS:
            # One condition may hang on another; so take all together.
            return self.is_known(self.conditions)
        if name == 'Ref':
            return not (_holds(self.resources, argument)
                        or _holds(self.unknown, argument))
        if name == 'get_param':
            is_path = isinstance(argument, list) and argument
            return not _holds(self.unknown,
                              argument[0] if is_path else argument)
        return True


def _holds(names: abc.Collection[str], name: object) -> bool:
    # A name that is itself computed could be any of them.
    return name in names if isinstance(name, str) else bool(names)
