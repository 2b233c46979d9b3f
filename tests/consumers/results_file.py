# SPDX-License-Identifier: Apache-2.0

"""Results of consumers, recorded for the documentation.

A file of the repository has three lists: ``cases`` of the matrix, upstream
``tests``, and ``acts``, which are operations on a locked stack by software
that does not wait. Each entry names the releases of Heat and of the software.
"""

from importlib import metadata
import json
import os

CASES, TESTS, ACTS = 'cases', 'tests', 'acts'
# The environment variable with the path of the results file.
VARIABLE = 'HEAT_EXTRAS_CONSUMERS_RECORD'
# The key of an entry, besides the series of Heat and is_real.
_KNOWN_BY = {CASES: ('consumer', 'overlay', 'situation', 'operation'),
             TESTS: ('suite',), ACTS: ('consumer', 'asked')}


def heat():
    """Return the exact release of the Heat that is tested."""
    return metadata.version('openstack-heat')


def series(release):
    """Return the series of a release of Heat: 27.0 of 27.0.1."""
    return '.'.join(release.split('.')[:2])


def key(kind, entry):
    """Return the key of an entry.

    Numbers are sorted by their values.
    """
    return (tuple(map(int, series(entry['heat']).split('.'))),
            is_real(entry), *(entry[name] for name in _KNOWN_BY[kind]))


def is_real(entry):
    """Return whether the entry is from a real Keystone, not a sandbox.

    Without a choice, entries do not contain this field.
    """
    return bool(entry.get('keystone'))


def read(path):
    """Return the three lists, which are empty if the file does not exist."""
    results = {kind: [] for kind in _KNOWN_BY}
    if os.path.exists(path):
        with open(path) as source:
            results.update(json.load(source))
    return results


def keep(path, kind, entries):
    """Write entries to a file, and replace entries with the same key."""
    kept = read(path)
    entries_by_key = {key(kind, entry): entry for entry in [*kept[kind],
                                                            *entries]}
    kept[kind] = [entries_by_key[known] for known in sorted(entries_by_key)]
    with open(path + '.new', 'w') as target:
        json.dump(kept, target, indent=1)
        target.write('\n')
    os.replace(path + '.new', path)


def keep_act(consumer, release, asked, **seen):
    """Record the result of a test if a results file is set.

    :param consumer: who did it, and ``asked`` what
    :param seen: texts about what came of it
    """
    path = os.environ.get(VARIABLE)
    if path:
        keep(path, ACTS, [{'heat': heat(), 'consumer': consumer,
                           'release': release, 'asked': asked, **seen}])
