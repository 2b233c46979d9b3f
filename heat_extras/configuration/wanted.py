# SPDX-License-Identifier: Apache-2.0

"""What an option wants, in words, from its type.

oslo.config's own messages tell what was found or what is wanted, some of
them neither. Pure: nothing of Heat is imported.
"""

import typing

from oslo_config import types


def describe(kind: typing.Any) -> str:
    """Tell which values a type of oslo.config takes."""
    own = getattr(kind, 'wanted', None)
    if own:
        return own
    if isinstance(kind, types.Boolean):
        return 'true or false'
    if isinstance(kind, types.Number):
        return _number(kind)
    if isinstance(kind, types.List):
        return f'{_items(kind.item_type)}, with commas between'
    if isinstance(kind, types.Dict):
        return ('NAME:VALUE, with commas between several, each VALUE '
                + describe(kind.value_type))
    if getattr(kind, 'choices', None):
        return f'one of {_choices(kind)}'
    return _text(kind)


def _text(kind: typing.Any) -> str:
    most = getattr(kind, 'max_length', None)
    pattern = getattr(kind, 'regex', None)
    return ('text' + (f' of at most {most} characters' if most else '')
            + (f' that matches {pattern.pattern}' if pattern else ''))


def _number(kind: typing.Any) -> str:
    name = 'a whole number' if kind.num_type is int else 'a number'
    if kind.min is not None and kind.max is not None:
        return f'{name} from {kind.min} to {kind.max}'
    if kind.min is not None:
        return f'{name}, {kind.min} or more'
    return name if kind.max is None else f'{name}, {kind.max} or less'


def _items(kind: typing.Any) -> str:
    return (f'one or more of {_choices(kind)}'
            if getattr(kind, 'choices', None) else 'texts')


def _choices(kind: typing.Any) -> str:
    return ', '.join(map(str, kind.choices))
