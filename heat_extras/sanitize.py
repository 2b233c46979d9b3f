# SPDX-License-Identifier: Apache-2.0

"""Texts that people and other programs write, on their way through ours.

Three ways lead out: :func:`check` refuses what a user sends, :func:`storable`
makes everything else fit a column, and :func:`printable` and :func:`cell`
make it safe to look at. Which characters a database takes is asked in
:mod:`heat_extras.db.charset`.

Pure: nothing of Heat is imported.
"""

from collections import abc
import re
import sys

import yaml

# What a column of type String(255) takes, in characters.
LINE = 255
# What a column of type TEXT of MySQL and MariaDB takes, in bytes.
TEXT = 65_535
# For a list of names, so that there is room for the words around it.
_LIST = 60_000

#: What belongs into no text, as a class of a regular expression has it: NUL,
#: which PostgreSQL does not take, and other control characters but tabs and
#: line breaks, which XML does not, nor the last two; the cfn API answers in
#: XML.
NO_TEXT = (r'\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f'
           r'\ufffe-\uffff')
_SURROGATES = r'\ud800-\udfff'
_WRONG = re.compile(f'[{NO_TEXT}{_SURROGATES}]')
_FORMULA = ('=', '+', '-', '@', '\t', '\r', '\n',
            # Office programs take the wide ones for the same.
            '\uff1d', '\uff0b', '\uff0d', '\uff20')


def is_text(letter: str) -> bool:
    """Return whether a character belongs into a text at all.

    Not halves of surrogate pairs, which have no encoding, nor what
    :data:`NO_TEXT` has.
    """
    return _WRONG.match(letter) is None


def check(what: str, text: str, takes: abc.Callable[[str], bool] | None = None,
          charset: str = '') -> None:
    """Insist on a text that can be stored.

    :param what: names the text, like ``lock reason``.
    :param takes: whether the database takes a character; by default, all.
    :param charset: what the database calls the characters that it takes.
    :raises ValueError: naming the first character that is in the way.
    """
    if text.isascii() and text.isprintable():
        return
    for position, letter in enumerate(text, 1):
        found = (f'Invalid {what}: character U+{ord(letter):04X} at position '
                 f'{position} is not allowed: ')
        if not is_text(letter):
            raise ValueError(found + 'control characters other than tabs and '
                             'line breaks, and halves of surrogate pairs, '
                             'cannot be stored. Remove it and try again.')
        if takes is not None and not takes(letter):
            raise ValueError(found + 'the database of this Heat cannot store '
                             f'it ({charset}). Remove it and try again.')


def storable(text: str, takes: abc.Callable[[str], bool] | None = None,
             characters: int | None = None, size: int = TEXT) -> str:
    r"""Make a text that a column takes, whatever it was.

    What can't be stored is written like ``\x00`` or ``\U0001f512``.

    :param takes: whether the database takes a character; by default, all.
    :param characters: how many may be left.
    :param size: how many bytes may be left.
    """
    if not (text.isascii() and text.isprintable()):
        text = ''.join(
            letter if is_text(letter) and (takes is None or takes(letter))
            else escape(letter) for letter in text)
    return cut(text, characters, size)


def cut(text: str, characters: int | None = None, size: int = TEXT) -> str:
    """Leave out the end of a text that is too long, and say so."""
    if characters is not None and len(text) > characters:
        text = _cut(text, characters)
    if len(text) * 4 <= size or len(encoded := text.encode()) <= size:
        return text
    # The mark itself has less than 40 bytes.
    kept = len(encoded[:size - 40].decode(errors='ignore'))
    return f'{text[:kept]}... ({len(text) - kept} more characters)'


def _cut(text: str, characters: int) -> str:
    return text[:characters - 3] + '...'


def listing(parts: abc.Sequence[str], separator: str = '; ',
            size: int = _LIST, most: int | None = None) -> str:
    """Name as many of several things as there is room for, or *most*.

    :param size: how many bytes there are.
    :returns: like ``web; mail; and 448 more``.
    """
    named: list[str] = []
    left = size
    for part in parts[:most]:
        left -= len(_encoded(part + separator))
        if named and left < 0:
            break
        named.append(cut(part, size=size) if left < 0 else part)
    more = len(parts) - len(named)
    return separator.join(named + ([f'and {more} more'] if more else []))


def count(number: int, noun: str) -> str:
    """Count things whose name has an s for several."""
    return f'{number} {noun}{"" if number == 1 else "s"}'


def given(reason: str | None) -> str | None:
    """Take a reason of nothing but blanks for none."""
    return reason if reason and not reason.isspace() else None


def because(reason: str | None) -> str:
    """Return a reason as the end of a sentence, if there is one."""
    return f': {reason}' if reason else ''


def _encoded(text: str) -> bytes:
    return text.encode(errors='surrogatepass')


def quote(value: object) -> str:
    """Show a value that was found where another was wanted."""
    shown = ascii(value)
    return shown if len(shown) <= 100 else _cut(shown, 100)


def as_written(value: object) -> str:
    """Show a value of a template as its author writes it, in YAML."""
    try:
        shown = yaml.safe_dump(value, default_flow_style=True,
                               allow_unicode=True, width=sys.maxsize)
    except yaml.YAMLError:
        return quote(value)
    shown = shown.removesuffix('\n').removesuffix('\n...')
    if not shown.isprintable():
        return quote(value)
    return shown if len(shown) <= 100 else _cut(shown, 100)


def escape(letter: str) -> str:
    r"""Write one character like ``\x1b``, in ASCII."""
    return letter.encode('unicode_escape').decode()


def printable(value: object, encoding: str | None = None) -> str:
    """Make one line that a terminal shows and does not obey.

    Control sequences, line breaks, and what changes the direction of
    writing are written out.

    :param value: None is the empty text.
    :param encoding: that of the terminal or file; what it does not have is
        written out, too.
    """
    if value is None:
        return ''
    line = ''.join(letter if letter.isprintable() else escape(letter)
                   for letter in str(value))
    if encoding is None:
        return line
    return line.encode(encoding, 'backslashreplace').decode(encoding)


def encoding(stream: object) -> str | None:
    """Return the encoding of a stream, if it says one."""
    return getattr(stream, 'encoding', None)


def cell(value: object, encoding: str | None = None) -> object:
    """Make the value of a CSV file that a spreadsheet does not calculate.

    Numbers stay numbers; a text that begins like a formula gets an
    apostrophe, which spreadsheets take for "this is text".
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    is_formula = str(value).lstrip(' ').startswith(_FORMULA)
    return ("'" if is_formula else '') + printable(value, encoding)
