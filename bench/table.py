# SPDX-License-Identifier: Apache-2.0

"""Tables for terminals and reStructuredText."""

import dataclasses
import textwrap

import tabulate


@dataclasses.dataclass(frozen=True)
class Table:
    """A table with its heading and explanation.

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
        # An empty first cell would continue the previous line, and other
        # empty cells are easy to overlook.
        return tabulate.tabulate(
            [[cell or '\\-' for cell in row] for row in self.rows],
            self.header, tablefmt='rst', disable_numparse=True)
