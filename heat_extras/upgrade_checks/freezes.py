# SPDX-License-Identifier: Apache-2.0

"""Check that all engines have the same freezes in force."""

from oslo_upgradecheck import upgradecheck

from heat_extras.db import engines
from heat_extras.db import freezes
from heat_extras.db import presence
from heat_extras import sanitize

# How many engines are named, and how much of a digest.
NAMED, _SHOWN = 10, 12


def check_freezes(engine):
    """Look for engines that differ, and for files that have errors."""
    if presence.missing(engine):
        return _success('Nothing is known before db_sync.')
    found = freezes.of_engines(engine, engines.live(engine))
    wrong = [*_unusable(found), *_different(found)]
    if wrong:
        return _warning(' '.join(wrong))
    if not any(each.digest for each in found):
        return _success('No live engine has a freezes_file.')
    return _success('%s with %s.' % (sanitize.count(len(found), 'live engine'),
                                     _shown(found[0].digest)))


def _unusable(found):
    bad = [_name(each) for each in found if each.refused]
    if bad:
        yield ('Engines whose freezes_file has errors, or cannot be read: %s. '
               'What it said before stays in force there; heat.log tells what '
               'is wrong. They would not start again.' % _some(bad))


def _different(found):
    if freezes.different(found) > 1:
        yield ('Engines that differ in what is frozen: %s. Give all of them '
               'the same [heat_extras] features, and the same freezes_file.'
               % _some([f'{_name(each)}: {_shown(each.digest)}'
                        for each in found]))


def _shown(digest):
    return f'freezes_file {digest[:_SHOWN]}' if digest else 'no freezes_file'


def _name(each):
    return f'{each.engine.host} ({each.engine.engine_id})'


def _some(names):
    return sanitize.listing(names, ', ', most=NAMED)


def _success(details):
    return upgradecheck.Result(upgradecheck.Code.SUCCESS, details)


def _warning(details):
    return upgradecheck.Result(upgradecheck.Code.WARNING, details)
