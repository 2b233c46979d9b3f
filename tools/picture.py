# SPDX-License-Identifier: Apache-2.0

"""Draw a rejected delete, and write the transcript of the demo.

    python tools/picture.py

plays the demo twice. The first chapter, up to the rejected delete, becomes
doc/source/images/refused.svg. All chapters become doc/source/user/demo.txt.
Both show what the client has printed. IDs, times, paths and the port are
replaced, so that the same text gives the same files. A test of the demo
compares both with what is printed.
"""

import contextlib
import io
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile
import uuid

from rich import console
from rich import terminal_theme
from rich import text as rich_text

from heat_extras.sandbox import clients
from heat_extras.sandbox import demo
from heat_extras.sandbox import demo_steps

PAGES = pathlib.Path(__file__).resolve().parent.parent / 'doc' / 'source'
PICTURE = PAGES / 'images' / 'refused.svg'
TRANSCRIPT = PAGES / 'user' / 'demo.txt'
# Of a terminal in its usual size.
TRANSCRIPT_WIDTH = 80
# Here no line of the refusal ends in the middle of a word.
WIDTH = 96

# The last of these ends the picture.
SHOWN = (('stack', 'lock'), ('stack', 'delete'))

IDS = uuid.UUID('4d0ac2f1-6f1e-4b39-8c35-0d6f5d3c1b7a')
TIME = '2026-11-20T10:02:11Z'


def record_demo():
    """Play the first chapter, up to the refused deletion.

    :returns: pairs of a command and its answer.
    """
    (_chapter, steps), = demo_steps.with_stacks(demo_steps.CHAPTERS[:1])
    shown, ids = [], {}
    with (tempfile.TemporaryDirectory() as state_dir,
          tempfile.TemporaryFile('w+') as errors,
          demo.start_terminal(errors, state_dir) as where):
        for step in steps:
            fault, answer = demo.run_step(step, where)
            if fault:
                sys.exit(f'{shlex.join(step.command)}: {fault}')
            if step.command[:2] in SHOWN:
                shown.append((step.command, same(answer, ids)))
            if step.command[:2] == SHOWN[-1]:
                return shown
    sys.exit('Found no deletion in the first chapter of the demo.')


def same(answer, ids):
    """Put ids and times into an answer that are the same every time.

    :param ids: from each id to its replacement, which is extended.
    """
    def replaced(match):
        return ids.setdefault(match[0], str(uuid.uuid5(IDS, str(len(ids)))))

    answer = re.sub('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', replaced,
                    answer)
    return re.sub('(?<=since )[0-9-]{10}T[0-9:]{8}Z', TIME, answer)


def transcript():
    """Play all chapters.

    :returns: what the demo printed.
    """
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = demo.run_demo()
    text = printed.getvalue()
    if status:
        sys.exit(text)
    state_dir = re.search('--state-dir ([^ ]+)', text)[1]
    shutil.rmtree(state_dir)
    for typed, shown in (
            (clients.SET_PATH, 'export PATH=$PWD/.venv/bin:$PATH'),
            (state_dir, '/tmp/heat-extras-demo')):
        text = text.replace(typed, shown)
    text = re.sub(r'127\.0\.0\.1:\d+', '127.0.0.1:8004', same(text, {}))
    return _same_resources(text)


def _same_resources(text):
    """Number the resources, whose IDs end in random letters."""
    numbers = {}

    def replaced(match):
        number = numbers.setdefault(match[2], len(numbers) + 1)
        return f'{match[1]}{number:012}'

    return re.sub(r'(\bshop-[a-z]+-)([a-z0-9]{12})\b', replaced, text)


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
    """Write the picture and the transcript."""
    os.environ['COLUMNS'] = str(WIDTH)
    PICTURE.write_text(draw(record_demo()))
    os.environ['COLUMNS'] = str(TRANSCRIPT_WIDTH)
    TRANSCRIPT.write_text(transcript())


if __name__ == '__main__':
    main()
