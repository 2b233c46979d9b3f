# SPDX-License-Identifier: Apache-2.0

"""Check that each private name of Heat that is used is declared.

That is in ``heat_extras/heat_internals/private_names.py``, for the feature
that uses it; what a feature patches is declared by the patch. Ours are the
private names of ``self`` in classes that are no patches, and of modules that
are not Heat's. All others count as Heat's.
"""

import ast
import pathlib
import sys

from oslo_service import backend

# As heat.cmd.engine does, before anything else can choose.
backend.init_backend(backend.BackendType.THREADING)

from heat_extras import activation  # noqa: E402
from heat_extras import features  # noqa: E402
from heat_extras.heat_internals import private_names  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / 'heat_extras'
TABLE = 'heat_extras/heat_internals/private_names.py'

# Who has to be declared as the user of what stands in a package that is no
# feature; what the others use may be declared for any.
USERS = {'lifecycle_plugins': 'lifecycle', 'sandbox': 'sandbox'}

# The feature whose modules that predict are also used by other features.
PLANNER = 'plan'

# Of other libraries: argparse, tuples with names, rows and pools of
# SQLAlchemy, heatclient.
FOREIGN = {'_actions', '_creator', '_find_actions', '_replace', '_mapping',
           '_resolve_stack_id'}

BY_NAME = {'getattr', 'hasattr', 'setattr', 'delattr'}


def is_private(name):
    return name.startswith('_') and not name.startswith('__') and name != '_'


class Uses(ast.NodeVisitor):
    """Collects ``(line, name)`` of what one file uses of Heat's objects."""

    def __init__(self, tree):
        self.found, self._classes = [], []
        self._imports = dict(_imports(tree))
        self.visit(tree)

    def visit_ClassDef(self, node):
        is_door = any(ast.unparse(each).startswith('monkey_patch.extends')
                      for each in node.decorator_list)
        self._classes.append((is_door, set(_defined(node))))
        self.generic_visit(node)
        self._classes.pop()

    def visit_Attribute(self, node):
        self._note(node.lineno, node.value, node.attr)
        self.generic_visit(node)

    def visit_Call(self, node):
        if (isinstance(node.func, ast.Name) and node.func.id in BY_NAME
                and len(node.args) > 1
                and isinstance(node.args[1], ast.Constant)):
            self._note(node.lineno, node.args[0], node.args[1].value)
        self.generic_visit(node)

    def _note(self, line, owner, name):
        if (is_private(name) and name not in FOREIGN
                and not self._is_ours(owner, name)):
            self.found.append((line, name))

    def _is_ours(self, owner, name):
        root = owner
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        if root is owner and root.id in ('self', 'cls') and self._classes:
            is_door, defined = self._classes[-1]
            return not is_door and name in defined
        package = self._imports.get(root.id, 'heat').partition('.')[0]
        return package != 'heat'


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                yield each.asname or each.name, node.module
        elif isinstance(node, ast.Import):
            for each in node.names:
                yield (each.asname or each.name.partition('.')[0]), each.name


def _defined(node):
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef):
            yield each.name
        elif (isinstance(each, ast.Attribute)
              and isinstance(each.ctx, ast.Store)
              and ast.unparse(each.value) in ('self', 'cls')):
            yield each.attr


def trees():
    """Yield the first folder of each file of ours, the file and its tree."""
    for path in sorted(PACKAGE.rglob('*.py')):
        yield (path.relative_to(PACKAGE).parts[0],
               path.relative_to(ROOT), ast.parse(path.read_text()))


def patched():
    """List ``(feature, name)`` of what is patched or added."""
    return {(feature, record.attribute)
            for process in (activation.ENGINE, activation.API)
            for record in activation.records(features.FEATURES, process)
            for feature in ([record.feature] if record.feature
                            else [*features.FEATURES, 'patches'])}


def declared():
    """List ``(user, name)`` of what is declared."""
    return {(user, each.name) for each in private_names.DECLARED
            for user in each.users}


def undeclared(uses, known):
    """Yield a sentence for each use that nothing declares."""
    names = {name for _user, name in known}
    for home, path, line, name in uses:
        user = USERS.get(home, home if home in features.FEATURES else None)
        if (name not in names if user is None
                else (user, name) not in known):
            yield (f'{path}:{line}: {name} is private to Heat; declare it in '
                   f'{TABLE}' + (f' for {user}' if user else ''))


def unused(uses):
    """Yield a sentence for each declaration that nothing needs."""
    used = {(USERS.get(home, home), name) for home, _, _, name in uses}
    # Several features may enter what stands in host/ and its like.
    shared = {name for home, _, _, name in uses
              if home == PLANNER
              or home not in USERS and home not in features.FEATURES}
    for user, name in sorted(declared() - used):
        if name not in shared:
            yield (f'{TABLE}: {name} is declared for {user}, which does not '
                   'use it')


def main():
    """Print what is not declared, or for nothing; return 1 if anything is."""
    uses = [(home, path, line, name) for home, path, tree in trees()
            for line, name in Uses(tree).found]
    problems = [*undeclared(uses, declared() | patched()), *unused(uses)]
    for sentence in problems:
        print(sentence)
    if not problems:
        print(f'{len(private_names.DECLARED)} private names of Heat are '
              'used, and declared.')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
