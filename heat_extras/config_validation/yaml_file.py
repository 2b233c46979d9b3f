# SPDX-License-Identifier: Apache-2.0

"""A YAML file of an operator's: a list of entries, each with a name.

What is wrong in it is told all at once, each with its line and its entry.

Pure: nothing of Heat is imported.
"""

import collections
from collections import abc
import dataclasses
import pathlib
import typing

import yaml

from heat_extras import errors
from heat_extras import sanitize

# What PyYAML makes of a tag like !!int that its value does not keep to, of a
# number of too many digits, and of what is nested too deep or contains itself.
_NO_YAML = (ValueError, LookupError, TypeError, AttributeError,
            RecursionError)

# What leads to a place in the document, and what is wrong there.
Place = tuple[typing.Any, ...]
Problems = abc.Iterator[tuple[Place, str]]


@dataclasses.dataclass(frozen=True)
class YamlFile:
    """What such a file says.

    :param where: begins each sentence about it: the option and the path.
    :param value: what YAML makes of it.
    :param root: the same with its lines.
    :param key: under which the entries are, and ``noun`` one of them.
    """

    where: str
    value: typing.Any
    root: yaml.Node | None
    key: str
    noun: str

    def entries(self) -> list[typing.Any]:
        """Return the entries, whatever they are; none where there is no list.

        So that what is wrong in one does not hide what is in others.
        """
        found = (self.value.get(self.key) if isinstance(self.value, dict)
                 else None)
        return found if isinstance(found, list) else []

    def named(self) -> Problems:
        """Look for entries that have the same name."""
        names = [entry.get('name') if isinstance(entry, dict) else None
                 for entry in self.entries()]
        found = collections.Counter(
            name for name in names if isinstance(name, str))
        for index, name in enumerate(names):
            if isinstance(name, str) and found[name] > 1:
                yield ((self.key, index, 'name'),
                       f'found another {self.noun} of this name')

    def repeated(self) -> Problems:
        """Look for keys that are written twice."""
        return _repeated_keys(self.root, ())

    def refuse(self, problems: abc.Iterable[tuple[Place, str]]) -> None:
        """Raise all problems, in the order of their lines.

        :raises ActivationError: unless there are none.
        """
        lines = _Lines(self.root)
        found = sorted({(lines.of(place), self._entry_at(place), said)
                        for place, said in problems})
        if found:
            raise errors.ActivationError(*(
                f'{self.where}, line {line}{entry}: {said}'
                for line, entry, said in found))

    def _entry_at(self, place: Place) -> str:
        if len(place) < 2 or place[0] != self.key:
            return ''
        entry = self.value[self.key][place[1]]
        name = entry.get('name') if isinstance(entry, dict) else None
        return (f', {self.noun} ' + (
            sanitize.printable(name) if name else f'number {place[1] + 1}'))


def read(option: str, path: str) -> bytes:
    """Read a file.

    :param option: that names it, as it is written in messages.
    :raises ActivationError: when it cannot be read.
    """
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise _unreadable(option, path, error.strerror or error) from error


def parse(option: str, path: str, content: bytes | str, key: str, noun: str,
          loader: type = yaml.SafeLoader) -> YamlFile:
    """Make a document of the content of a file.

    :param loader: of PyYAML, a safe one.
    :raises ActivationError: when it is no YAML.
    """
    where = f'{option}: {path}'
    try:
        text = content if isinstance(content, str) else content.decode()
        # bandit: all that are handed in are safe.
        found = YamlFile(where, yaml.load(text, loader),  # nosec B506
                         yaml.compose(text, loader), key, noun)
        # A RecursionError of what contains itself is raised here.
        list(found.repeated())
        # And a ValueError of a number with more digits than Python writes.
        ascii(found.value)
        return found
    except UnicodeDecodeError as error:
        raise _unreadable(option, path, error) from error
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = f', line {mark.line + 1}' if mark else ''
        said = getattr(error, 'problem', None) or error
        raise errors.ActivationError(
            f'{where}{line}: found what is no YAML '
            f'({" ".join(str(said).split())}), wanted YAML') from error
    except _NO_YAML as error:
        raise errors.ActivationError(
            f'{where}: found what is no YAML ({error}), wanted YAML'
        ) from error


def _unreadable(option: str, path: str, said: object
                ) -> errors.ActivationError:
    return errors.ActivationError(
        f'{option}: {path}: found {said}, wanted a readable YAML file')


def _repeated_keys(node: yaml.Node | None, place: Place) -> Problems:
    # PyYAML takes the last of them without a word.
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _repeated_keys(item, (*place, index))
    if isinstance(node, yaml.MappingNode):
        names = collections.Counter(key.value for key, _value in node.value
                                    if isinstance(key.value, str))
        for key, value in node.value:
            if not isinstance(key.value, str):
                continue
            if names[key.value] > 1:
                yield (*place, key.value), f'found {key.value} twice'
            yield from _repeated_keys(value, (*place, key.value))


class _Lines:
    """The lines of a document.

    :param root: of it.
    """

    def __init__(self, root: yaml.Node | None):
        self._root = root
        self._pairs: dict[int, dict[str, tuple[yaml.Node, yaml.Node]]] = {}

    def of(self, place: Place) -> int:
        """Return the line of what is at a place, or of what is around it."""
        node = self._root
        if node is None:
            return 1
        line = node.start_mark.line + 1
        for step in place:
            if isinstance(node, yaml.MappingNode):
                found = self._of(node).get(step)
                if found is None:
                    return line
                key, node = found
                line = key.start_mark.line + 1
            elif isinstance(node, yaml.SequenceNode) and (
                    step < len(node.value)):
                node = node.value[step]
                line = node.start_mark.line + 1
            else:
                return line
        return line

    def _of(self, node: yaml.MappingNode
            ) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        # Once for each: all that is wrong may be in one. Of repeated keys the
        # last one is in force.
        if id(node) not in self._pairs:
            self._pairs[id(node)] = {
                key.value: (key, value) for key, value in node.value
                if isinstance(key.value, str)}
        return self._pairs[id(node)]
