# SPDX-License-Identifier: Apache-2.0

"""The names of actions, made once for a table."""


class FixedNameMixin:
    """For an action whose name is the same in all rows.

    Horizon makes the names of each BatchAction anew in each row, which is a
    tenth of what a page of many rows takes.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        # Both are lazy: each user reads them in its own language.
        self.verbose_name = self._get_action_name()
        self.verbose_name_plural = self._get_action_name('plural')

    def update(self, request, datum):
        """Leave the names as they are."""
