# SPDX-License-Identifier: Apache-2.0

"""Pages of the documentation that tools generate from the code."""

import sys
import textwrap

_CELL = 70
_LINE = 79


def show_or_write(page):
    """Print a page, or with ``--write FILE`` write it into a file.

    :param page: the text, the same for every run.
    """
    if sys.argv[1:2] != ['--write']:
        print(page, end='')
        return
    with open(sys.argv[2], 'w') as target:
        target.write(page)


def wrapped(text, width=_LINE):
    """List the lines of a text."""
    return textwrap.wrap(text, width, break_long_words=False,
                         break_on_hyphens=False)


def table(head, rows):
    """Return a table of rows of texts."""
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in (head, *rows):
        for place, cell in enumerate(row):
            first = '     - ' if place else '   * - '
            cell_lines = wrapped(cell, _CELL) or ['']
            lines.append((first + cell_lines[0]).rstrip())
            lines += ['       ' + more for more in cell_lines[1:]]
    return '\n'.join(lines) + '\n'
