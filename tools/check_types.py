# SPDX-License-Identifier: Apache-2.0

"""Check the types of all files that import nothing of Heat, with mypy.

Which ones these are is found out: a file is pure that imports nothing of
Heat, neither itself nor through others of ours, and changes nothing in it (no
patch, no mixin). In one whose docstring calls it pure each function has to
have all of its types. Heat and other libraries are of no known type, so that
it does not matter which of their releases are installed.
"""

import ast
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / 'heat_extras'

MARK = re.compile(r'\bpure\b', re.IGNORECASE)
STRICT = ('--disallow-untyped-defs', '--disallow-incomplete-defs')


def modules():
    """Return the tree of each file of ours by the name of its module."""
    return {'.'.join(path.relative_to(ROOT).with_suffix('').parts)
            .removesuffix('.__init__'): ast.parse(path.read_text())
            for path in sorted(PACKAGE.rglob('*.py'))}


def imports(tree, known):
    """Yield the names of the modules that a file imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                name = f'{node.module}.{each.name}'
                yield name if name in known else node.module


def is_extension(name, tree):
    """Return whether a file changes Heat: a patch module, or a mixin."""
    return '.patches' in name or any(
        node.name.endswith('Mixin') for node in tree.body
        if isinstance(node, ast.ClassDef))


def pure(known):
    """List the names of the modules that import nothing of Heat."""
    uses = {name: set(imports(tree, known)) for name, tree in known.items()}
    pure_names = {name for name in known if not any(
        used.partition('.')[0] == 'heat' for used in uses[name])}
    while impure := {name for name in pure_names
                     if uses[name] & (known.keys() - pure_names)}:
        pure_names -= impure
    return {name for name in pure_names if not is_extension(name, known[name])}


def says_pure(tree):
    return bool(MARK.search(ast.get_docstring(tree) or ''))


def run(names, *options):
    """Let mypy look at modules; return whether all is well."""
    arguments = [each for name in sorted(names) for each in ('-m', name)]
    return subprocess.run([sys.executable, '-m', 'mypy', *options,
                           *arguments], cwd=ROOT).returncode == 0


def main():
    known = modules()
    pure_names = pure(known)
    strict = {name for name, tree in known.items() if says_pure(tree)}
    for name in sorted(strict - pure_names):
        print(f'{name}: calls itself pure, but knows Heat, directly or '
              'through others of ours')
    results = [strict <= pure_names, run(pure_names), run(strict & pure_names,
                                                          *STRICT)]
    print(
        f'{len(pure_names)} files import nothing of Heat; in {len(strict)} of '
        'them all functions have types.')
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
