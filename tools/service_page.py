#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print what services do beside a lock, or check that the documentation does.

Usage: service_page.py [--check doc/source/services.rst]
"""

import made_page
import played_cells
import service_words
import their_page

# After it: tests is a folder above.
from tests.consumers import cells  # isort: skip
from tests.consumers import matrix  # isort: skip
from tests.consumers import scene as scenes  # isort: skip
from tests.consumers import situations  # isort: skip

BESIDE = 'Run, and told by hand'
BESIDE_TEXT = ('Of these no record is kept; tests that are named hold what is '
               'said.')
READ = ('Of these it was only read what they do, in the sources that are '
        'named; nobody has seen it here.')
_SAID = 250
_GROUPS = (
    ('locked before', ('before', 'before, level all')),
    (f'locked before, for {situations.SOON} more seconds',
     ('before, ends soon',)),
    ('a lock is asked for meanwhile', ('asked for during it',)),
    ('locked at its end', ('at its end', 'at its end, level all',
                           'at its end, and lifted')),
    ('protected from deletion', ('delete protection', 'protection during it')),
    ('locked, with a pass', ('pass', 'pass, and unlocked')),
    ('frozen', ('freeze',)))
_HAPPENED = {scenes.DONE: 'done', scenes.NOTHING: 'refused',
             scenes.FAILED: 'failed', scenes.ROLLED_BACK: 'failed',
             scenes.UNDER_WAY: 'without an end'}
_TOLD = {
    cells.RIGHT: 'told so', cells.STUCK: '**waited for on and on**',
    cells.FALSE_FAILURE: '**told as a failure**',
    cells.FALSE_SUCCESS: '**told as a success**',
    cells.EARLY: '**told too early**',
    cells.UNEXPLAINED: '**without the reason**',
    cells.BROKEN: '**against what the guard promises**'}


def page():
    """Return the page, the same for every run."""
    kept = played_cells.kept()
    found = played_cells.played(kept['cells'])
    return '\n'.join([
        service_words.HEADER.rstrip() + '\n', _summary(found),
        *(_section(*each) for each in found),
        *their_page.acts(kept['acts']), made_page.title(BESIDE),
        made_page.paragraph(BESIDE_TEXT),
        '.. include:: services-beside.txt\n',
        their_page.tests(kept['tests']),
        '.. _read:\n', made_page.title('Read, not run'),
        made_page.paragraph(READ), '.. include:: services-read.txt\n'])


def _summary(found):
    return made_page.table(
        ['Software', 'Heat', *matrix.OVERLAYS],
        [[consumer.title, each.heat,
          *(each.counts(overlay) for overlay in matrix.OVERLAYS)]
         for consumer, series in found for each in series]) + '\n' + (
        made_page.paragraph(
            'Of so many operations beside locks so many went wrong, or went '
            'wrong without a lock, too (*as without*); :doc:`consumers` says '
            'what each word means. The sections are about the default, '
            '``off``.'))


def _section(consumer, series):
    newest = series[0]
    words = service_words.ABOUT[consumer.name]
    return '\n'.join([
        made_page.title(consumer.title),
        made_page.paragraph(
            f'*Run*: {newest.releases}, on Heat {newest.heat}. '
            + consumer.told()),
        made_page.paragraph(f'*In short*: {words.short}'),
        made_page.paragraph(f'*Pause first*: {words.pause}'),
        made_page.table(['Its stack is', 'What came of it', 'What was read'],
                        _rows(newest)),
        *_others(newest, series[1:]),
        *([made_page.paragraph(words.more)] if words.more else ()),
        made_page.paragraph(
            f'Each operation: :ref:`cells-{consumer.name}`.')])


def _others(newest, older):
    """Yield a sentence on each older series of Heat, or real Keystone."""
    for each in older:
        unlike = '; '.join(
            f'{operation} ({situation}; {overlay})'
            for overlay, situation, operation in newest.unlike(each))
        yield made_page.paragraph(
            f'*Run*: {each.releases}, on Heat {each.heat}: the same, '
            f'{len(each)} operations'
            + (f', but for {unlike}, see there.' if unlike else '.'))


def _rows(found):
    return [row for row in (_row(found, *group) for group in _GROUPS) if row]


def _row(found, title, names):
    """Return what came of a group of situations, in words."""
    ends, refused = {}, None
    for cell in _of(found, names):
        ends.setdefault(_end(found, cell), []).append(cell.operation)
        if cell.happened == scenes.NOTHING and not refused:
            refused = cell
    return [title, '; '.join(
        f'{_operations(operations)}: {end}'
        for end, operations in ends.items()),
        made_page.literal(refused.said, _SAID) if refused else ''
    ] if ends else None


def _of(found, names):
    """List the cells of situations, with the default overlay."""
    return [cell for cell in (
        found.cell(played_cells.DEFAULT, name, operation) for name in names
        for operation in situations.BY_NAME[name].operations) if cell]


def _end(found, cell):
    """Return what came of a cell, in words."""
    told = _TOLD[cell.verdict]
    verdict = found.verdict(cell.overlay, cell.situation, cell.operation)
    if verdict == played_cells.AS_WITHOUT:
        told = told.strip('*') + ', as without a lock'
    return f'{_HAPPENED[cell.happened]}, {told}'


def _operations(names):
    """Return the operations in the order of a stack's life, each once."""
    return ', '.join(name for name in scenes.PARAMETERS if name in names)


if __name__ == '__main__':
    made_page.show_or_check(page(), 'record')
