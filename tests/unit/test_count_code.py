# SPDX-License-Identifier: Apache-2.0

import contextlib
import importlib.util
import io
import pathlib

import fixtures
import testtools

ROOT = pathlib.Path(__file__).parents[2]


def _load():
    spec = importlib.util.spec_from_file_location(
        'count_code', ROOT / 'tools' / 'count_code.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


count_code = _load()

SOURCE = '''\
# A comment.

"""A docstring
of two lines."""

import os  # code with a comment

TEXT = """text,
which is no docstring"""


def function():
    """A docstring."""

    # A comment.
    return (os,
            TEXT)
'''


class CountCodeTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.root = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.write('__init__.py', '')
        self.write('a/one.py', 'from heat_extras.a import two\n')
        self.write('a/two.py', SOURCE)

    def write(self, name, text):
        path = self.root / 'heat_extras' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_main(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = count_code.main(arguments, self.root)
        return status, out.getvalue()

    def test_comments_blank_lines_and_docstrings_are_not_counted(self):
        self.assertEqual(6, count_code.count(SOURCE))

    def test_each_package_and_total_are_counted(self):
        self.assertEqual(
            {'heat_extras': (1, 0), 'heat_extras.a': (2, 7)},
            count_code.by_package(self.root))
        status, text = self.run_main()
        self.assertEqual((0, ['all', '3', '7']),
                         (status, text.splitlines()[-1].split()))

    def test_only_check_fails_above_limits(self):
        self.assertEqual(0, self.run_main('--check')[0])
        for limit in 'MOST_LINES', 'MOST_FILES':
            with fixtures.MockPatchObject(count_code, limit, 2):
                self.assertEqual(0, self.run_main()[0])
                status, text = self.run_main('--check')
                self.assertEqual(1, status)
                self.assertIn('Too much: at most', text)

    def test_rarely_imported_files_are_listed(self):
        self.assertEqual([('heat_extras/a/one.py', 0),
                          ('heat_extras/a/two.py', 1)],
                         count_code.rarely_imported(self.root))
        self.write('b.py', 'from heat_extras.a.two import TEXT\n')
        self.write('c.py', '')
        self.write('a/patches/engine_service.py',
                   'from heat_extras import c\n')
        (self.root / 'setup.cfg').write_text(
            'console_scripts =\n  a = heat_extras.a.one:main\n'
            '  b = heat_extras.b:main\n')
        self.assertEqual((0, ''), self.run_main('--rarely-imported'))
