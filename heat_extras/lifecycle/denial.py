# SPDX-License-Identifier: Apache-2.0

"""How a plugin says no, as opposed to a plugin that is broken.

Pure: nothing of Heat is imported, so that plugins may import it.
"""

from heat_extras import internal_error
from heat_extras.lifecycle import words
from heat_extras import sanitize

_HEAT_EXCEPTIONS = 'heat.common.exception'


class Denied(Exception):
    """Raised by a plugin that refuses an action; its text reaches the user."""


class Unavailable(Exception):
    """Raised by a plugin that can't judge now, for a reason that it knows.

    It is an error of the plugin, and no denial.

    :param text: reaches the user.
    :param detail: for the log alone: which service was asked, for example.
    """

    def __init__(self, text: str, detail: str = '') -> None:
        super().__init__(text)
        self.detail = detail


def is_denial(error: BaseException) -> bool:
    """Return whether an exception is meant as a refusal.

    :class:`Denied` is, and Heat's own exceptions, and a plain
    ``Exception``, which is what plugins written for Heat alone raise. Any
    other class, like KeyError or ConnectionError, is an error, and so is
    what is no Exception at all, like SystemExit.
    """
    return (isinstance(error, Denied) or type(error) is Exception
            or any(base.__module__ == _HEAT_EXCEPTIONS
                   for base in type(error).__mro__))


def text(error: BaseException) -> str:
    """Return what an exception says, in words for a user."""
    try:
        if internal_error.is_internal(error):
            return internal_error.unexpected(error, type(error).__name__)
        said = sanitize.storable(str(error).strip() or words.NO_REASON)
    except BaseException:
        said = words.NOT_SHOWN
    if is_denial(error) or isinstance(error, Unavailable):
        return said
    return f'{type(error).__name__}: {said}'
