#!/usr/bin/env python3
"""Print the table of patches, or check that the documentation has it.

Usage: patch_table.py [--check doc/source/patches.rst]
"""

import sys

from oslo_service import backend

# As heat.cmd.engine does, before anything else can choose.
backend.init_backend(backend.BackendType.THREADING)

from heat_extras import activation  # noqa: E402
from heat_extras import conf  # noqa: E402

HEADER = """\
=======
Patches
=======

Every attribute of Heat that heat-extras adds or replaces when its features
are on, from the patch records themselves (``tools/patch_table.py``).

.. list-table::
   :header-rows: 1
   :widths: 12 45 8 35

   * - Process
     - Attribute
     - Kind
     - Why no extension point would do
"""

ROW = """\
   * - {process}
     - ``{target}``
     - {kind}
     - {why}
"""


def table():
    """Return the page, the same for every run."""
    rows = [HEADER]
    for process in (activation.ENGINE, activation.API):
        for record in activation.records(conf.FEATURES, process):
            rows.append(ROW.format(
                process=process, target=record.target.replace(':', ' '),
                kind=record.kind, why=record.why))
    return ''.join(rows)


def main():
    if sys.argv[1:2] != ['--check']:
        print(table(), end='')
        return
    with open(sys.argv[2]) as source:
        if source.read() != table():
            sys.exit(f'{sys.argv[2]} does not show the patches as they are: '
                     f'run tools/patch_table.py > {sys.argv[2]}')


if __name__ == '__main__':
    main()
