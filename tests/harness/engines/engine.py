# SPDX-License-Identifier: Apache-2.0

"""heat-engine as a separate process."""

from tests.harness import process


class Engine(process.Process):
    """A heat-engine with its children, ready when it has reported itself.

    :param find_id: returns the id of the newest engine of a name, or None
    """

    def __init__(self, name, *arguments, find_id, **options):
        super().__init__(name, *arguments, is_ready=self._has_reported,
                         **options)
        self._find_id = find_id
        self._predecessor = None

    def launch(self):
        # The row of a killed engine remains in Heat's table of services.
        self._predecessor = self._find_id(self.name)
        super().launch()

    def _has_reported(self):
        return self._find_id(self.name) not in (None, self._predecessor)
