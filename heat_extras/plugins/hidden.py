# SPDX-License-Identifier: Apache-2.0

"""What could depend on a hidden parameter, and a mark in its place.

A hidden value can't be searched for: what a template makes of it (a part, an
encoding, a digest) doesn't contain it. So only what was worked out without
it is known to be free of it (:mod:`withheld`), and only what is the same as
that is told. The mark stands for all the rest.

Pure: nothing of Heat is imported.
"""

from collections import abc
import typing

MASK = '******'

# Where a template declares parameters, and the word that hides one.
SECTIONS = {'parameters': 'hidden', 'Parameters': 'NoEcho'}
# As strutils.bool_from_string of Oslo, which Heat asks, reads a text.
_NO = ('false', 'f', 'no', 'n', 'off', '0', 'none', 'null', '~', '')


def names(document: object) -> set[str]:
    """List the parameters that a template declares as hidden."""
    if not isinstance(document, dict):
        return set()
    return {name for section, word in SECTIONS.items()
            for name, schema in _entries(document.get(section))
            if isinstance(schema, dict)
            and is_yes(schema.get(word))}


def is_yes(value: object) -> bool:
    """Return whether a value hides a parameter.

    What is no plain value could be an alias for a billion, and is not
    written out.
    """
    if isinstance(value, str):
        return value.strip().lower() not in _NO
    return value is not None and value is not False


def bare(document: dict, secret: abc.Container[str]) -> dict:
    """Leave out of a template what it says about some parameters.

    Their defaults are values, and what a constraint allows would tell by a
    gap which one it is.

    :returns: another document; nothing in the old one is changed.
    """
    return {section: {
        name: ({key: value for key, value in _entries(schema)
                if key in ('type', 'Type')} | {'hidden': True}
               if name in secret else schema)
        for name, schema in _entries(content)}
        if section in SECTIONS else content
        for section, content in document.items()}


def _entries(value: object) -> abc.Iterable[tuple[typing.Any, typing.Any]]:
    return value.items() if isinstance(value, dict) else ()


def is_marked(value: object) -> bool:
    """Return whether a mark is anywhere in a value."""
    if isinstance(value, dict):
        return any(is_marked(item) for pair in value.items()
                   for item in pair)
    if isinstance(value, (list, tuple)):
        return any(map(is_marked, value))
    return value == MASK


def merged(found: typing.Any, known: abc.Iterable) -> typing.Any:
    """Mark what is not known, down to each leaf.

    :param found: what is there.
    :param known: a list of what was worked out; it is enough that one of
        them says the same.
    """
    if isinstance(found, dict):
        return _merged_map(found, [one for one in known
                                   if isinstance(one, dict)])
    if isinstance(found, (list, tuple)):
        alike = [one for one in known if isinstance(one, (list, tuple))
                 and len(one) == len(found)]
        if not alike:
            return MASK
        return [merged(item, [one[index] for one in alike])
                for index, item in enumerate(found)]
    return found if any(type(one) is type(found) and one == found
                        for one in known) else MASK


def _merged_map(found: dict, known: list[dict]) -> object:
    if not known:
        return MASK
    told = {key: merged(value, [one[key] for one in known if key in one])
            for key, value in found.items()
            if any(key in one for one in known)}
    # How many there are besides is not told either.
    return told if len(told) == len(found) else {**told, MASK: MASK}
