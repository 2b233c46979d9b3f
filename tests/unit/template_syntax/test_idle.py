# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.engine import template as heat_template
import testtools

from heat_extras.db import guarded
from heat_extras.template_syntax import idle

PLAIN = {'heat_template_version': '2018-08-31'}
STAYS = PLAIN | {'parameters': {'key': {'updatable': False}, 'other': {}}}
IMMUTABLE = PLAIN | {'parameters': {'key': {'immutable': True}}}
ALLOWS = PLAIN | {'resources': {'db': {'update_policy': {'allow': {}}}}}
CFN = {'HeatTemplateFormatVersion': '2012-12-12',
       'parameters': {'key': {'updatable': False}}}


class Stack:
    IN_PROGRESS = 'IN_PROGRESS'

    def __init__(self, document=PLAIN, **values):
        self.t = heat_template.Template(document)
        self.id, self.owner_id, self.events = '1', None, []
        self.action, self.status = 'UPDATE', 'IN_PROGRESS'
        self.__dict__.update(values)

    def _add_event(self, *event):
        self.events.append(event)


class IdleTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.written = []
        self.useFixture(fixtures.MockPatchObject(
            idle, '_write', lambda *args: self.written.append(args[:2])))
        self.turn_on()

    def turn_on(self, *names):
        self.useFixture(fixtures.MockPatchObject(
            idle.activation, 'wanted', return_value=list(names)))


class TellTest(IdleTestCase):

    def told(self, **values):
        stack = Stack(STAYS, **values)
        idle.remember(stack, (), stack, ['db'])
        idle.remember(stack, ('nested',), Stack(STAYS), [])
        idle.tell(stack)
        first = list(stack.events)
        idle.tell(stack)
        self.assertEqual(first, stack.events)
        return [reason for _, _, reason in first]

    def test_what_all_its_templates_say(self):
        said, = self.told()
        self.assertIn('parameter key, nested/key', said)
        self.assertIn('resource db', said)

    def test_only_what_is_off(self):
        self.turn_on('parameters')
        said, = self.told()
        self.assertNotIn('key', said)
        self.turn_on('parameters', 'update_policy')
        self.assertEqual([], self.told())

    def test_a_name_that_no_column_takes_is_escaped(self):
        stack = Stack(PLAIN | {'parameters': {'n\0l': {'updatable': False}}})
        idle.remember(stack, (), stack, [])
        idle.tell(stack)
        (_, _, said), = stack.events
        self.assertIn(r'parameter n\x00l', said)

    def test_once_and_where_the_author_looks(self):
        self.assertEqual([], self.told(owner_id='2'))
        self.assertEqual([], self.told(status='FAILED'))
        self.assertEqual([], self.told(action='SUSPEND'))


class NoteTest(IdleTestCase):

    def replace(self, old, new, action='UPDATE'):
        del self.written[:]
        with idle.replaced(Stack(old), heat_template.Template(new), action,
                           None):
            before = list(self.written)
        return [write for write, _ in before], [
            write for write, _ in self.written[len(before):]]

    def test_a_policy_is_noted_before_its_template_is_stored(self):
        self.assertEqual(([guarded.mark], []), self.replace(PLAIN, ALLOWS))
        self.assertEqual(([], []), self.replace(ALLOWS, PLAIN))

    def test_parameters_are_noted_after(self):
        for old, new in ((PLAIN, STAYS), (STAYS, PLAIN), (IMMUTABLE, PLAIN)):
            self.assertEqual(([], [guarded.write_updatable]),
                             self.replace(old, new))

    def test_stacks_without_our_words_cost_nothing(self):
        self.assertEqual(([], []), self.replace(PLAIN, PLAIN))
        self.assertEqual(([], []), self.replace(CFN, CFN))
        self.assertEqual(([], []), self.replace(STAYS, ALLOWS, 'SUSPEND'))

    def test_features_that_are_on_note_for_themselves(self):
        self.turn_on('parameters', 'update_policy')
        self.assertEqual(([], []), self.replace(STAYS, ALLOWS))

    def test_a_failed_update_is_noted_as_far_as_it_came(self):
        with testtools.ExpectedException(ValueError):
            with idle.replaced(Stack(STAYS), heat_template.Template(PLAIN),
                               'UPDATE', None):
                raise ValueError
        self.assertEqual([(guarded.write_updatable, '1')], self.written)

    def test_new_stacks(self):
        idle.note_new(Stack(STAYS | ALLOWS))
        self.assertEqual([(guarded.mark, '1'),
                          (guarded.write_updatable, '1')], self.written)

    def test_what_is_written_of_parameters(self):
        self.assertEqual({'key': False}, idle._flags(STAYS))
        self.assertEqual({'key': False}, idle._flags(IMMUTABLE))
        for document in (PLAIN, CFN, None, PLAIN | {'parameters': []},
                         PLAIN | {'parameters': {'key': None}}):
            self.assertIsNone(idle._flags(document))
