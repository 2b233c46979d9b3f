# SPDX-License-Identifier: Apache-2.0

"""Make texts of people and of other programs safe to store and to print.

:func:`check_text` rejects texts that a user sends. :func:`make_storable`
makes any other text fit a column. :func:`printable` and :func:`csv_cell` make
a text safe to print. :mod:`heat_extras.db.charset` queries the characters that
a database accepts.

Pure: does not import Heat.
"""

from collections import abc
import re
import sys

import yaml

# The size of a column of type String(255), in characters.
LINE = 255
# The size of a column of type TEXT in MySQL and MariaDB, in bytes.
TEXT = 65_535
# The size of a list of names, which leaves space for the text around it.
_LIST = 60_000

#: Characters that no text may have, as a class of a regular expression.
#: PostgreSQL does not accept NUL. XML, in which the cfn API answers, does not
#: accept the last two characters nor control characters, except tabs and line
#: breaks.
NO_TEXT = (r'\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f'
           r'\ufffe-\uffff')
_SURROGATES = r'\ud800-\udfff'
_WRONG = re.compile(f'[{NO_TEXT}{_SURROGATES}]')
_FORMULA = ('=', '+', '-', '@', '\t', '\r', '\n',
            # Office programs treat the fullwidth forms as equal.
            '\uff1d', '\uff0b', '\uff0d', '\uff20')


def is_text(letter: str) -> bool:
    """Return whether a text may have a character.

    Reject halves of surrogate pairs, which have no encoding, and the
    characters of :data:`NO_TEXT`.
    """
    return _WRONG.match(letter) is None


def check_text(name: str, text: str,
               is_accepted: abc.Callable[[str], bool] | None = None,
               charset: str = '') -> None:
    """Check that a text can be stored.

    :param name: the name of the text, like ``lock reason``.
    :param is_accepted: returns whether the database accepts a character. By
        default, it accepts all.
    :param charset: the name of the database's character set.
    :raises ValueError: with the first character that is not accepted.
    """
    if text.isascii() and text.isprintable():
        return
    for position, letter in enumerate(text, 1):
        problem = (f'Invalid {name}: character U+{ord(letter):04X} at '
                   f'position {position} is not allowed: ')
        if not is_text(letter):
            raise ValueError(problem + 'control characters other than tabs '
                                       'and line breaks, and halves of '
                                       'surrogate pairs, cannot be stored. '
                                       'Remove this character and try again.')
        if is_accepted is not None and not is_accepted(letter):
            raise ValueError(problem + 'the database of this Heat cannot '
                                       'store this character (character set '
                                       f'{charset}). Remove this character '
                                       'and try again.')


def make_storable(text: str,
                  is_accepted: abc.Callable[[str], bool] | None = None,
                  characters: int | None = None, size: int = TEXT) -> str:
    r"""Change any text so that a column can store it.

    Characters that cannot be stored are written like ``\x00`` or
    ``\U0001f512``.

    :param is_accepted: as for :func:`check_text`.
    :param characters: the maximum number of characters.
    :param size: the maximum number of bytes.
    """
    if not (text.isascii() and text.isprintable()):
        text = ''.join(
            letter if is_text(letter)
            and (is_accepted is None or is_accepted(letter))
            else escape(letter) for letter in text)
    return truncate(text, characters, size)


def truncate(text: str, characters: int | None = None, size: int = TEXT
             ) -> str:
    """Remove the end of a text that is too long, and mark the place."""
    if characters is not None and len(text) > characters:
        text = _truncate(text, characters)
    if len(text) * 4 <= size or len(encoded := text.encode()) <= size:
        return text
    # The mark itself has less than 40 bytes.
    kept = len(encoded[:size - 40].decode(errors='ignore'))
    return f'{text[:kept]}... ({len(text) - kept} more characters)'


def _truncate(text: str, characters: int) -> str:
    return text[:characters - 3] + '...'


def join_some(parts: abc.Sequence[str], separator: str = '; ',
              size: int = _LIST, most: int | None = None) -> str:
    """Join the first texts of a list, as many as fit, and count the others.

    :param size: the maximum number of bytes.
    :param most: the maximum number of texts.
    :returns: like ``web; mail; and 448 more``.
    """
    named: list[str] = []
    left = size
    for part in parts[:most]:
        left -= len(_encoded(part + separator))
        if named and left < 0:
            break
        named.append(truncate(part, size=size) if left < 0 else part)
    more = len(parts) - len(named)
    return separator.join(named + ([f'and {more} more'] if more else []))


def with_plural(number: int, noun: str) -> str:
    """Return a number with a noun, whose plural ends with an s."""
    return f'{number} {noun}{"" if number == 1 else "s"}'


def none_if_blank(reason: str | None) -> str | None:
    """Return None for a reason that has only blanks."""
    return reason if reason and not reason.isspace() else None


def after_colon(reason: str | None) -> str:
    """Return a colon and the reason, or an empty text without a reason."""
    return f': {reason}' if reason else ''


def _encoded(text: str) -> bytes:
    return text.encode(errors='surrogatepass')


def quote(value: object) -> str:
    """Format an invalid value for a message."""
    shown = ascii(value)
    return shown if len(shown) <= 100 else _truncate(shown, 100)


def to_yaml(value: object) -> str:
    """Format a value of a template for a message, in one line of YAML."""
    try:
        shown = yaml.safe_dump(value, default_flow_style=True,
                               allow_unicode=True, width=sys.maxsize)
    except yaml.YAMLError:
        return quote(value)
    shown = shown.removesuffix('\n').removesuffix('\n...')
    if not shown.isprintable():
        return quote(value)
    return shown if len(shown) <= 100 else _truncate(shown, 100)


def escape(letter: str) -> str:
    r"""Write one character like ``\x1b``, in ASCII."""
    return letter.encode('unicode_escape').decode()


def printable(value: object, encoding: str | None = None) -> str:
    """Format a value in one line that a terminal does not interpret.

    Escape control sequences, line breaks, and characters that change the
    direction of writing.

    :param value: None gives an empty text.
    :param encoding: the encoding of the terminal or file. Characters that it
        does not have are also escaped.
    """
    if value is None:
        return ''
    line = ''.join(letter if letter.isprintable() else escape(letter)
                   for letter in str(value))
    if encoding is None:
        return line
    return line.encode(encoding, 'backslashreplace').decode(encoding)


def encoding_of(stream: object) -> str | None:
    """Return the encoding of a stream, or None if it has none."""
    return getattr(stream, 'encoding', None)


def csv_cell(value: object, encoding: str | None = None) -> object:
    """Format a value of a CSV file so that a spreadsheet does not run it.

    Numbers are unchanged. A text that starts like a formula gets an
    apostrophe, by which spreadsheets recognize a text.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    is_formula = str(value).lstrip(' ').startswith(_FORMULA)
    return ("'" if is_formula else '') + printable(value, encoding)
