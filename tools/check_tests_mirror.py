# SPDX-License-Identifier: Apache-2.0

"""Check that every unit test stands where the code it tests stands.

``tests/unit/a/test_b.py`` tests ``heat_extras/a/b.py`` or the package
``heat_extras/a/b``; ``tests/unit/a/test_b_more.py`` is a further part of the
tests of ``b``. The same goes for ``dashboard``.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Each folder of tests, with the package that it repeats.
MIRRORS = {
    ROOT / 'tests' / 'unit': ROOT / 'heat_extras',
    ROOT / 'dashboard' / 'tests' / 'unit': (
        ROOT / 'dashboard' / 'heat_extras_dashboard')}

# Tests of the distribution as a whole.
WITHOUT_MODULE = ('test_constraints.py', 'test_count_code.py',
                  'test_dashboard.py', 'test_documentation.py',
                  'test_documentation_names.py', 'test_openapi.py',
                  'test_requirements.py', 'test_process_faults.py',
                  'test_heat_unchanged.py', 'test_wheel.py')


def folder_of(test):
    """Return the folder in which the module has to be that is tested."""
    tests = next(each for each in MIRRORS if each in test.parents)
    return MIRRORS[tests] / test.parent.relative_to(tests)


def has_subject(test):
    """Return whether *test*, a path, has a module or package to test."""
    folder = folder_of(test)
    words = test.stem.removeprefix('test_').split('_')
    names = ['_'.join(words[:count]) for count in range(1, len(words) + 1)]
    return any((folder / name).is_dir() or (folder / (name + '.py')).is_file()
               for name in names)


def misplaced():
    """List the tests, and the folders with tests, that mirror nothing."""
    for path in unit_tests():
        if path.name in WITHOUT_MODULE and path.parent in MIRRORS:
            continue
        if not has_subject(path):
            yield path


def unit_tests():
    """List all unit tests."""
    return sorted(path for tests in MIRRORS
                  for path in tests.rglob('test_*.py'))


def main():
    """Name what is out of place and fail, or say that nothing is."""
    wrong = list(misplaced())
    for path in wrong:
        wanted = folder_of(path)
        print('%s: found no such module under %s. Move the test to where its '
              'module is, or rename it.'
              % (path.relative_to(ROOT), wanted.relative_to(ROOT)))
    if wrong:
        return 1
    print('Unit tests mirror the packages path for path: %d files.'
          % len(unit_tests()))
    return 0


if __name__ == '__main__':
    sys.exit(main())
