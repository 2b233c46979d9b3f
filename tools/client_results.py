# SPDX-License-Identifier: Apache-2.0

"""The results of the clients in tests/consumers, with verdicts."""

import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.consumers import cases  # noqa: E402
from tests.consumers import consumers  # noqa: E402
from tests.consumers import guard_situations  # noqa: E402
from tests.consumers import matrix  # noqa: E402
from tests.consumers import results_file  # noqa: E402

RECORD = ROOT / 'doc' / 'source' / 'consumers.json'
DEFAULT = matrix.OVERLAYS[0]
FREE = guard_situations.ALL[0].name
OK, AS_WITHOUT = 'ok', 'as without'


def read():
    """Return the results of all runs."""
    return results_file.read(str(RECORD))


class ClientResults:
    """The cases of one consumer on one series of Heat, in one environment.

    :ivar heat: the releases of Heat, and of Keystone where a real one stood
        in for the sandbox's
    :ivar releases: those of the consumer
    """

    def __init__(self, entries):
        results = [cases.Result(**entry) for entry in entries]
        self._cases = {(each.overlay, each.situation, each.operation): each
                       for each in results}
        self.heat = ', '.join(sorted({each.heat for each in results}) + [
            f'Keystone {release}' for release in sorted(
                {each.keystone for each in results if each.keystone})])
        self.releases = '; '.join(sorted({each.release for each in results}))

    def verdict(self, overlay, situation, operation):
        """Return a case's verdict in a word; what is bad is bold."""
        case = self._cases[overlay, situation, operation]
        if case.verdict == cases.RIGHT:
            return OK
        # Without a lock no setting of the overlay makes a difference.
        bare = self._cases.get((DEFAULT, FREE, operation))
        return (AS_WITHOUT if bare and bare.verdict == case.verdict
                else f'**{case.verdict}**')

    def counts(self, overlay):
        """Return how many were run, and what is not ok, in words."""
        verdicts = collections.Counter(
            self.verdict(*key) for key in self._cases if key[0] == overlay)
        bad = [f'{count} {verdict}' for verdict, count in verdicts.items()
               if verdict != OK]
        return (f'{sum(verdicts.values())} run, '
                f'{", ".join(sorted(bad)) or "all ok"}' if verdicts else '--')


def list_by_client(entries):
    """List consumers, with the results of each by series, the newest first.

    Results on a real Keystone instead of a sandbox are last.

    :returns: pairs of a consumer, and of a list of :class:`ClientResults`.
    """
    by_client = collections.defaultdict(list)
    for entry in entries:
        number, is_real = results_file.key(results_file.CASES, entry)[:2]
        by_client[entry['consumer'], not is_real, number].append(entry)
    return [(consumer, [ClientResults(by_client[key]) for key in sorted(
        by_client, reverse=True) if key[0] == consumer.name])
        for consumer in consumers.ALL
        if any(key[0] == consumer.name for key in by_client)]
