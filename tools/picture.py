# SPDX-License-Identifier: Apache-2.0

"""Draw a refused deletion as a terminal shows it.

    python tools/picture.py

plays the first chapter of the demo and writes doc/source/images/refused.svg:
what is drawn is what the client has printed. Only ids and times are put in the
place of those of today, so that the same text gives the same picture. A test
of the demo compares the picture's text with what is printed.
"""

import io
import os
import pathlib
import re
import shlex
import sys
import tempfile

from rich import console
from rich import terminal_theme
from rich import text as rich_text

from heat_extras.sandbox import demo
from heat_extras.sandbox import tour

PICTURE = (pathlib.Path(__file__).resolve().parent.parent / 'doc' / 'source'
           / 'images' / 'refused.svg')
# Here no line of the refusal ends in the middle of a word.
WIDTH = 96

# The last of these ends the picture.
SHOWN = (('stack', 'lock'), ('stack', 'delete'))

ID = '4d0ac2f1-6f1e-4b39-8c35-0d6f5d3c1b7a'
TIME = '2026-11-20T10:02:11Z'


def play():
    """Play the first chapter, up to the refused deletion.

    :returns: pairs of a command and its answer.
    """
    chapter = tour.CHAPTERS[0]
    shown = []
    with tempfile.TemporaryFile('w+') as errors, demo.terminal(
            errors) as where:
        for step in chapter.steps:
            fault, answer = demo.take(step, where)
            if fault:
                sys.exit(f'{shlex.join(step.command)}: {fault}')
            if step.command[:2] in SHOWN:
                shown.append((step.command, same(answer)))
            if step.command[:2] == SHOWN[-1]:
                return shown
    sys.exit('Found no deletion in the first chapter of the demo.')


def same(answer):
    """Put ids and times into an answer that are the same every time."""
    answer = re.sub('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', ID, answer)
    return re.sub('[0-9-]{10}T[0-9:]{8}Z', TIME, answer)


def draw(shown):
    """Draw commands and answers.

    :returns: an SVG that asks nobody for a font.
    """
    screen = console.Console(record=True, width=WIDTH, file=io.StringIO(),
                             force_terminal=True, color_system='truecolor')
    for command, answer in shown:
        screen.print(rich_text.Text.assemble(
            ('$ ', 'bold green'),
            (f'openstack {shlex.join(command)}', 'bold')))
        for line in answer.splitlines():
            screen.print(_broken(line))
        screen.print()
    drawn = screen.export_svg(title='', theme=terminal_theme.MONOKAI)
    drawn = re.sub(r'@font-face \{[^}]*\}\s*', '', drawn)
    drawn = drawn.replace('Fira Code, monospace', 'monospace')
    return '\n'.join(map(str.rstrip, drawn.splitlines())) + '\n'


def _broken(line):
    """Break a line where a terminal does, which knows no words."""
    return rich_text.Text('\n'.join(
        line[start:start + WIDTH] for start in range(0, len(line), WIDTH)))


def main():
    """Write the picture."""
    os.environ['COLUMNS'] = str(WIDTH)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(play()))


if __name__ == '__main__':
    main()
