# SPDX-License-Identifier: Apache-2.0

"""Templates of tables with names for screen readers."""

_FOLDER = 'heat_extras_dashboard'


class AccessibleMeta:
    """Base of the Meta of a table."""

    table_actions_template = f'{_FOLDER}/_table_actions.html'
    row_actions_dropdown_template = f'{_FOLDER}/_row_actions.html'
