# SPDX-License-Identifier: Apache-2.0

"""Check the layout: patch modules, modules of logic, and their imports.

A patch module (``patches/``) is named after the module of Heat that it
changes, and each attribute of Heat is patched once. Its decorated functions
delegate to modules of logic, and no module of logic imports it. A feature does
not import modules of another feature, so that each feature can be disabled
alone: what several features know of Heat is in ``heat_internals/``. The
modules of ``plan/`` that predict an update are for all features, and import
each other in one order. Plugins that are shipped import of a feature what
other plugins may import. Files do not import each other in a circle. The
caller's name is read in one place, because a request can forge what Heat's
context says. Few values travel beside the arguments, in context variables or
in attributes of Heat's objects. A file has at most 400 lines. A file with
fewer than 40 lines of code is listed with its reason in ``small_files.txt``.
Few modules of ours are imported under another name.
"""

import ast
import collections
import graphlib
import pathlib
import re
import sys

import count_code
from oslo_service import backend

# As heat.cmd.engine does, before anything else can choose.
backend.init_backend(backend.BackendType.THREADING)

from heat_extras import activation  # noqa: E402
from heat_extras import features as records  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / 'heat_extras'
# Its own distribution; it has no features, and its terms are Horizon's.
DASHBOARD = ROOT / 'dashboard' / 'heat_extras_dashboard'

# Modules of features that plugins may import.
PUBLIC = ('heat_extras.lifecycle.plugin_api',)

# The modules of the feature ``plan`` that predict. Other features and plugins
# use them if the feature is not enabled.
PLANNER = tuple(f'heat_extras.plan.{name}' for name in (
    'change', 'nested_plan', 'resource_plan', 'reviewed_plan', 'stack_plan',
    'tree_plan'))

# The largest number of statements in a function of a patch module, without
# its docstring.
MOST_STATEMENTS = 8

# Lines of a file, lines of code of a file that needs no reason, and imports of
# our modules under another name.
MOST_LINES, SMALL, MOST_ALIASES = 400, 40, 30

# Patch records of both processes, context variables, and attributes that are
# set on Heat's objects. More of them are more ways by which one function
# changes another.
MOST_PATCHES, MOST_CONTEXT_VARS, MOST_ATTRIBUTES = 110, 2, 4

# It marks functions of patch modules.
FRAMEWORK = PACKAGE / 'monkey_patch.py'

# The names of the constants with the name of such an attribute.
ATTRIBUTE_NAMES = ('ATTRIBUTE', '_ATTRIBUTE')

# Not listed: the names that each feature has.
USUAL = ('__init__.py', 'options.py', 'errors.py', 'guard.py')
REASONS = ROOT / 'tools' / 'small_files.txt'

# The file that knows who calls, by what Keystone says of the token.
CALLER = PACKAGE / 'heat_internals' / 'caller.py'

# What Heat's contexts and stacks have of a request's headers.
USER_NAMES = ('username', 'user_name')

# The same names of a URL, and of a session with Keystone.
NO_CONTEXT = ('parts.username', 'access.username')

# Functions of patch modules that entry points name.
NAMED = ('list_rules',)


def features():
    """List the names of the features: packages with a record."""
    return sorted(records.FEATURES)


def imports(path):
    """Yield ``(line, module)`` for what a file imports of ours."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                yield node.lineno, f'{node.module}.{name.name}'
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name


def targets(path):
    """Yield the modules of Heat that a patch module extends."""
    for node in ast.walk(ast.parse(path.read_text())):
        if (isinstance(node, ast.Call)
                and ast.unparse(node.func) == 'monkey_patch.extends'):
            yield node.args[0].value.partition(':')[0]
        elif (isinstance(node, ast.Assign)
              and ast.unparse(node.targets[0]) == 'EXTENDS'):
            yield node.value.value


def is_named_after(stem, target):
    """Return whether the name of a patch module fits a module of Heat.

    It is the first part of the module's path and the last ones:
    ``api_actions`` for ``heat.api.openstack.v1.actions``.
    """
    first, *rest = target.split('.')[1:]
    names = {'_'.join([first, *rest[start:]]) for start in range(len(rest))}
    return stem in names


def misnamed_patch_modules():
    """Yield a sentence for each patch module with a wrong name."""
    for path in sorted(PACKAGE.rglob('patches/*.py')):
        if path.name == '__init__.py':
            continue
        patched = sorted(set(targets(path)))
        if len(patched) != 1 or not is_named_after(path.stem, patched[0]):
            yield (f'{path.relative_to(ROOT)}: found '
                   f'{patched or "no target"}, wanted one module of Heat, '
                   'and the file named after it')


def functions(path):
    """Yield the functions of a file, and of its classes."""
    for node in ast.parse(path.read_text()).body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, ast.FunctionDef):
                yield each


def statements(function):
    """Count the statements of a function, and of those inside it."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - (
        2 if ast.get_docstring(function) else 1)


def long_patches():
    """Yield a sentence for each function that should delegate to logic."""
    for path in sorted(PACKAGE.rglob('patches/*.py')):
        for each in functions(path):
            place = f'{path.relative_to(ROOT)}:{each.lineno}: {each.name}'
            if not each.decorator_list and each.name not in NAMED:
                yield (f'{place} does not change Heat; move it to a module '
                       'of logic')
            elif statements(each) > MOST_STATEMENTS:
                yield (f'{place} has {statements(each)} statements, wanted '
                       f'at most {MOST_STATEMENTS}; move its logic elsewhere')


def repeated_patches():
    """Yield a sentence for each attribute of Heat that is patched twice."""
    for process in (activation.ENGINE, activation.API):
        counts = collections.Counter(
            record.target for record in activation.records(
                records.FEATURES, process))
        for target, count in counts.items():
            if count > 1:
                yield (f'{target} is patched {count} times; patch it once, '
                       'and ask the gate')


def count_patches():
    """Count the patch records of both processes."""
    return sum(len(activation.records(records.FEATURES, process))
               for process in (activation.ENGINE, activation.API))


def count_context_vars():
    """Count the context variables."""
    return sum(path.read_text().count('ContextVar(')
               for path in PACKAGE.rglob('*.py'))


def constants(tree):
    """Map the names of a file's constants with text to their values."""
    return {node.targets[0].id: node.value.value for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)}


def attributes():
    """List the attributes that are set on Heat's objects."""
    return {value for path in PACKAGE.rglob('*.py')
            for name, value in constants(ast.parse(path.read_text())).items()
            if name in ATTRIBUTE_NAMES}


def undeclared_attributes():
    """Yield a sentence for each attribute without such a constant."""
    for path in sorted({*PACKAGE.rglob('*.py')} - {FRAMEWORK}):
        tree = ast.parse(path.read_text())
        known = constants(tree)
        for node in ast.walk(tree):
            name = name_set(node)
            if name not in ATTRIBUTE_NAMES and known.get(
                    name, name or '').startswith(PACKAGE.name):
                yield (f'{path.relative_to(ROOT)}:{node.lineno}: sets '
                       f'{name} on an object; use a field of object_data')


def name_set(node):
    """Return the name of an attribute that is set, or of its constant."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.attr
    # Heat's class of the table gets columns.
    if (isinstance(node, ast.Call) and ast.unparse(node.func) == 'setattr'
            and ast.unparse(node.args[0]) != 'heat_models.Stack'):
        name = node.args[1]
        return (name.value if isinstance(name, ast.Constant)
                else ast.unparse(name).rpartition('.')[2])
    return None


def figures():
    """Return what, count and limit of the ways beside arguments."""
    return (('patch records', count_patches(), MOST_PATCHES),
            ('context variables', count_context_vars(), MOST_CONTEXT_VARS),
            ("attributes on Heat's objects", len(attributes()),
             MOST_ATTRIBUTES))


def too_many_ways():
    """Yield a sentence for each of the figures that is above its limit."""
    for what, count, most in figures():
        if count > most:
            yield (f'{count} {what}, at most {most} are allowed; use an '
                   'argument, or a field of rpc_request.Request')


def imported_patch_modules():
    """Yield a sentence for each import of a patch module."""
    for path in sorted(PACKAGE.rglob('*.py')):
        for line, module in imports(path):
            parts = module.split('.')
            if parts[0] == 'heat_extras' and 'patches' in parts[:-1]:
                yield (f'{path.relative_to(ROOT)}:{line}: imports the patch '
                       f'module {module}; move what it needs to a module of '
                       'logic')


def imports_of_other_features():
    """Yield a sentence for each import of another feature's module."""
    known = features()
    for path in sorted(PACKAGE.rglob('*.py')):
        home = path.relative_to(PACKAGE).parts[0]
        if home not in known:
            continue
        for line, module in imports(path):
            parts = module.split('.')
            if (parts[0] == 'heat_extras' and len(parts) > 1
                    and parts[1] in known and parts[1] != home
                    and module not in PLANNER):
                yield (f'{path.relative_to(ROOT)}:{line}: {home} imports '
                       f'{module}; move it to heat_internals/')


def imports_of_plugins():
    """Yield a sentence for each import by a plugin that is not public."""
    known = features()
    for path in sorted(PACKAGE.glob('lifecycle_plugins/**/*.py')):
        home = str(path.relative_to(ROOT))
        for line, module in imports(path):
            parts = module.split('.')
            if (parts[0] == 'heat_extras' and len(parts) > 1
                    and parts[1] in known
                    and module not in (*PUBLIC, *PLANNER)):
                yield (f'{home}:{line}: a plugin imports {module}; of '
                       'features it may import '
                       f'{", ".join((*PUBLIC, *PLANNER))}')


def aliases(tree):
    """List the names under which a file knows modules of ours."""
    return {name.asname or name.name for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and (node.module or '').partition('.')[0] in (
                PACKAGE.name, DASHBOARD.name)
            for name in node.names}


def private_names():
    """Yield a sentence for each private name of another file that is used."""
    for path in sorted([*PACKAGE.rglob('*.py'), *DASHBOARD.rglob('*.py')]):
        tree = ast.parse(path.read_text())
        known = aliases(tree)
        for node in ast.walk(tree):
            if (isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Name)
                    and node.value.id in known and node.attr[0] == '_'):
                yield (f'{path.relative_to(ROOT)}:{node.lineno}: '
                       f'{ast.unparse(node)} is private to its file; give '
                       'it a public name')


def modules():
    """Map the name of each of our modules to the names that it imports."""
    names = {'.'.join(path.relative_to(home.parent).with_suffix('').parts)
             .removesuffix('.__init__'): path
             for home in (PACKAGE, DASHBOARD) for path in home.rglob('*.py')}
    return {name: {target if target in names else target.rpartition('.')[0]
                   for _, target in imports(path)} & set(names)
            for name, path in names.items()}


def circles():
    """Yield a sentence for a circle of files that import each other."""
    try:
        graphlib.TopologicalSorter(modules()).prepare()
    except graphlib.CycleError as error:
        # Each is imported by the one that follows.
        yield ('imported in a circle: ' + ', by '.join(error.args[1])
               + '; move what two of them share to a file of its own')


def imports_against_layers():
    """Yield a sentence for each import in plan/ against its order.

    The order is in the docstring of the package.
    """
    home = PACKAGE / 'plan'
    tree = ast.parse((home / '__init__.py').read_text())
    order = [name for line in re.findall(
                 r'^    (\w.*?)(?:  .*)?$', ast.get_docstring(tree), re.M)
             for name in line.split(', ')]
    files = {path.stem for path in home.glob('*.py')} - {'__init__'}
    for name in sorted(files ^ {*order}):
        yield f'plan/{name}.py: found in only one of plan/ and its docstring'
    for rank, name in enumerate(order):
        if name not in files:
            continue
        for line, module in imports(home / f'{name}.py'):
            package, _, imported = module.rpartition('.')
            if package == 'heat_extras.plan' and imported in order[:rank]:
                yield (f'plan/{name}.py:{line}: imports {imported}, which is '
                       'above it in plan/__init__.py')


def imports_of_dashboard():
    """Yield a sentence for what the dashboard imports but of the client."""
    for path in sorted(DASHBOARD.rglob('*.py')):
        for line, module in imports(path):
            if (module.startswith(f'{PACKAGE.name}.')
                    and not module.startswith(f'{PACKAGE.name}.client.')):
                yield (f'{path.relative_to(ROOT)}:{line}: imports {module}; '
                       'where Horizon runs is heat_extras.client alone')


def forgeable_names():
    """Yield a sentence for each name of a user that is read of a context.

    As an attribute, or as a word that getattr() or a key takes.
    """
    for path in sorted(PACKAGE.rglob('*.py')):
        if path == CALLER:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if (name_read(node) in USER_NAMES
                    and ast.unparse(node) not in NO_CONTEXT):
                yield (f'{path.relative_to(ROOT)}:{node.lineno}: '
                       f'{ast.unparse(node)} can be a claim of the caller; '
                       'caller.printable_name() is what the token says')


def name_read(node):
    """Return the name of an attribute or key that is read, or None."""
    if isinstance(node, ast.Attribute):
        return node.attr
    read = None
    if isinstance(node, ast.Subscript):
        read = node.slice
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        read = node.args[1] if ast.unparse(node.func) == 'getattr' else None
    elif isinstance(node, ast.Call) and node.args:
        read = (node.args[0]
                if ast.unparse(node.func).endswith(('.get', '.pop')) else None)
    return read.value if isinstance(read, ast.Constant) else None


def wrong_sizes():
    """Yield a sentence for each file that is too long, or small unlisted."""
    listed = dict(line.split(': ', 1) for line
                  in REASONS.read_text().splitlines()
                  if not line.startswith('#'))
    small = set()
    for path in sorted(PACKAGE.rglob('*.py')):
        name = str(path.relative_to(PACKAGE))
        text = path.read_text()
        if text.count('\n') > MOST_LINES:
            yield f'{name} has more than {MOST_LINES} lines; split it'
        if (count_code.count(text) < SMALL and path.name not in USUAL
                and path.parent.name != 'patches'):
            small.add(name)
    for name in sorted(small - set(listed)):
        yield (f'{name} has fewer than {SMALL} lines of code; merge it with '
               f'another file, or add it with its reason to {REASONS.name}')
    for name in sorted(set(listed) - small):
        yield (f'{name} in {REASONS.name} does not exist, or has {SMALL} '
               'lines of code or more; remove it from the list')


def too_many_aliases():
    """Yield a sentence if too many modules are imported by another name."""
    counts = collections.Counter(
        f'{name.name} as {name.asname}' for path in PACKAGE.rglob('*.py')
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and (node.module or '').startswith(PACKAGE.name)
        for name in node.names if name.asname)
    if counts.total() > MOST_ALIASES:
        yield (f'{counts.total()} modules of ours are imported under another '
               f'name, at most {MOST_ALIASES} are allowed; rename files: '
               + ', '.join(f'{name} ({times})'
                           for name, times in counts.most_common()))


def main():
    """Print what is out of place; return 1 if anything is."""
    problems = [sentence for check in (
        imports_of_dashboard, circles, imports_against_layers,
        misnamed_patch_modules, long_patches, repeated_patches,
        imported_patch_modules, imports_of_other_features, imports_of_plugins,
        private_names, forgeable_names, wrong_sizes, too_many_aliases,
        undeclared_attributes, too_many_ways)
        for sentence in check()]
    for sentence in problems:
        print(sentence)
    print(', '.join(f'{count} {what}' for what, count, _ in figures()))
    if not problems:
        print('Patch modules delegate, and features do not import others.')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
