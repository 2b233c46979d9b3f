#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the table of consumers, or check that the documentation has it.

Usage: consumer_table.py [--check doc/source/consumers.rst]
"""

import collections
import json
import pathlib
import sys
import textwrap

import made_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.consumers import cells  # noqa: E402
from tests.consumers import consumers  # noqa: E402
from tests.consumers import matrix  # noqa: E402
from tests.consumers import situations  # noqa: E402

RECORD = ROOT / 'doc' / 'source' / 'consumers.json'

HEADER = """\
===============================================
Software that drives stacks, run for this table
===============================================

Each cell below was played: the software in the release that is named created,
updated or deleted a stack with its own means to wait, and another user locked
the stack before, while or just after that. ``python -m tests.consumers
--record doc/source/consumers.json`` plays them, ``tools/consumer_table.py``
makes this page of that file, and ``tests/consumers/README.rst`` tells more. It
was Heat {heat} in the sandbox: a whole Heat over HTTP, with tokens of its own
in place of Keystone's; for Magnum it was Heat, Keystone and Glance as
processes of their own.

What Heat did is read from its own events, and what the software told from its
exit status:

*ok*
    It told what happened: success, a refusal with its reason, or a failure
    that was one.
**stuck**
    It still waited {patience} seconds after the operation was over, and was
    ended by hand.
**false failure**
    It told of a failure of what Heat had done.
**false success**
    It told of a success, and Heat had failed, rolled back or refused.
**too early**
    It told of the success while Heat was at work, which then ended well.
**unexplained**
    It told of a failure without the reason of the refusal.
*as without*
    It was not ok, and is not without a lock either.

*off*, *locked* and *full* are ``[heat_extras] status_overlay``
(:doc:`configuration`). *off* is the default: a stack shows its own status, and
its lock in fields of its own. With *locked* and *full* ``stack_status`` is
LOCK_COMPLETE and its like, as OpenStack's specification of a stack lock has
it, and what is bold in these columns is what that costs: software that waits
for Heat's own statuses does not know that one. The software is not to blame,
and waiting longer is no answer: some look once a minute. A cell with -- was
not played. A lock *at its end* was asked for every twentieth of a second until
Heat granted it, so it mostly came before the software looked again; where it
did not, a cell that could go wrong is ok.

In short
========

"""

SECTION = '{title}\n{line}\n\n{told}\n\n'
_WIDTH = 70
_READ = 170


class Page:
    """The page of one record.

    :param record: as :func:`tests.consumers.matrix.record` writes it
    """

    def __init__(self, record):
        self._record = record
        self._cells = {matrix.key(cell): cell for cell in record['cells']}

    def text(self):
        known = [consumer for consumer in consumers.ALL
                 if consumer.name in self._record['releases']]
        return ''.join([
            HEADER.format(heat=self._record['heat'], patience=cells.PATIENCE),
            _table(['Software', *matrix.OVERLAYS],
                   [self._summary(consumer) for consumer in known]),
            *('\n' + self._section(consumer) for consumer in known)])

    def _summary(self, consumer):
        return [consumer.title, *(self._counts(consumer.name, overlay)
                                  for overlay in matrix.OVERLAYS)]

    def _counts(self, name, overlay):
        found = collections.Counter(
            self._verdict(*key) for key in self._cells
            if key[:2] == (name, overlay))
        if not found:
            return '--'
        bad = [f'{count} {verdict}' for verdict, count in found.items()
               if verdict != 'ok']
        return (f'{sum(found.values())} played, '
                f'{", ".join(sorted(bad)) or "all ok"}')

    def _section(self, consumer):
        rows = [self._row(consumer.name, situation.name, operation)
                for situation in situations.ALL
                for operation in situation.operations]
        release = self._record['releases'][consumer.name]
        told = (f'*Run*: {release}. {consumer.waits[0].upper()}'
                f'{consumer.waits[1:]}.')
        return SECTION.format(
            title=consumer.title, line='=' * len(consumer.title),
            told='\n'.join(_wrapped(told, 79))) + _table(
                ['Lock', 'Operation', *matrix.OVERLAYS, 'What was read'],
                [row for row in rows if row])

    def _row(self, name, situation, operation):
        keys = [(name, overlay, situation, operation)
                for overlay in matrix.OVERLAYS]
        if not any(key in self._cells for key in keys):
            return None
        shown = [self._verdict(*key) for key in keys]
        # The worst is what is worth reading.
        worst = next((key for key, verdict in zip(keys, shown, strict=True)
                      if verdict.startswith('**')),
                     next(key for key in keys if key in self._cells))
        return [situation, operation, *shown, _read(self._cells[worst])]

    def _verdict(self, name, overlay, situation, operation):
        cell = self._cells.get((name, overlay, situation, operation))
        if cell is None:
            return '--'
        verdict = cell['verdict']
        if verdict == cells.RIGHT:
            return 'ok'
        # Without a lock no setting of the overlay makes a difference.
        bare = self._cells.get((name, matrix.OVERLAYS[0],
                                situations.ALL[0].name, operation))
        if bare and bare['verdict'] == verdict:
            return 'as without'
        return f'**{verdict}**'


def page():
    """Return the page, the same for every run."""
    with open(RECORD) as source:
        return Page(json.load(source)).text()


def _read(cell):
    said = textwrap.shorten(cell['said'].replace('`', "'").strip('| '),
                            _READ, placeholder=' ...')
    return f'``{said}``' if said else ''


def _wrapped(text, width):
    return textwrap.wrap(text, width, break_long_words=False,
                         break_on_hyphens=False)


def _table(head, rows):
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in (head, *rows):
        for place, cell in enumerate(row):
            first = '     - ' if place else '   * - '
            wrapped = _wrapped(cell, _WIDTH) or ['']
            lines.append((first + wrapped[0]).rstrip())
            lines += ['       ' + more for more in wrapped[1:]]
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    made_page.show_or_check(page(), 'record')
