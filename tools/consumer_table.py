#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print all cells of consumers, or check that the documentation has them.

Usage: consumer_table.py [--check doc/source/consumers.rst]
"""

import made_page
import played_cells

# After it: tests is a folder above.
from tests.consumers import cells  # isort: skip
from tests.consumers import matrix  # isort: skip
from tests.consumers import situations  # isort: skip

HEADER = """\
===============================
Each operation beside each lock
===============================

:doc:`services` tells in a few lines what each software does beside a lock.
Here is each cell of that: the software in the release that is named created,
updated or deleted a stack with its own means to wait, and another user locked
the stack before, while or just after that. ``python -m tests.consumers
--record doc/source/consumers.json`` plays them, ``tools/consumer_table.py``
makes this page of that file, and ``tests/consumers/README.rst`` tells more. It
was Heat in the sandbox: a whole Heat over HTTP, with tokens of its own in
place of Keystone's; for Magnum and for the VNFs of Tacker it was Heat,
Keystone and Glance as processes of their own. Where a Keystone is named, it
was Keystone and two engines of Heat, with MariaDB and RabbitMQ (``--real``).

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
**broken**
    Heat did not what the guard promises: what was to be refused was done, or
    what was to be done was refused, failed, or came to no end.
*as without*
    It was not ok, and is not without a lock either.

*off*, *locked* and *full* are ``[heat_extras] status_overlay``
(:doc:`configuration`). *off* is the default: a stack shows its own status, and
its lock in fields of its own. With *locked* and *full* ``stack_status`` is
LOCK_COMPLETE and its like, as OpenStack's specification of a stack lock has
it, and what is bold in these columns is what that costs: software that waits
for Heat's own statuses does not know that one. The software is not to blame,
and waiting longer is no answer: some look once a minute. A cell with -- was
not played. A lock that *ends soon* has {soon} seconds left, and is over before
software that starts slowly meets it. A lock *at its end* was asked for every
twentieth of a second until Heat granted it, so it mostly came before the
software looked again; where it did not, a cell that could go wrong is ok.

"""
_READ = 170


def page():
    """Return the page, the same for every run."""
    return HEADER.format(
        patience=cells.PATIENCE, soon=situations.SOON) + '\n'.join(
        _section(*each) for each in played_cells.played(
            played_cells.kept()['cells']))


def _section(consumer, series):
    newest = series[0]
    rows = [_row(newest, situation.name, operation)
            for situation in situations.ALL
            for operation in situation.operations]
    return '\n'.join([
        f'.. _cells-{consumer.name}:\n', made_page.title(consumer.title),
        made_page.paragraph(f'*Run*: {newest.releases}, on Heat '
                            f'{newest.heat}. {consumer.told()}'),
        *_unjudged(newest),
        *(made_page.paragraph(_other(newest, older))
          for older in series[1:]),
        made_page.table(
            ['Lock', 'Operation', *matrix.OVERLAYS, 'What was read'],
            [row for row in rows if row])])


def _unjudged(found):
    """Yield a sentence about cells that are older than a column."""
    number = found.unjudged()
    if number:
        yield made_page.paragraph(
            f'Of {number} of the successes here it was not kept whether Heat '
            'was still at work when they were told: *too early* would show as '
            '*ok*.')


def _other(newest, older):
    differences = newest.unlike(older)
    told = '; '.join(
        f'{operation} ({situation}; {overlay}), {older.end(*key)} in place of '
        f'{newest.end(*key)}' for key in differences
        for overlay, situation, operation in [key])
    same = f'the same but for {told}' if told else 'the same'
    return (f'*Run*: {older.releases}, on Heat {older.heat}, {len(older)} '
            f'cells. What came of them was {same}.')


def _row(found, situation, operation):
    keys = [(overlay, situation, operation) for overlay in matrix.OVERLAYS]
    if not any(found.cell(*key) for key in keys):
        return None
    shown = [found.verdict(*key) for key in keys]
    # The worst is what is worth reading.
    worst = next((key for key, verdict in zip(keys, shown, strict=True)
                  if verdict.startswith('**')),
                 next(key for key in keys if found.cell(*key)))
    return [situation, operation, *shown,
            made_page.literal(found.cell(*worst).said, _READ)]


if __name__ == '__main__':
    made_page.show_or_check(page(), 'record')
