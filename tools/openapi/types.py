# SPDX-License-Identifier: Apache-2.0

"""What requests and answers are made of, as OpenAPI 3.1 writes schemas."""

import dataclasses
import re
import typing

from heat_extras import sanitize
from heat_extras import timestamps

Schema = dict[str, typing.Any]

ANYTHING: Schema = {}
NULL: Schema = {'type': 'null'}
TRUTH: Schema = {'type': 'boolean'}
TEXT: Schema = {'type': 'string'}
ID: Schema = {'type': 'string', 'format': 'uuid'}
#: A text that people write: what :func:`sanitize.is_text` takes, in a line.
#: Halves of surrogate pairs are no characters for who reads JSON.
WRITTEN: Schema = {'type': 'string', 'maxLength': sanitize.LINE,
                   'pattern': f'^[^{sanitize.NO_TEXT}]*$'}
#: A moment that :func:`timestamps.parse` takes.
MOMENT: Schema = {
    'type': 'string', 'format': 'date-time',
    'pattern': '^%s$' % re.sub(
        r'\?P<\w+>', '', timestamps.SYNTAX).replace(r'\d', '[0-9]'),
    'examples': ['2026-12-24T18:00:00Z', '2026-12-24T19:00:00+01:00']}
#: A moment as :func:`timestamps.to_iso` writes it.
SHOWN_MOMENT: Schema = {
    'type': 'string', 'format': 'date-time',
    'examples': ['2026-12-24T18:00:00Z']}


def one_of(*values: str) -> Schema:
    """Return the schema of some words."""
    return {'type': 'string', 'enum': list(values)}


def nullable(schema: Schema) -> Schema:
    """Let a schema be null, too."""
    if isinstance(schema.get('type'), str) and 'properties' not in schema:
        more = ({'enum': [*schema['enum'], None]} if 'enum' in schema
                else {})
        return {**schema, 'type': [schema['type'], 'null'], **more}
    return {'oneOf': [schema, NULL]}


def note(schema: Schema, text: str, **more: typing.Any) -> Schema:
    """Describe a schema to people."""
    return {**schema, 'description': text, **more}


def titled(title: str, schema: Schema) -> Schema:
    """Give a schema a name of its own in the description."""
    return {'title': title, **schema}


def several(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {'type': 'array', 'items': items}


@dataclasses.dataclass(frozen=True)
class Fields:
    """What an object may have, and nothing else.

    :param required: what it has to have.
    """

    properties: dict[str, Schema]
    required: tuple[str, ...] = ()

    def schema(self) -> Schema:
        return {'type': 'object', 'properties': self.properties,
                **({'required': list(self.required)} if self.required else {}),
                'additionalProperties': False}


def whole(properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object of ours that has all of its fields."""
    return Fields(properties, tuple(properties)).schema()


def besides(properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object of Heat's, with what we add to it."""
    return {'type': 'object', 'properties': properties}
