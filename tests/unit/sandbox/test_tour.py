# SPDX-License-Identifier: Apache-2.0

import os
import pathlib

import testtools
import yaml

from heat_extras.sandbox import demo
from heat_extras.sandbox import tour


PAGES = pathlib.Path(__file__).parents[3] / 'doc' / 'source'


class StepTest(testtools.TestCase):

    def _fault(self, status, text, **expectations):
        return tour.Step('story', ('stack', 'list'),
                         **expectations).fault(status, text)

    def test_wanted_answer_has_no_fault(self):
        self.assertIsNone(self._fault(0, 'Web is LOCKED', says=('locked',)))

    def test_failure_is_a_fault(self):
        self.assertIn('status 2', self._fault(2, ''))

    def test_success_is_a_fault_where_a_refusal_is_wanted(self):
        self.assertIn('refusal', self._fault(0, '', succeeds=False))

    def test_missing_word_is_a_fault(self):
        self.assertIn("'locked'", self._fault(0, 'web', says=('locked',)))

    def test_forbidden_word_is_a_fault(self):
        self.assertIn("'web'", self._fault(0, 'web', never_says=('web',)))


class TourTest(testtools.TestCase):

    def test_tour_shows_refusals(self):
        self.assertTrue(any(not step.succeeds for chapter in tour.CHAPTERS
                            for step in chapter.steps))

    def test_each_chapter_takes_its_stack_away(self):
        for chapter in tour.CHAPTERS:
            made, gone = (
                {step.command[-1] if verb == 'delete' else
                 step.command[3].removesuffix('.yaml')
                 for step in chapter.steps if step.command[:2] == (
                     'stack', verb)} for verb in ('create', 'delete'))
            self.assertEqual(made, gone, chapter.name)

    def test_what_it_names_is_there(self):
        for chapter in tour.CHAPTERS:
            for step in chapter.steps:
                for word in step.command:
                    if word.endswith('.yaml'):
                        with open(os.path.join(demo.TEMPLATES,
                                               word)) as source:
                            self.assertIn('resources', yaml.safe_load(source))
            self.assertTrue((PAGES / f'{chapter.page}.rst').is_file())
