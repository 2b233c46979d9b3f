# SPDX-License-Identifier: Apache-2.0

"""Match a user's text against an operator's regular expression, in bounds.

Python's own matching goes back and tries again, which for ``([a-z]+)*x`` and
some thirty letters takes a minute, and holds the interpreter meanwhile: no
other thread gets a turn, not even the one that sees to timeouts. RE2 takes
time in proportion to the text and lets others run.

A pattern means what it means to :mod:`re`: it is parsed by Python and written
anew for RE2, for which ``\\d``, ``\\w`` and ``\\s`` would be ASCII only, and
``{,3}`` plain text. What RE2 cannot do is refused when the rules are read.
Pure: nothing of Heat is imported.
"""

from collections import abc
import functools
import re
import sys
import typing

try:
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:
    # Python 3.10.
    import sre_parse as parser

# RE2 takes a second for these when the pattern is a bad one.
LONGEST = 65536

_TAKEN = ('wanted one without lookaround, backreferences, (?(...)), atomic '
          'groups, possessive repeats and \\b, which cannot be matched in '
          'linear time; write it without, or as several rules, or use any_of')

# As str.isdecimal, str.isalnum and str.isspace have it.
_UNICODE = {'DIGIT': r'\p{Nd}', 'WORD': r'\p{L}\p{N}_',
            'SPACE': r'\x09-\x0d\x1c-\x20\x{85}\p{Z}'}
_ASCII = {'DIGIT': '0-9', 'WORD': '0-9A-Za-z_', 'SPACE': r'\x09-\x0d\x20'}
_IS = {'DIGIT': str.isdecimal, 'SPACE': str.isspace,
       'WORD': lambda char: char.isalnum() or char == '_'}

_CLASS = 'CATEGORY_'
_CLASS_NOT = 'CATEGORY_NOT_'


class Unusable(ValueError):
    """A pattern cannot be used; says what was found and what was wanted."""


@functools.cache
def usable(text: str) -> typing.Any:
    """Make a pattern ready for :func:`is_match`.

    :raises Unusable: when it is no regular expression, or one that takes
        more than linear time, or there is no RE2.
    """
    re2 = _engine()
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(_written_anew(text), options)
    except (re.error, RecursionError, OverflowError) as error:
        raise Unusable(f'found {error}, wanted a regular expression'
                       ) from error
    except re2.error as error:
        said = error.args[0].decode(errors='replace')
        raise Unusable(f'found {text}, which RE2 refuses ({said}), wanted a '
                       'regular expression that is less large, with repeats '
                       'of at most 1000') from error


def is_match(text: str, value: object) -> bool:
    """Return whether a pattern matches the whole of a value's text.

    What is too long matches nothing; neither does text that is not Unicode.

    :raises Unusable: as :func:`usable`.
    """
    regexp = usable(text)
    if is_too_long(value):
        return False
    try:
        return regexp.fullmatch(str(value)) is not None
    except UnicodeEncodeError:
        return False


def is_too_long(value: object) -> bool:
    """Return whether a value has more text than is looked at.

    So has a number with more digits than Python writes.
    """
    try:
        return len(str(value)) > LONGEST
    except ValueError:
        return True


def _engine() -> typing.Any:
    try:
        import re2
    except ImportError:
        re2 = None
    # Other distributions bring a module of this name, too.
    if not hasattr(re2, 'Options'):
        raise Unusable('found no Python module re2 of google-re2, wanted it '
                       'for the sake of this pattern; install google-re2, or '
                       'use any_of')
    return re2


def _written_anew(text: str) -> str:
    tree = parser.parse(text)
    return _sequence(tree, tree.state.flags)


def _sequence(tree: abc.Iterable[tuple], flags: int) -> str:
    return ''.join(_node(str(kind), what, flags) for kind, what in tree)


def _node(kind: str, what: typing.Any, flags: int) -> str:
    if kind not in _NODES:
        raise Unusable(f'found {_NAMES.get(kind, kind)}, {_TAKEN}')
    return _NODES[kind](what, flags)


def _literal(code: int, flags: int) -> str:
    return _cased(_char(code), flags)


def _not_literal(code: int, flags: int) -> str:
    return _cased(f'[^{_char(code)}]', flags)


def _char(code: int) -> str:
    return rf'\x{{{code:x}}}'


def _cased(text: str, flags: int) -> str:
    if not flags & re.IGNORECASE:
        return text
    if flags & re.ASCII:
        # To RE2 the sign of Kelvin is a K then, too.
        raise Unusable('found (?i) together with (?a), wanted one of them')
    return f'(?i:{text})'


def _any(what: object, flags: int) -> str:
    return '(?s:.)' if flags & re.DOTALL else r'[^\n]'


def _in(items: abc.Iterable[tuple], flags: int) -> str:
    named = [(str(kind), what) for kind, what in items]
    is_negated = named[0][0] == 'NEGATE'
    named = named[1:] if is_negated else named
    if any(str(what).startswith(_CLASS_NOT) for _kind, what in named):
        chars = _enumerated(named, flags)
    else:
        chars = ''.join(_item(kind, what, flags) for kind, what in named)
    text = f'[{"^" if is_negated else ""}{chars}]'
    # Neither lower nor upper case is another class of characters.
    return (text if all(kind == 'CATEGORY' for kind, _what in named)
            else _cased(text, flags))


def _item(kind: str, what: typing.Any, flags: int) -> str:
    if kind == 'RANGE':
        return f'{_char(what[0])}-{_char(what[1])}'
    if kind == 'LITERAL':
        return _char(what)
    known = _ASCII if flags & re.ASCII else _UNICODE
    return known[str(what).removeprefix(_CLASS)]


def _enumerated(named: list[tuple], flags: int) -> str:
    # Within [] RE2 has no way to say "anything but".
    tests = [_test(kind, what, flags) for kind, what in named]
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if not any(test(code) for test in tests):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ''.join(_item('RANGE', one, flags) for one in ranges)


def _test(kind: str, what: typing.Any, flags: int
          ) -> typing.Callable[[int], bool]:
    if kind == 'RANGE':
        return lambda code: what[0] <= code <= what[1]
    if kind == 'LITERAL':
        return lambda code: code == what
    name = str(what).removeprefix(_CLASS)
    is_in = _IS[name.removeprefix('NOT_')]
    is_ascii = bool(flags & re.ASCII)
    is_negated = name.startswith('NOT_')
    return lambda code: is_negated is not (
        is_in(chr(code)) and (code < 128 or not is_ascii))


def _branch(what: tuple, flags: int) -> str:
    return '(?:%s)' % '|'.join(_sequence(one, flags) for one in what[1])


def _group(what: tuple, flags: int) -> str:
    _number, added, removed, tree = what
    return f'(?:{_sequence(tree, (flags | added) & ~removed)})'


def _repeat(what: tuple, flags: int) -> str:
    least, most, tree = what
    most = '' if most == parser.MAXREPEAT else most
    return f'(?:{_sequence(tree, flags)}){{{least},{most}}}'


def _at(what: object, flags: int) -> str:
    is_multiline = flags & re.MULTILINE
    places = {
        'AT_BEGINNING': '(?m:^)' if is_multiline else r'\A',
        'AT_BEGINNING_STRING': r'\A',
        'AT_END': '(?m:$)' if is_multiline else r'\z',
        'AT_END_STRING': r'\z'}
    if str(what) not in places:
        raise Unusable(f'found \\b or \\B, {_TAKEN}')
    return places[str(what)]


_NODES: dict[str, typing.Callable[..., str]] = {
    'LITERAL': _literal, 'NOT_LITERAL': _not_literal, 'ANY': _any, 'IN': _in,
    'BRANCH': _branch, 'SUBPATTERN': _group, 'MAX_REPEAT': _repeat,
    'MIN_REPEAT': _repeat, 'AT': _at}

_NAMES = {
    'ASSERT': 'a lookahead or lookbehind', 'GROUPREF': 'a backreference',
    'ASSERT_NOT': 'a negative lookahead or lookbehind',
    'GROUPREF_EXISTS': '(?(...))', 'ATOMIC_GROUP': 'an atomic group',
    'POSSESSIVE_REPEAT': 'a possessive repeat'}
