# SPDX-License-Identifier: Apache-2.0

"""What was seen when consumers ran, kept for the documentation.

A file of the repository has three lists: ``cases`` of the matrix, ``tests`` of
other people, and ``acts``, what was done to a locked stack by software that
waits for nothing. Each entry names the Heat and the release that ran.
"""

from importlib import metadata
import json
import os

CASES, TESTS, ACTS = 'cases', 'tests', 'acts'
# By this variable tests are told where to keep what they see.
VARIABLE = 'HEAT_EXTRAS_CONSUMERS_RECORD'
# What an entry is known by, besides the series of Heat and is_real.
_KNOWN_BY = {CASES: ('consumer', 'overlay', 'situation', 'operation'),
             TESTS: ('suite',), ACTS: ('consumer', 'asked')}


def heat():
    """Return the exact release of Heat that runs."""
    return metadata.version('openstack-heat')


def series(release):
    """Return the series of a release of Heat: 27.0 of 27.0.1."""
    return '.'.join(release.split('.')[:2])


def key(kind, entry):
    """Return what an entry is known by.

    The order of what has a number is that of the numbers.
    """
    return (tuple(map(int, series(entry['heat']).split('.'))),
            is_real(entry), *(entry[name] for name in _KNOWN_BY[kind]))


def is_real(entry):
    """Return whether it was on a real Keystone instead of a sandbox.

    Where there was no choice, no entry says so.
    """
    return bool(entry.get('keystone'))


def read(path):
    """Return the three lists; they are empty where there is no file."""
    results = {kind: [] for kind in _KNOWN_BY}
    if os.path.exists(path):
        with open(path) as source:
            results.update(json.load(source))
    return results


def keep(path, kind, entries):
    """Put entries into a file, in place of older ones of the same key."""
    kept = read(path)
    entries_by_key = {key(kind, entry): entry for entry in [*kept[kind],
                                                            *entries]}
    kept[kind] = [entries_by_key[known] for known in sorted(entries_by_key)]
    with open(path + '.new', 'w') as target:
        json.dump(kept, target, indent=1)
        target.write('\n')
    os.replace(path + '.new', path)


def keep_act(consumer, release, asked, **seen):
    """Keep what a test saw, where it is told to.

    :param consumer: who did it, and ``asked`` what
    :param seen: texts about what came of it
    """
    path = os.environ.get(VARIABLE)
    if path:
        keep(path, ACTS, [{'heat': heat(), 'consumer': consumer,
                           'release': release, 'asked': asked, **seen}])
