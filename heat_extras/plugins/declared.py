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

import hashlib
import json

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
_known = {}


def names(text):
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


def _read(text):
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

    def __init__(self, is_map):
        self.is_map, self.items = is_map, []


def _composed(events):
    # Not by calls, and aliases refer: a text can't make it deep or large.
    root = _Node(False)
    anchors, path = {}, [root]
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


def _node(event, anchors):
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(event.anchor)
    node = (event.value if isinstance(event, yaml.ScalarEvent)
            else _Node(isinstance(event, yaml.MappingStartEvent)))
    if event.anchor:
        anchors[event.anchor] = node
    return node


def _names(document):
    found, known = set(), {}
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


def _is_hidden(schema, word):
    if not isinstance(schema, _Node) or not schema.is_map:
        return False
    own = dict(_own(schema))
    # What is merged in is not looked up: it may say so.
    return (hidden.is_yes(own[word]) if word in own else _MERGE in own)


def _pairs(node):
    # With those of what is merged in; each once, as they can go in circles.
    waiting, seen = [node], set()
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


def _own(node):
    return [(key, value) for key, value
            in zip(node.items[::2], node.items[1::2], strict=True)
            if isinstance(key, str)]
