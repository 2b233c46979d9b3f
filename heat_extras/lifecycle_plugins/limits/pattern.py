# SPDX-License-Identifier: Apache-2.0

"""Match a user's text against an operator's regular expression, in bounds.

Python's own matching goes back and tries again, which for ``([a-z]+)*x`` and
some thirty letters takes a minute, and blocks all other threads meanwhile.
RE2 takes time in proportion to the text. Patterns have the syntax of RE2.

Pure: nothing of Heat is imported.
"""

import functools
import typing

# RE2 takes a second for these when the pattern is a bad one.
LONGEST = 65536


class Unusable(ValueError):
    """A pattern cannot be used; the text says why."""


@functools.cache
def usable(text: str) -> typing.Any:
    """Make a pattern ready for :func:`is_match`.

    :raises Unusable: when RE2 does not accept it, or is not installed.
    """
    re2 = _engine()
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except re2.error as error:
        said = error.args[0]
        if isinstance(said, bytes):
            said = said.decode(errors='replace')
        raise Unusable(f'{text} is not a pattern of RE2: {said}') from error


def is_match(text: str, value: object) -> bool:
    """Return whether a pattern matches the whole of a value's text.

    A text that is too long or not Unicode matches no pattern.

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
        raise Unusable('the Python module re2 of google-re2, which patterns '
                       'need, is not installed: install google-re2, or use '
                       'any_of')
    return re2
