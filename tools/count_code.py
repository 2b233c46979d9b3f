#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Count files and lines of code of heat_extras, without blank lines,
comments and docstrings.

Usage: count_code.py [--check | --rarely-imported]
"""

import argparse
import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = 'heat_extras'

MOST_LINES = 23_283
MOST_FILES = 280

# What names modules in other ways than by importing them.
NAMED_IN = ('setup.cfg', f'{PACKAGE}/entry_points.py',
            f'{PACKAGE}/features.py')

_IGNORED = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
            tokenize.DEDENT, tokenize.ENDMARKER)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef,
               ast.AsyncFunctionDef)


def count(source):
    """Return the number of lines with code in a file's text."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _IGNORED:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _docstring_lines(ast.parse(source)))


def _docstring_lines(tree):
    lines = set()
    for node in ast.walk(tree):
        if (isinstance(node, _DOCUMENTED)
                and ast.get_docstring(node, clean=False) is not None):
            first = node.body[0]
            lines.update(range(first.lineno, first.end_lineno + 1))
    return lines


def files(root):
    """List the files of the package, as paths relative to *root*."""
    return sorted(path.relative_to(root)
                  for path in (root / PACKAGE).rglob('*.py'))


def by_package(root):
    """Return ``(files, lines)`` for each package, by its name."""
    totals = collections.defaultdict(lambda: [0, 0])
    for path in files(root):
        each = totals['.'.join(path.parts[:-1][:2])]
        each[0] += 1
        each[1] += count((root / path).read_text())
    return {name: tuple(each) for name, each in sorted(totals.items())}


def rarely_imported(root):
    """List ``(path, importers)`` of files that fewer than two others need.

    Not files that an entry point or a feature's record names, patch modules,
    which are found from the tree, and those that make a folder a package. A
    file that a patch module, the list of options or a command needs has its
    entry point there.
    """
    known = {'.'.join(path.with_suffix('').parts): path
             for path in files(root)}
    importers = collections.defaultdict(set)
    for name, path in known.items():
        for used in _imports(ast.parse((root / path).read_text())):
            if used in known and used != name:
                importers[used].add(name)
    named = set(re.findall(rf'{PACKAGE}(?:\.\w+)+', ''.join(
        (root / path).read_text() for path in NAMED_IN
        if (root / path).exists())))
    return [(str(path), len(importers[name])) for name, path in known.items()
            if len(importers[name]) < 2
            and not any(map(_is_entry, importers[name]))
            and path.name != '__init__.py' and 'patches' not in path.parts
            and not any(f'{each}.'.startswith(f'{name}.') for each in named)]


def _is_entry(name):
    return ('.patches.' in name or name == f'{PACKAGE}.conf'
            or name.startswith(f'{PACKAGE}.cmd.'))


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f'{node.module}.{each.name}' for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def main(arguments=None, root=ROOT):
    """Print the figures; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--check', action='store_true',
                        help='fail above %d lines or %d files'
                             % (MOST_LINES, MOST_FILES))
    parser.add_argument('--rarely-imported', action='store_true',
                        help='list the files that fewer than two others need')
    options = parser.parse_args(arguments)
    if options.rarely_imported:
        for path, number in rarely_imported(root):
            print(f'{number} {path}')
        return 0
    totals = by_package(root)
    for name, (number, lines) in totals.items():
        print(f'{name:40} {number:4} {lines:6}')
    number, lines = map(sum, zip(*totals.values(), strict=True))
    print(f'{"all":40} {number:4} {lines:6}')
    if options.check and (lines > MOST_LINES or number > MOST_FILES):
        print(f'Too much: at most {MOST_LINES} lines in {MOST_FILES} files. '
              'Remove or merge code before you add more.')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
