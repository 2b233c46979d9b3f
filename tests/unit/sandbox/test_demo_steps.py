# SPDX-License-Identifier: Apache-2.0

import os
import pathlib

import testtools
import yaml

from heat_extras import features
from heat_extras.sandbox import demo
from heat_extras.sandbox import demo_steps


# Chapters whose names differ from the name of the feature.
_FEATURES = {'lock': 'stack_lock', 'protect': 'stack_lock',
             'policy': 'update_policy'}
PAGES = pathlib.Path(__file__).parents[3] / 'doc' / 'source'


class StepTest(testtools.TestCase):

    def _fault(self, status, text, **expectations):
        return demo_steps.Step(
            'story', ('stack', 'list'), **expectations).fault(status, text)

    def test_output_as_expected_has_no_fault(self):
        for text, says in (('Web is LOCKED', 'locked'),
                           ('| a | which its   |\n'
                            '|   | policy says |', 'its policy')):
            self.assertIsNone(self._fault(0, text, says=(says,)))

    def test_other_output_or_status_is_a_fault(self):
        for status, text, expectations, wanted in (
                (2, '', {}, 'status 2'),
                (0, '', {'succeeds': False}, 'expected an error'),
                (0, 'web', {'says': ('locked',)}, "'locked'"),
                (0, 'web', {'never_says': ('web',)}, "'web'")):
            self.assertIn(wanted, self._fault(status, text, **expectations))


class ChaptersTest(testtools.TestCase):

    def test_demo_has_steps_that_are_rejected(self):
        self.assertTrue(any(
            not step.succeeds for chapter in demo_steps.CHAPTERS
            for step in chapter.steps))

    def test_steps_use_only_created_stacks(self):
        for chapters in (demo_steps.CHAPTERS,
                         *([each] for each in demo_steps.CHAPTERS)):
            # A plan has the name of its stack.
            there, plans = set(), {'shop.plan'}
            for _chapter, steps in demo_steps.with_stacks(chapters):
                for step in steps:
                    if step.project:
                        continue
                    if step.command[1] == 'create':
                        self.assertNotIn(step.command[4], there)
                        there.add(step.command[4])
                    self.assertTrue(
                        (there | plans).intersection(step.command), step)

    def test_no_stack_is_deleted(self):
        for _chapter, steps in demo_steps.with_stacks(demo_steps.CHAPTERS):
            for step in steps:
                self.assertFalse(step.succeeds and 'delete' in step.command)

    def test_each_feature_has_a_chapter(self):
        self.assertEqual(
            set(features.FEATURES),
            {_FEATURES.get(name, name) for name in demo_steps.NAMES})

    def test_each_chapter_describes_heat_without_heat_extras(self):
        for chapter in demo_steps.CHAPTERS:
            self.assertTrue(chapter.alone.endswith('.'), chapter.name)

    def test_each_chapter_has_look_at_sentence(self):
        for chapter in demo_steps.CHAPTERS:
            self.assertIn('Look at ', ' '.join(
                step.story for step in chapter.steps), chapter.name)

    def test_templates_and_pages_of_chapters_exist(self):
        for chapter, steps in demo_steps.with_stacks(demo_steps.CHAPTERS):
            for step in steps:
                for word in step.command:
                    if word.endswith('.yaml'):
                        with open(os.path.join(demo.TEMPLATES,
                                               word)) as source:
                            self.assertIn('resources', yaml.safe_load(source))
            self.assertTrue((PAGES / f'{chapter.page}.rst').is_file())
