# SPDX-License-Identifier: Apache-2.0

"""What became of the resources of a tree."""

import dataclasses

from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import words
from heat_extras.stack_lock import words as lock_words


@dataclasses.dataclass
class Report:
    """The resources that were asked about.

    :param results: a dict from resource to (state, reason).
    :param stacks: those of the resources, which hold them by weak
        references only (heat.engine.resource.Resource.stack).
    """

    results: dict
    stacks: list

    def failed(self):
        """List ``name: reason`` of the resources that failed."""
        return [words.failed(resource.name, resource.stack.name, reason)
                for resource, (state, reason) in self.results.items()
                if states.shown(state) == states.FAILED]

    def failure(self, verb):
        """Return why not all of it was done, or None when it was.

        :param verb: ``protected`` or ``released``.
        """
        failed = self.failed()
        return lock_words.failed(len(failed), len(self.results), verb,
                                 failed) if failed else None

    def note(self):
        """Return what an unlock has to tell of others, or None."""
        lifted = self.lifted_by_others()
        return lock_words.lifted_by_others(lifted) if lifted else None

    def lifted_by_others(self):
        """Name the resources whose protection was not ours any more."""
        return [resource.name
                for resource, (state, reason) in self.results.items()
                if state is None and reason in (words.LIFTED,
                                                words.TAKEN)]
