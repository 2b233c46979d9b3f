# SPDX-License-Identifier: Apache-2.0

"""The schemas that the requests and answers have in common."""

import dataclasses
import re
import typing

from heat_extras import sanitize
from heat_extras import timestamps

Schema = dict[str, typing.Any]

ANYTHING: Schema = {}
#: The schema of an answer without a body.
NOTHING: Schema = {'not': {}}
NULL: Schema = {'type': 'null'}
TRUTH: Schema = {'type': 'boolean'}
TEXT: Schema = {'type': 'string'}
ID: Schema = {'type': 'string', 'format': 'uuid'}
#: A line of text that :func:`sanitize.is_text` accepts. Parsers of JSON do not
#: treat halves of surrogate pairs as characters.
WRITTEN: Schema = {'type': 'string', 'maxLength': sanitize.LINE,
                   'pattern': f'^[^{sanitize.NO_TEXT}]*$'}
#: A time that :func:`timestamps.parse` accepts.
MOMENT: Schema = {
    'type': 'string', 'format': 'date-time',
    'pattern': '^%s$' % re.sub(
        r'\?P<\w+>', '', timestamps.SYNTAX).replace(r'\d', '[0-9]'),
    'examples': ['2026-12-24T18:00:00Z', '2026-12-24T19:00:00+01:00']}
#: A time in the format of :func:`timestamps.to_iso`.
SHOWN_MOMENT: Schema = {
    'type': 'string', 'format': 'date-time',
    'examples': ['2026-12-24T18:00:00Z']}


def one_of(*values: str) -> Schema:
    """Return the schema of a string that has one of these values."""
    return {'type': 'string', 'enum': list(values)}


def nullable(schema: Schema) -> Schema:
    """Return the schema that also accepts null."""
    if isinstance(schema.get('type'), str) and 'properties' not in schema:
        more = ({'enum': [*schema['enum'], None]} if 'enum' in schema
                else {})
        return {**schema, 'type': [schema['type'], 'null'], **more}
    return {'oneOf': [schema, NULL]}


def note(schema: Schema, text: str, **more: typing.Any) -> Schema:
    """Return the schema with a description."""
    return {**schema, 'description': text, **more}


def titled(title: str, schema: Schema) -> Schema:
    """Return the schema with a title, for ``components.schemas``."""
    return {'title': title, **schema}


def several(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {'type': 'array', 'items': items}


@dataclasses.dataclass(frozen=True)
class Fields:
    """The properties of an object that has no other properties.

    :param required: the names of required properties.
    """

    properties: dict[str, Schema]
    required: tuple[str, ...] = ()

    def schema(self) -> Schema:
        return {'type': 'object', 'properties': self.properties,
                **({'required': list(self.required)} if self.required else {}),
                'additionalProperties': False}


def whole(properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object with exactly these properties."""
    return Fields(properties, tuple(properties)).schema()


def besides(properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object of Heat with additional properties."""
    return {'type': 'object', 'properties': properties}
