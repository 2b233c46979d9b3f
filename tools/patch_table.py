#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the page of patches, which the documentation is built with.

Usage: patch_table.py [--write FILE]
"""

import generated_page
from oslo_service import backend

# As heat.cmd.engine does, before anything else can choose.
backend.init_backend(backend.BackendType.THREADING)

from heat_extras import activation  # noqa: E402
from heat_extras import conf  # noqa: E402
from heat_extras.heat_internals import private_names  # noqa: E402

HEADER = """\
=======
Patches
=======

Patches add or replace attributes of Heat's modules and classes. Each attribute
is patched once (``heat_extras/patches``). A patch that one feature needs is
applied only if this feature is enabled. The patches of *all* features are
applied if any feature is enabled. If no feature is enabled, only the patches
for the syntax of templates are applied, and only in engines.

This page lists all patches. ``tools/patch_table.py`` generates the page from
the patch records in the code. Each reason states why Heat has no extension
point that could replace the patch. In a reason, *it* and *here* mean the
attribute in the same row.

.. list-table::
   :header-rows: 1
   :widths: 10 42 14 34

   * - Process
     - Attribute
     - Feature
     - Reason for the patch
"""

ROW = """\
   * - {process}
     - ``{target}``
     - {feature}
     - {why}
"""

PRIVATE_HEADER = """
Private names that are used
===========================

heat-extras calls, sets or reads these private names of Heat, but does not
patch them (``heat_extras/heat_internals/private_names.py``). When an engine
starts, it checks whether these names exist and have the expected signatures,
in the same way as for patched attributes.

.. list-table::
   :header-rows: 1
   :widths: 70 30

   * - Name
     - Used by
"""

PRIVATE_ROW = """\
   * - ``{target}``
     - {users}
"""


def table():
    """Return the page, the same for every run."""
    rows = [HEADER]
    for process in (activation.ENGINE, activation.API):
        for record in activation.records(conf.FEATURES, process):
            rows.append(ROW.format(
                process=process, target=record.target.replace(':', ' '),
                feature=record.feature or 'all', why=record.why))
    return ''.join(rows) + _private()


def _private():
    return PRIVATE_HEADER + ''.join(
        PRIVATE_ROW.format(target=each.target.replace(':', ' '),
                           users=', '.join(each.users))
        for each in private_names.DECLARED)


if __name__ == '__main__':
    generated_page.show_or_write(table())
