# SPDX-License-Identifier: Apache-2.0

"""Tables that read well both on a screen and in reStructuredText."""

import dataclasses
import textwrap


@dataclasses.dataclass(frozen=True)
class Table:
    """A table with its heading and what has to be known to read it.

    :param rows: of texts, as many in each as the header has.
    """

    title: str
    text: str
    header: tuple
    rows: list

    def __str__(self):
        lines = [self.title, '-' * len(self.title), '',
                 textwrap.fill(self.text, 78), '', *self._grid()]
        return '\n'.join(lines) + '\n'

    def _grid(self):
        rows = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in rows)
                  for column in range(len(self.header))]
        rule = '  '.join('=' * width for width in widths)
        first, *others = [_line(row, widths) for row in rows]
        return [rule, first, rule, *others, rule]


def _line(row, widths):
    # An empty first cell would be a continuation of the line before, and an
    # empty cell elsewhere is easily overlooked.
    return '  '.join((cell or '\\-').ljust(width)
                     for cell, width in zip(row, widths, strict=True)
                     ).rstrip()
