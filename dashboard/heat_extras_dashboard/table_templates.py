# SPDX-License-Identifier: Apache-2.0

"""Horizon's markup of tables, with names that a screen reader tells."""

_FOLDER = 'heat_extras_dashboard'


class AccessibleMeta:
    """For the Meta of a table."""

    table_actions_template = f'{_FOLDER}/_table_actions.html'
    row_actions_dropdown_template = f'{_FOLDER}/_row_actions.html'
