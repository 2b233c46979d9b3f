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
from heat_extras import patch_order  # noqa: E402

HEADER = """\
=======
Patches
=======

Patches add or replace attributes of Heat's modules and classes. The patches of
a feature are applied only if the feature is enabled. If no feature is enabled,
only the patches for the syntax of templates are applied, and only in engines.

This page lists all patches. ``tools/patch_table.py`` generates the page from
the patch records in the code. Each reason states why Heat has no extension
point that could replace the patch. In a reason, *it* and *here* mean the
attribute in the same row.

.. list-table::
   :header-rows: 1
   :widths: 12 45 8 35

   * - Process
     - Attribute
     - Kind
     - Reason for the patch
"""

ROW = """\
   * - {process}
     - ``{target}``
     - {kind}
     - {why}
"""

SHARED_HEADER = """
Attributes that several features replace
========================================

If several features replace the same attribute, the patch of the first feature
calls the patch of the next feature, and the patch of the last feature calls
Heat. ``heat_extras/patch_order.py`` defines the order of the features. If the
last column of the table has only ``-``, the order has no effect.

.. list-table::
   :header-rows: 1
   :widths: 40 25 35

   * - Attribute
     - Order
     - Reason for the order
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

SHARED_ROW = """\
   * - ``{target}``
     - {order}
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
    return ''.join(rows) + _shared() + _private()


def _shared():
    rows = [SHARED_HEADER]
    shared = {target: names for process in (activation.ENGINE, activation.API)
              for target, names in patch_order.shared_targets(
                  activation.records(conf.FEATURES, process)).items()}
    for target, names in sorted(shared.items()):
        rows.append(SHARED_ROW.format(
            target=target.replace(':', ' '), order=', '.join(
                sorted(names, key=patch_order.order_of(target).index)),
            why=(patch_order.ORDERS[target].why
                 if target in patch_order.ORDERS else '-')))
    return ''.join(rows)


def _private():
    return PRIVATE_HEADER + ''.join(
        PRIVATE_ROW.format(target=each.target.replace(':', ' '),
                           users=', '.join(each.users))
        for each in private_names.DECLARED)


if __name__ == '__main__':
    generated_page.show_or_write(table())
