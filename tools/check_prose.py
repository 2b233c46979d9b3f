# SPDX-License-Identifier: Apache-2.0

"""Measure English: figures per 1,000 words, beside their limits.

The limits are those of OpenStack's own pages, rounded up. Literal blocks,
inline literals, tables of data and directives are left out.

Usage: check_prose.py [--check] PATH [PATH ...]

Of directories, all pages and Python files are measured. Of Python files, these
are docstrings and texts of four words or more, without comments.
"""

import argparse
import ast
import pathlib
import re
import sys

_SENTENCE_WORDS = 35
#: What is counted, and the most per 1,000 words.
LIMITS = {
    'who/what clause as a noun': (
        r'(?:^|[.;:] )(?:Who|Whoever|What)\b(?![^.?!]*\?)', 0.3),
    'tell, tells, told': (r'\b(?:tell|tells|told|telling)\b', 0.2),
    'nobody, nothing': (r'\b(?:nobody|nothing)\b', 0.5),
    'one that, those of, that of': (
        r'\b(?:one that|those of|those that|that of)\b', 1),
    'goes on, stands, holds, comes': (
        r'\b(?:goes on|go on|comes|stands|holds|begins|lets|'
        r'(?<!ock )passes)\b',
        1.5),
    'semicolons': (r';', 1)}
_LONG = 'sentences over 35 words, in percent'
_LONG_LIMIT = 1.5

_LITERAL = re.compile(r'``[^`]*``|`[^`]*`__?|:\w+:`[^`]*`')
#: Where an item of a list starts.
_ITEM = re.compile(r'^\s*(?:[-*]|#\.|\d+\.) ', re.MULTILINE)


def prose(text):
    """Return the paragraphs of a page in reStructuredText, one a line."""
    paragraphs, block = [], None
    for part in re.split(r'\n\s*\n', text):
        lines = part.strip('\n').split('\n')
        indent = len(lines[0]) - len(lines[0].lstrip())
        if block is not None and indent > block:
            continue
        block = None
        if lines[0].lstrip().startswith(('.. ', '|', '+-', '==')):
            if lines[0].lstrip().startswith('.. '):
                block = indent
            continue
        if lines[-1].rstrip().endswith('::'):
            block = indent
        paragraphs += _ITEM.split('\n'.join(lines))
    return '\n'.join(_LITERAL.sub('NAME', ' '.join(each.split()))
                     for each in paragraphs)


def texts(source):
    """Return the docstrings and other texts of a Python file, one a line."""
    strings = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            strings.append(''.join(
                part.value if isinstance(part, ast.Constant) else 'NAME'
                for part in node.values))
    return '\n'.join(prose(each) for each in strings if len(each.split()) > 3)


def measure(text):
    """Return the figures of a text, by the names in :data:`LIMITS`."""
    words = max(1, len(re.findall(r"[A-Za-z][\w'-]*", text)))
    figures = {name: 1000 * len(re.findall(pattern, text, re.MULTILINE))
               / words for name, (pattern, _limit) in LIMITS.items()}
    sentences = [each for each in re.split(r'(?<=[.:!?]) |\n', text) if each]
    long = sum(len(each.split()) > _SENTENCE_WORDS for each in sentences)
    figures[_LONG] = 100 * long / max(1, len(sentences))
    return figures


def main():
    """Print the figures; return 1 if one is over its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('files', nargs='+', type=pathlib.Path)
    parser.add_argument('--check', action='store_true')
    arguments = parser.parse_args()
    files = [page for path in arguments.files for page in (
        sorted([*path.rglob('*.rst'), *path.rglob('*.py')])
        if path.is_dir() else [path])]
    figures = measure('\n'.join(
        (texts if path.suffix == '.py' else prose)(path.read_text())
        for path in files))
    limits = {**{name: limit for name, (_, limit) in LIMITS.items()},
              _LONG: _LONG_LIMIT}
    over = [name for name in figures if figures[name] > limits[name]]
    for name, figure in figures.items():
        print(f'{name}: {figure:.1f}, limit {limits[name]}'
              f'{", over" if name in over else ""}')
    return 1 if arguments.check and over else 0


if __name__ == '__main__':
    sys.exit(main())
