# SPDX-License-Identifier: Apache-2.0

import json
from unittest import mock

import testtools

from heat_extras.plugins import declared

# None of them is a template. Heat's own reader ends the process at the first
# ones, and raises more than ValueError at the others.
DEEP = ('hidden: ' + '[' * 50_000, '- ' * 50_000 + 'hidden',
        '{hidden: ' * 50_000, '[' * 50_000 + '"hidden"')
STRANGE = ('hidden: !!int ""', 'hidden: !!bool x', 'hidden: [',
           'hidden: \x00', 'hidden: \ud800', 'hidden\n---\na', '#!hidden',
           '"hidden"', '? [hidden]\n: a', 'hidden: ' + '9' * 5000,
           '{"hidden": ' + '9' * 5000 + '}', 'hidden: *a',
           'parameters: {a: hidden}', 'parameters: [hidden]',
           'parameters: &a [hidden, *a]', '<<: &a {<<: *a, hidden: 1}')


def bomb(way):
    """Return a text of which each line refers to the last ten times."""
    lines = ['a0: &a0 {x: hidden}']
    for number in range(1, 30):
        refers = ', '.join([f'*a{number - 1}'] * 10)
        lines.append(f'a{number}: &a{number} ' + way % refers)
    return '\n'.join(lines)


class DeclaredTest(testtools.TestCase):

    def names(self, text):
        return set(declared.names(text))

    def test_parameters_that_are_hidden(self):
        for text in (
                'parameters: {a: {hidden: true}, b: {type: string}}',
                'parameters:\n  a:\n    hidden: "yes"\n  b: {hidden: no}',
                json.dumps({'parameters': {'a': {'hidden': True},
                                           'b': {'hidden': False}}}),
                '{\t"Parameters": {"a": {"NoEcho": "true"},'
                '"b": {"NoEcho": "false"}}}',
                'x: &x {hidden: true}\nparameters: {a: *x, b: {}}',
                'x: &x {a: {hidden: true}}\nparameters: {<<: [*x], b: {}}',
                'x: &x {hidden: true}\n'
                'parameters: {a: {<<: *x}, b: {<<: *x, hidden: false}}',
                'x: &x {parameters: {a: {hidden: true}}}\n<<: *x',
                'parameters: {a: {hidden: [what]}, b: {}}'):
            self.assertEqual({'a'}, self.names(text), text)

    def test_texts_that_are_no_templates(self):
        for text in (*DEEP, *STRANGE, None, b'hidden', 'parameters: {a: {}}'):
            self.assertEqual(set(), self.names(text), str(text)[:40])

    def test_texts_that_grow_when_they_are_read(self):
        for way in ('[%s]', '{<<: [%s]}'):
            text = bomb(way) + ('\nparameters: {<<: *a29, '
                                'b: {hidden: *a29}, c: {<<: *a29}}')
            self.assertLessEqual({'b', 'c'}, self.names(text))

    def test_a_schema_that_many_refer_to(self):
        keys = ', '.join(f'k{number}: 1' for number in range(20_000))
        many = ', '.join(f'p{number}: *x' for number in range(20_000))
        text = f'x: &x {{hidden: true, {keys}}}\nparameters: {{{many}}}'
        self.assertEqual(20_000, len(self.names(text)))

    def test_a_file_is_read_once(self):
        text = 'parameters: {once: {hidden: true}}'
        with mock.patch.object(declared, '_read',
                               side_effect=declared._read) as read:
            for _number in range(3):
                self.assertEqual({'once'}, self.names(text))
        self.assertEqual(1, read.call_count)

    def test_no_more_are_remembered_than_there_is_room_for(self):
        with mock.patch.object(declared, '_MOST', 2):
            for number in range(9):
                self.assertEqual({'a'}, self.names(
                    f'parameters: {{a: {{hidden: true}}}} # {number}'))
                self.assertLessEqual(len(declared._known), 2)
