# SPDX-License-Identifier: Apache-2.0

"""A page of the documentation that a tool makes out of the code."""

import sys
import textwrap

_CELL = 70
_LINE = 79


def show_or_check(page, shows):
    """Print a page, or write or check it.

    With ``--write FILE`` it goes into a file; with ``--check FILE`` it fails
    unless that is the same.

    :param page: the text, the same for every run.
    :param shows: what it shows, in the plural.
    """
    if sys.argv[1:2] == ['--write']:
        with open(sys.argv[2], 'w') as target:
            target.write(page)
        return
    if sys.argv[1:2] != ['--check']:
        print(page, end='')
        return
    with open(sys.argv[2]) as source:
        if source.read() != page:
            sys.exit(f'{sys.argv[2]} does not show the {shows} as they are: '
                     f'run {sys.argv[0]} > {sys.argv[2]}')


def wrapped(text, width=_LINE):
    """List the lines of a text."""
    return textwrap.wrap(text, width, break_long_words=False,
                         break_on_hyphens=False)


def paragraph(text):
    """Return a paragraph."""
    return '\n'.join(wrapped(text)) + '\n'


def title(text, line='='):
    """Return a heading."""
    return f'{text}\n{line * len(text)}\n'


def table(head, rows):
    """Return a table of rows of texts."""
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in (head, *rows):
        for place, cell in enumerate(row):
            first = '     - ' if place else '   * - '
            found = wrapped(cell, _CELL) or ['']
            lines.append((first + found[0]).rstrip())
            lines += ['       ' + more for more in found[1:]]
    return '\n'.join(lines) + '\n'


def literal(text, width):
    """Return the beginning of a text as it was written, in one line."""
    short = textwrap.shorten(text.replace('`', "'").strip('| '), width,
                             placeholder=' ...')
    return f'``{short}``' if short else ''
