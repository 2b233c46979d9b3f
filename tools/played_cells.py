# SPDX-License-Identifier: Apache-2.0

"""The cells of tests/consumers that were played, and how they are judged."""

import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.consumers import cells  # noqa: E402
from tests.consumers import consumers  # noqa: E402
from tests.consumers import guard_situations  # noqa: E402
from tests.consumers import matrix  # noqa: E402
from tests.consumers import results_file  # noqa: E402

RECORD = ROOT / 'doc' / 'source' / 'consumers.json'
DEFAULT = matrix.OVERLAYS[0]
FREE = guard_situations.ALL[0].name
OK, AS_WITHOUT = 'ok', 'as without'


def kept():
    """Return what is kept of all runs."""
    return results_file.read(str(RECORD))


class Played:
    """The cells of one consumer on one series of Heat, in one environment.

    :ivar heat: the releases of Heat, and of Keystone where a real one stood
        in for the sandbox's
    :ivar releases: those of the consumer
    """

    def __init__(self, entries):
        results = [cells.Result(**entry) for entry in entries]
        self._cells = {(each.overlay, each.situation, each.operation): each
                       for each in results}
        self.heat = ', '.join(sorted({each.heat for each in results}) + [
            f'Keystone {release}' for release in sorted(
                {each.keystone for each in results if each.keystone})])
        self.releases = '; '.join(sorted({each.release for each in results}))

    def verdict(self, overlay, situation, operation):
        """Return a cell's verdict in a word; what is bad is bold."""
        cell = self._cells[overlay, situation, operation]
        if cell.verdict == cells.RIGHT:
            return OK
        # Without a lock no setting of the overlay makes a difference.
        bare = self._cells.get((DEFAULT, FREE, operation))
        return (AS_WITHOUT if bare and bare.verdict == cell.verdict
                else f'**{cell.verdict}**')

    def counts(self, overlay):
        """Return how many were played, and what is not ok, in words."""
        found = collections.Counter(
            self.verdict(*key) for key in self._cells if key[0] == overlay)
        bad = [f'{count} {verdict}' for verdict, count in found.items()
               if verdict != OK]
        return (f'{sum(found.values())} run, '
                f'{", ".join(sorted(bad)) or "all ok"}' if found else '--')


def played(entries):
    """List consumers, with what each played by series, the newest first.

    What was played on a real Keystone instead of a sandbox is last.

    :returns: pairs of a consumer, and of a list of :class:`Played`.
    """
    found = collections.defaultdict(list)
    for entry in entries:
        number, is_real = results_file.key(results_file.CELLS, entry)[:2]
        found[entry['consumer'], not is_real, number].append(entry)
    return [(consumer, [Played(found[key]) for key in sorted(
        found, reverse=True) if key[0] == consumer.name])
        for consumer in consumers.ALL
        if any(key[0] == consumer.name for key in found)]
