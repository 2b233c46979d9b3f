#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the table of clients of Heat that were run beside locked stacks.

Usage: client_table.py [--write FILE]
"""

import client_results
import generated_page

# After it: tests is a folder above.
from tests.consumers import matrix  # isort: skip


def table():
    """Return the table, from the results in doc/source/consumers.json."""
    by_client = client_results.list_by_client(client_results.read()['cases'])
    return generated_page.table(
        ['Client', 'Releases', 'Heat',
         *(f'``{overlay}``' for overlay in matrix.OVERLAYS)],
        [[consumer.title, each.releases, each.heat,
          *(each.counts(overlay) for overlay in matrix.OVERLAYS)]
         for consumer, series in by_client for each in series])


if __name__ == '__main__':
    generated_page.show_or_write(table())
