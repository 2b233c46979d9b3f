# SPDX-License-Identifier: Apache-2.0

"""Checks of the paste file of the installed Heat, and of other files."""

import pathlib
import sys

import testtools

from heat_extras import paste_ini

HEAT = pathlib.Path(sys.prefix, 'etc', 'heat', 'api-paste.ini')
OWN = pathlib.Path(__file__).parents[2] / 'etc/heat/heat-extras-paste.ini'

# A pipeline over several lines, as distributions have written it.
PIPELINES = """\
[pipeline:heat-api]
pipeline = request_id faultwrap
           authtoken context
           apiv1app

[app:apiv1app]
paste.app_factory = heat.common.wsgi:app_factory
"""


class HeatPasteFileTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.text = HEAT.read_text()

    def test_default_file_is_not_guarded(self):
        state = paste_ini.inspect(self.text)
        self.assertFalse(state.is_complete)
        self.assertEqual((), state.guarded)
        self.assertIn('composite:api.default', state.unguarded)
        self.assertIn('composite:api-cfn.default', state.unguarded)

    def test_only_flavor_in_use_is_checked(self):
        changed = self.text.replace('osprofiler api',
                                    'osprofiler heat_extras api')
        changed += '\n[filter:heat_extras]\nuse = egg:heat-extras#heat_extras'
        self.assertFalse(paste_ini.inspect(changed).is_complete)
        self.assertTrue(paste_ini.inspect(changed, 'default').is_complete)
        self.assertFalse(
            paste_ini.inspect(changed, 'standalone').is_complete)
        self.assertFalse(paste_ini.inspect(changed, 'noauth').is_complete)


class OtherFilesTest(testtools.TestCase):

    def guarded(self, text, was='apiv1app\n\n'):
        """Add the filter to the pipelines of a paste file."""
        return ('[filter:guards]\nuse = egg:heat-extras#heat_extras\n'
                + text.replace(was, 'guards ' + was))

    def test_multiline_pipeline_is_recognized(self):
        self.assertFalse(paste_ini.inspect(PIPELINES).is_complete)
        self.assertTrue(
            paste_ini.inspect(self.guarded(PIPELINES)).is_complete)

    def test_crlf_and_missing_final_newline_are_accepted(self):
        text = self.guarded('[pipeline:heat-api]\npipeline = a b', 'b')
        for content in (text, text.replace('\n', '\r\n')):
            self.assertTrue(paste_ini.inspect(content).is_complete)

    def test_unguarded_pipeline_is_reported(self):
        more = self.guarded(PIPELINES) + (
            '[pipeline:heat-api-cfn]\npipeline = a apicfn\n')
        state = paste_ini.inspect(more)
        self.assertEqual(('pipeline:heat-api-cfn',), state.unguarded)
        self.assertFalse(state.is_complete)

    def test_commented_filter_is_ignored(self):
        text = self.guarded(PIPELINES).replace('use = ', '# use = ')
        self.assertFalse(paste_ini.inspect(text).is_complete)

    def test_filter_without_section_is_ignored(self):
        text = '[pipeline:heat-api]\npipeline = a heat_extras app\n'
        self.assertFalse(paste_ini.inspect(text).is_complete)

    def test_defaults_are_not_pipelines(self):
        text = '[DEFAULT]\npipeline = a\nx = b\n' + self.guarded(PIPELINES)
        self.assertEqual(('pipeline:heat-api',),
                         paste_ini.inspect(text).guarded)

    def test_heat_extras_file_wraps_heat_file(self):
        state = paste_ini.inspect(OWN.read_text())
        self.assertTrue(state.wraps)
        self.assertTrue(state.is_complete)
        self.assertEqual((None,), state.around)

    def test_heat_paste_config_is_read(self):
        text = OWN.read_text().replace('app = heat-api\n', (
            'app = heat-api\nheat_paste_config = /etc/heat/a.ini\n'))
        self.assertEqual(('/etc/heat/a.ini', None),
                         paste_ini.inspect(text).around)

    def test_file_without_pipelines_is_not_complete(self):
        self.assertFalse(paste_ini.inspect('[app:x]\n').is_complete)

    def test_unreadable_file_is_rejected(self):
        for text, wanted in (('', 'no section'), ('# x\n', 'no section'),
                             ('x = 1\n', 'no section header'),
                             ('[a]\n[a]\n', 'already exists'),
                             ('[a]\nx\n', 'parsing errors')):
            error = self.assertRaises(paste_ini.Unreadable,
                                      paste_ini.inspect, text)
            self.assertIn(wanted, str(error))
