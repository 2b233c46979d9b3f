# SPDX-License-Identifier: Apache-2.0

import pathlib
import shutil

from heat_extras.cmd import manage
from tests.unit.cmd import base
from tests.unit import test_paste_ini


class PasteTest(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(self.home.join('api-paste.ini'))
        shutil.copy(test_paste_ini.HEAT, self.path)
        self.before = self.path.read_bytes()
        self.more = f'[paste_deploy]\napi_paste_config = {self.path}\n'

    def paste(self, *words):
        return self.run_command('paste', *words, more=self.more)

    def test_paste_fails_and_names_pipelines_without_filter(self):
        message = self.fail_command('paste', more=self.more)
        for wanted in ('composite:api.default', str(self.path),
                       'api_paste_config', 'heat-extras-paste.ini'):
            self.assertIn(wanted, message)

    def test_filter_in_paste_file_of_heat_is_found(self):
        self.path.write_text(
            '[filter:guards]\nuse = egg:heat-extras#heat_extras\n'
            '[pipeline:heat-api]\npipeline = a guards app\n')
        self.assertIn('has the filter of heat-extras in these pipelines: '
                      'pipeline:heat-api',
                      self.paste())

    def test_paste_needs_no_database(self):
        path = self.write_config(None, self.more)
        self.run_main('--config-file', path, 'paste', '--file',
                      str(test_paste_ini.OWN))

    def test_paste_file_of_heat_extras_needs_no_filter(self):
        self.assertIn("runs the applications of Heat's own paste file",
                      self.run_command('paste', '--file',
                                       str(test_paste_ini.OWN)))

    def test_missing_paste_file_is_reported(self):
        self.path.unlink()
        self.assertIn('--file', self.fail_command(
            'paste', more='[paste_deploy]\napi_paste_config = nowhere.ini\n'))
        self.assertIn(str(self.path), self.fail_command(
            'paste', '--file', str(self.path)))

    def test_invalid_paste_file_is_reported(self):
        for content, wanted in (
                (b'[app:main]\n# caf\xe9\n', 'byte 0xe9 in position 16'),
                (b'\xef\xbb\xbf' + self.before, 'no section headers'),
                (self.before.decode().encode('utf-16'),
                 'byte 0xff in position 0'),
                (b'', 'no section'), (b'\n', 'no section'),
                (b'# only words\n', 'no section'),
                (b'[a]\nword\n', 'parsing errors')):
            self.path.write_bytes(content)
            message = self.fail_command('paste', more=self.more)
            self.assertIn(wanted, message)
            self.assertIn(str(self.path), message)

    def test_directory_as_paste_file_is_reported(self):
        self.assertIn(self.home.path, self.fail_command(
            'paste', '--file', self.home.path))
