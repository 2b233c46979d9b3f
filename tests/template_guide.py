# SPDX-License-Identifier: Apache-2.0

"""Tables and examples of the template author's guide, for tests to run."""

import pathlib
import re
import textwrap

import yaml

GUIDE = (pathlib.Path(__file__).parents[1] / 'doc' / 'source'
         / 'template_guide' / 'parameters.rst')


def simple_table(text):
    """List the rows of the first simple table as lists of cells.

    The first one is its head. A row goes on where the first cell is empty.
    """
    rule = re.search('^=+(?: +=+)+$', text, re.MULTILINE)
    columns = [each.span() for each in re.finditer('=+', rule[0])]
    rows = []
    for line in text[rule.end() + 1:].splitlines():
        if not line:
            break
        cells = [line[begin:end].strip() for begin, end in columns]
        if line.startswith('='):
            continue
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [' '.join(filter(None, pair))
                        for pair in zip(rows[-1], cells, strict=True)]
    return rows


def transitions():
    """List the rows of the table of that name, without its head."""
    return simple_table('\n'.join(_directive('table', 'transitions')))[1:]


def spellings():
    """List the rows of the table of that name, without its head."""
    return simple_table('\n'.join(_directive('table', 'spellings')))[1:]


def values(cell):
    """List the literals of a cell, read as YAML."""
    return [yaml.safe_load(text) for text in re.findall('``(.+?)``', cell)]


def example(name):
    """Return a template of the guide."""
    loaded = yaml.safe_load('\n'.join(_directive('code-block', name)[1:]))
    # YAML takes it for a date.
    return {**loaded, 'heat_template_version': str(
        loaded['heat_template_version'])}


def _directive(kind, name):
    text = GUIDE.read_text()
    match = re.search(
        rf'^\.\. {kind}::.*\n((?:   :.*\n)*   :name: {name}\n(?:   .*\n|\n)+)',
        text, re.MULTILINE)
    return textwrap.dedent(match[1]).splitlines()
