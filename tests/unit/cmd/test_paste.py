# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import shutil

from heat_extras.cmd import manage
from tests.unit.cmd import base
from tests.unit import test_paste_file


class PasteTest(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(self.home.join('api-paste.ini'))
        shutil.copy(test_paste_file.HEAT, self.path)
        self.before = self.path.read_bytes()
        self.more = f'[paste_deploy]\napi_paste_config = {self.path}\n'

    def paste(self, *words):
        return self.run_command('paste', *words, more=self.more)

    def test_check_fails_and_names_the_pipelines(self):
        for words in ((), ('--check',)):
            message = self.fail_command('paste', *words, more=self.more)
            self.assertIn('composite:api.default', message)
            self.assertIn(str(self.path), message)
            self.assertIn('paste --write', message)
        self.assertEqual(self.before, self.path.read_bytes())

    def test_write_check_and_remove(self):
        self.assertIn('Restart Heat', self.paste('--write'))
        self.assertIn('has the filter in composite:api.default',
                      self.paste('--check'))
        self.assertIn('nothing was changed', self.paste('--write'))
        self.assertIn('Restart Heat', self.paste('--remove'))
        self.assertEqual(self.before, self.path.read_bytes())
        self.assertIn('nothing was changed', self.paste('--remove'))

    def test_mode_is_kept_and_nothing_is_left_beside(self):
        self.path.chmod(0o640)
        beside = set(os.listdir(self.home.path))
        self.paste('--write')
        self.assertEqual(0o640, self.path.stat().st_mode & 0o777)
        self.assertEqual(beside | {'heat.conf'},
                         set(os.listdir(self.home.path)))

    def test_link_stays_a_link(self):
        link = pathlib.Path(self.home.join('link.ini'))
        link.symlink_to(self.path)
        self.run_command('paste', '--write', '--file', str(link))
        self.assertTrue(link.is_symlink())
        self.assertNotEqual(self.before, self.path.read_bytes())

    def test_needs_no_database(self):
        path = self.write_config(None, self.more)
        self.run_main('--config-file', path, 'paste', '--write')
        self.assertNotEqual(self.before, self.path.read_bytes())

    def test_our_own_file_needs_no_filter(self):
        self.assertIn('wraps', self.run_command(
            'paste', '--file', str(test_paste_file.OWN)))

    def test_file_of_another_service_is_left_alone(self):
        self.path.write_text('[app:main]\nuse = egg:other\n')
        message = self.fail_command('paste', '--write', more=self.more)
        self.assertIn('no pipeline of Heat', message)
        self.assertEqual('[app:main]\nuse = egg:other\n',
                         self.path.read_text())

    def test_filter_put_in_by_hand_is_left_to_that_hand(self):
        text = ('[filter:guards]\nuse = egg:heat-extras#heat_extras\n'
                '[pipeline:heat-api]\npipeline = a guards app\n')
        self.path.write_text(text)
        self.assertIn('by hand', self.fail_command(
            'paste', '--remove', more=self.more))
        self.assertEqual(text, self.path.read_text())

    def test_missing_file(self):
        self.path.unlink()
        self.assertIn('--file', self.fail_command(
            'paste', more='[paste_deploy]\napi_paste_config = nowhere.ini\n'))
        self.assertIn(str(self.path), self.fail_command(
            'paste', '--file', str(self.path)))

    def test_file_that_heat_could_not_read_is_left_alone(self):
        for content, wanted in (
                (b'[app:main]\n# caf\xe9\n', '0xe9 in line 2'),
                (b'\xef\xbb\xbf' + self.before, 'byte order mark'),
                (self.before.decode().encode('utf-16'), '0xff in line 1'),
                (b'', 'no section'), (b'\n', 'no section'),
                (b'# only words\n', 'no section')):
            self.path.write_bytes(content)
            beside = set(os.listdir(self.home.path)) | {'heat.conf'}
            for option in ('--check', '--write', '--remove'):
                message = self.fail_command('paste', option, more=self.more)
                self.assertIn(wanted, message)
                self.assertIn(str(self.path), message)
            self.assertEqual(content, self.path.read_bytes())
            self.assertEqual(beside, set(os.listdir(self.home.path)))

    def test_directory(self):
        for option in ('--check', '--write', '--remove'):
            self.assertIn(self.home.path, self.fail_command(
                'paste', option, '--file', self.home.path))

    def test_line_ends_are_kept(self):
        for content in (self.before.replace(b'\n', b'\r\n'),
                        self.before.rstrip(b'\n')):
            self.path.write_bytes(content)
            self.paste('--write')
            written = self.path.read_bytes()
            self.assertEqual(
                written.count(b'\n') if b'\r\n' in content else 0,
                written.count(b'\r\n'))
            self.assertIn('has the filter', self.paste('--check'))
            self.paste('--remove')
            self.assertEqual(content, self.path.read_bytes())

    def test_last_line_without_an_end(self):
        content = b'[pipeline:heat-api]\npipeline = faultwrap app'
        self.path.write_bytes(content)
        self.paste('--write')
        self.assertTrue(self.path.read_bytes().endswith(b'heat_extras app'))
        self.paste('--remove')
        self.assertEqual(content, self.path.read_bytes())
