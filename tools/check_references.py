# SPDX-License-Identifier: Apache-2.0

"""Check that what docstrings and pages refer to exists.

References are the roles ``:mod:``, ``:func:``, ``:class:`` and their kind in
docstrings, and names like ``heat_extras.x.y`` and ``heat_extras/x/y.py`` in
docstrings, comments and pages. A name without dots is looked for in the file
itself, then in its package. Names of other packages are not checked.
"""

import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = 'heat_extras'

_ROLE = re.compile(
    r':(?:mod|func|class|meth|attr|data|exc|const|obj):`[~!]?([\w.]+)`')
_DOTTED = re.compile(rf'(?<![\w./-]){PACKAGE}(?:\.\w+)+')
_PATH = re.compile(rf'(?<![\w./-]){PACKAGE}/[\w./]*\w')
# Entry-point groups, and names of other files and keys.
_NO_MODULES = ('heat_extras.lock_handlers', 'heat_extras.prom',
               'heat_extras.answer')
# Where a wheel has it.
_NO_PATHS = ('heat_extras/db_migrations',)
# Packages whose names are not checked.
_FOREIGN = ('heat', 'sqlalchemy', 'oslo_config', 'oslo_db', 'oslo_policy',
            'heatclient', 'argparse', 'logging', 'testtools', 'fixtures',
            'datetime', 'io', 'subprocess', 'requests', 'alembic')


def texts():
    """Yield ``(path, line, text, module)`` of all that is checked."""
    for path in sorted((ROOT / PACKAGE).rglob('*.py')):
        module = '.'.join(path.relative_to(ROOT).with_suffix('').parts)
        yield path, path.read_text(), module.removesuffix('.__init__')
    for pattern in ('*.rst', 'doc/source/**/*.rst', 'tests/**/*.rst'):
        for path in sorted(ROOT.glob(pattern)):
            yield path, path.read_text(), None


def exists(name):
    """Return whether a dotted name is a module of ours, or defined in one."""
    words = name.split('.')
    for count in range(len(words), 0, -1):
        path = ROOT.joinpath(*words[:count])
        for each in (path.with_suffix('.py'), path / '__init__.py'):
            if each.is_file():
                rest = words[count:]
                return not rest or _defines(ast.parse(each.read_text()), rest)
    return False


def _defines(node, words):
    for child in ast.walk(node):
        names = {getattr(child, 'name', None)}
        targets = getattr(child, 'targets', None) or [
            getattr(child, 'target', None)]
        for target in targets:
            names |= {each.id if isinstance(each, ast.Name) else each.attr
                      for each in ast.walk(target or ast.Pass())
                      if isinstance(each, ast.Name | ast.Attribute)}
        if words[0] in names:
            return len(words) == 1 or not isinstance(
                child, ast.ClassDef) or _defines(child, words[1:])
    return False


def is_known(name, module, imported):
    """Return whether a role's name is defined where its text is.

    :param imported: the modules of ours that the file imports, by name.
    """
    first, _, rest = name.partition('.')
    if module is None or first in _FOREIGN:
        return True
    if first == PACKAGE:
        return exists(name)
    if first in imported:
        return exists('.'.join(filter(None, (imported[first], rest))))
    package = module.rpartition('.')[0]
    return any(exists(f'{home}.{name}') for home in (module, package, PACKAGE))


def imports(text):
    """Map the names of a file for modules of ours to the modules."""
    return {each.asname or each.name: f'{node.module}.{each.name}'
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom)
            and (node.module or '').partition('.')[0] == PACKAGE
            for each in node.names}


def problems():
    """Yield a sentence for each reference to what does not exist."""
    for path, text, module in texts():
        imported = imports(text) if module else {}
        for match in _ROLE.finditer(text):
            if not is_known(match[1], module, imported):
                yield _problem(path, text, match, match[1])
        for match in _DOTTED.finditer(text):
            if match[0] not in _NO_MODULES and not exists(match[0]):
                yield _problem(path, text, match, match[0])
        for match in _PATH.finditer(text):
            if match[0] not in _NO_PATHS and not (ROOT / match[0]).exists():
                yield _problem(path, text, match, match[0])


def _problem(path, text, match, name):
    line = text.count('\n', 0, match.start()) + 1
    return f'{path.relative_to(ROOT)}:{line}: {name} does not exist'


def main():
    """Print the references to what does not exist; return 1 if any is."""
    missing = list(problems())
    print('\n'.join(missing)
          or 'All references of docstrings and pages exist.')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
