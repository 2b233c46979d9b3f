# SPDX-License-Identifier: Apache-2.0

"""Tables that read well both on a screen and in reStructuredText."""

import dataclasses
import textwrap

import tabulate


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
                 textwrap.fill(self.text, 78), '', self._grid()]
        return '\n'.join(lines) + '\n'

    def _grid(self):
        # An empty first cell would be a continuation of the line before, and
        # an empty cell elsewhere is easily overlooked.
        return tabulate.tabulate(
            [[cell or '\\-' for cell in row] for row in self.rows],
            self.header, tablefmt='rst', disable_numparse=True)
