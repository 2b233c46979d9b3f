# SPDX-License-Identifier: Apache-2.0

"""Which parameters a file declares as hidden, if it is a template at all.

A file is whatever a user has written, and each nested stack has all files of
its root. Heat's way to read one (heat.common.template_format.simple_parse)
takes seconds for a large one, the more so when it is no YAML after all; it
raises many things, and what it returns can be a billion times larger than the
text. So each is read once, and one pass over the events of YAML's parser
tells what is asked here, in linear time.
Pure: nothing of Heat is imported.
"""

from collections import abc
import hashlib
import json
import typing

import yaml

from heat_extras.plugins import hidden

_LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
_MERGE = '<<'

# No template that nests deeper can be stored (json.encoder). The parser's
# time grows with the square of the depth.
_DEEPEST = 1000

# Of how many texts it is remembered: all nested stacks have the files of
# their root.
_MOST = 10_000
_known: dict[bytes, frozenset[str]] = {}


def names(text: object) -> frozenset[str]:
    """List the parameters that a text declares as hidden.

    :param text: what a file has.
    :returns: a frozenset, empty for what is no template.
    """
    if not isinstance(text, str) or not any(
            word in text for word in hidden.SECTIONS.values()):
        return frozenset()
    key = hashlib.sha256(text.encode('utf-8', 'surrogatepass')).digest()
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = frozenset(_read(text))
    return found


def _read(text: str) -> abc.Iterable[str]:
    try:
        return hidden.names(json.loads(text))
    except (ValueError, RecursionError):
        pass
    try:
        return _names(_composed(yaml.parse(text, Loader=_LOADER)))
    except (ValueError, yaml.YAMLError):
        # A script, for instance.
        return ()


class _Node:
    """A map, as keys and values in turn, or a list."""

    def __init__(self, is_map: bool) -> None:
        self.is_map = is_map
        self.items: list = []


def _composed(events: abc.Iterable) -> object:
    # Not by calls, and aliases refer: a text can't make it deep or large.
    root = _Node(False)
    anchors: dict = {}
    path = [root]
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            path.pop()
        elif isinstance(event, yaml.NodeEvent):
            node = _node(event, anchors)
            path[-1].items.append(node)
            if isinstance(event, yaml.CollectionStartEvent):
                path.append(node)
        if len(path) > _DEEPEST:
            return None
    return root.items[0] if len(root.items) == 1 else None


def _node(event: yaml.NodeEvent, anchors: dict) -> typing.Any:
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(event.anchor)
    node = (event.value if isinstance(event, yaml.ScalarEvent)
            else _Node(isinstance(event, yaml.MappingStartEvent)))
    if event.anchor:
        anchors[event.anchor] = node
    return node


def _names(document: object) -> set[str]:
    found: set[str] = set()
    known: dict[tuple, bool] = {}
    for section, content in _pairs(document):
        word = hidden.SECTIONS.get(section)
        if word is None:
            continue
        for name, schema in _pairs(content):
            # One schema may stand for thousands, by an alias.
            key = word, id(schema)
            if key not in known:
                known[key] = _is_hidden(schema, word)
            if known[key]:
                found.add(name)
    return found


def _is_hidden(schema: object, word: str) -> bool:
    if not isinstance(schema, _Node) or not schema.is_map:
        return False
    own = dict(_own(schema))
    # What is merged in is not looked up: it may say so.
    return (hidden.is_yes(own[word]) if word in own else _MERGE in own)


def _pairs(node: object) -> abc.Iterator[tuple[str, typing.Any]]:
    # With those of what is merged in; each once, as they can go in circles.
    waiting: list = [node]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _Node) or id(node) in seen:
            continue
        seen.add(id(node))
        if not node.is_map:
            waiting += node.items
            continue
        for key, value in _own(node):
            if key == _MERGE:
                waiting.append(value)
            else:
                yield key, value


def _own(node: _Node) -> list[tuple[str, typing.Any]]:
    return [(key, value) for key, value
            in zip(node.items[::2], node.items[1::2], strict=True)
            if isinstance(key, str)]
