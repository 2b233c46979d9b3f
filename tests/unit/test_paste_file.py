# SPDX-License-Identifier: Apache-2.0

"""On the paste file of the installed Heat, and on other people's."""

import pathlib
import sys

import fixtures
from paste.deploy import loadwsgi
import testtools

from heat_extras import paste_file

HEAT = pathlib.Path(sys.prefix, 'etc', 'heat', 'api-paste.ini')
OWN = pathlib.Path(__file__).parents[2] / 'etc/heat/heat-extras-paste.ini'

# As distributions have written it, over several lines.
PIPELINES = """\
[pipeline:heat-api]
pipeline = request_id faultwrap
           authtoken context
           apiv1app

[app:apiv1app]
paste.app_factory = heat.common.wsgi:app_factory
"""


class HeatsOwnFileTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.text = HEAT.read_text()

    def test_is_not_guarded_as_it_comes(self):
        state = paste_file.inspect(self.text)
        self.assertFalse(state.is_complete)
        self.assertEqual((), state.guarded)
        self.assertIn('composite:api.default', state.unguarded)
        self.assertIn('composite:api-cfn.default', state.unguarded)

    def test_every_flavor_gets_the_filter_before_its_application(self):
        changed = paste_file.add(self.text)
        state = paste_file.inspect(changed)
        self.assertTrue(state.is_complete)
        self.assertEqual(
            paste_file.inspect(self.text).unguarded, state.guarded)
        self.assertEqual(6, changed.count(' heat_extras api'))

    def test_paste_finds_the_filter(self):
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).join('p'))
        path.write_text(paste_file.add(self.text))
        loader = loadwsgi.ConfigLoader(str(path))
        found = loader.get_context(loadwsgi.FILTER, 'heat_extras')
        self.assertEqual('heat_extras.paste', found.object.__module__)

    def test_twice_is_the_same_as_once(self):
        changed = paste_file.add(self.text)
        self.assertEqual(changed, paste_file.add(changed))

    def test_what_was_put_in_is_taken_out_to_the_last_byte(self):
        self.assertEqual(self.text,
                         paste_file.remove(paste_file.add(self.text)))

    def test_nothing_is_taken_out_of_it_as_it_comes(self):
        self.assertEqual(self.text, paste_file.remove(self.text))

    def test_only_the_flavor_in_use_matters(self):
        changed = self.text.replace('osprofiler api',
                                    'osprofiler heat_extras api')
        changed += '\n[filter:heat_extras]\nuse = egg:heat-extras#heat_extras'
        self.assertFalse(paste_file.inspect(changed).is_complete)
        self.assertTrue(paste_file.inspect(changed, 'default').is_complete)
        self.assertFalse(
            paste_file.inspect(changed, 'standalone').is_complete)
        self.assertFalse(paste_file.inspect(changed, 'noauth').is_complete)


class OtherFilesTest(testtools.TestCase):

    def check_there_and_back(self, text):
        changed = paste_file.add(text)
        self.assertTrue(paste_file.inspect(changed).is_complete, changed)
        self.assertEqual(text, paste_file.remove(changed))
        return changed

    def test_pipeline_over_several_lines(self):
        changed = self.check_there_and_back(PIPELINES)
        self.assertIn('context\n           heat_extras apiv1app\n', changed)

    def test_file_without_a_last_newline(self):
        self.check_there_and_back(PIPELINES.rstrip('\n'))

    def test_pipeline_at_the_end_of_the_file(self):
        self.check_there_and_back('[pipeline:heat-api]\npipeline = a b')

    def test_comments_with_the_word_stay(self):
        text = '# heat_extras is not here\n' + PIPELINES
        self.check_there_and_back(text)

    def test_half_of_the_pipelines(self):
        changed = paste_file.add(PIPELINES)
        more = changed + '[pipeline:heat-api-cfn]\npipeline = a apicfn\n'
        self.assertEqual(('pipeline:heat-api-cfn',),
                         paste_file.inspect(more).unguarded)
        self.assertFalse(paste_file.inspect(more).is_complete)
        self.assertTrue(
            paste_file.inspect(paste_file.add(more)).is_complete)

    def test_filter_put_in_by_hand_counts(self):
        text = ('[filter:guards]\nuse = egg:heat-extras#heat_extras\n'
                '[pipeline:heat-api]\npipeline = a guards app\n')
        self.assertTrue(paste_file.inspect(text).is_complete)
        self.assertEqual(text, paste_file.add(text))
        self.assertEqual(text, paste_file.remove(text))

    def test_name_of_the_filter_without_its_section_counts_not(self):
        text = '[pipeline:heat-api]\npipeline = a heat_extras app\n'
        self.assertFalse(paste_file.inspect(text).is_complete)

    def test_our_own_file_wraps_heats(self):
        text = OWN.read_text()
        state = paste_file.inspect(text)
        self.assertTrue(state.wraps)
        self.assertTrue(state.is_complete)
        self.assertEqual(text, paste_file.add(text))

    def test_file_without_pipelines_is_not_complete(self):
        self.assertFalse(paste_file.inspect('[app:x]\n').is_complete)
        self.assertEqual('[app:x]\n', paste_file.add('[app:x]\n'))
