# SPDX-License-Identifier: Apache-2.0

"""Names of table actions that are computed once."""


class FixedNameMixin:
    """A BatchAction whose name is the same in all rows.

    Horizon computes the names again for each row, which takes a tenth of the
    time for a page with many rows.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        # Both are lazy, so that each user sees them in their language.
        self.verbose_name = self._get_action_name()
        self.verbose_name_plural = self._get_action_name('plural')

    def update(self, request, datum):
        """Keep the names; overrides horizon.tables.BatchAction."""
