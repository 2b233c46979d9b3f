# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.plugins import hidden


class NamesTest(testtools.TestCase):

    def test_hidden_parameters_of_either_format(self):
        self.assertEqual({'a', 'b', 'f'}, hidden.names({'parameters': {
            'a': {'hidden': True}, 'b': {'hidden': 'yes'},
            'c': {'hidden': False}, 'd': {'hidden': 'False'}, 'e': None,
            'f': {'hidden': {'get_param': 'a'}}}}))
        self.assertEqual({'a'}, hidden.names({'Parameters': {
            'a': {'NoEcho': 'true'}, 'b': {'NoEcho': 'false'}, 'c': {}}}))

    def test_what_is_no_template_has_none(self):
        for document in (None, [], 'x', {'parameters': ['a']}, {}):
            self.assertEqual(set(), hidden.names(document))

    def test_all_that_is_said_of_them_is_left_out(self):
        document = {'parameters': {
            'a': {'type': 'string', 'default': 'x', 'description': 'x',
                  'constraints': [{'allowed_values': ['x', 'y']}]},
            'b': {'type': 'string', 'default': 'z'}}, 'outputs': {}}
        found = hidden.bare(document, {'a', 'absent'})
        self.assertEqual({'type': 'string', 'hidden': True},
                         found['parameters']['a'])
        self.assertEqual(document['parameters']['b'],
                         found['parameters']['b'])
        self.assertIn('default', document['parameters']['a'])


class MergedTest(testtools.TestCase):

    def test_only_what_is_known_is_told(self):
        self.assertEqual(
            {'a': 'x', 'b': ['y', '******'], 'c': '******', 'd': '******'},
            hidden.merged(
                {'a': 'x', 'b': ['y', 'secret'], 'c': 5, 'd': [1]},
                [{'a': 'x', 'b': ['y', 'z'], 'c': 6, 'd': [1, 2]}]))

    def test_it_is_enough_that_one_says_so(self):
        self.assertEqual({'a': 1, 'b': 2, 'c': '******'}, hidden.merged(
            {'a': 1, 'b': 2, 'c': 3},
            [{'a': 1, 'b': 9, 'c': 0}, {'a': 0, 'b': 2, 'c': 9}]))

    def test_keys_are_told_when_they_are_known_and_never_how_many(self):
        for extra in (1, 5):
            self.assertEqual(
                {'a': 1, '******': '******'},
                hidden.merged({'a': 1, **{f's{number}': 1
                                          for number in range(extra)}},
                              [{'a': 1, 'not': 'there'}]))

    def test_nothing_is_told_when_nothing_is_known(self):
        for found in ({}, {'a': 1}, [], 'x', 7, None, True):
            self.assertEqual('******', hidden.merged(found, []))
            self.assertEqual('******', hidden.merged(found, [object()]))

    def test_another_type_is_another_value(self):
        self.assertEqual('******', hidden.merged(1, [True]))
        self.assertEqual('******', hidden.merged('1', [1]))
        self.assertIsNone(hidden.merged(None, [None]))

    def test_a_mark_is_found_anywhere(self):
        for value in ('******', ['x', {'a': '******'}], {'******': 1}):
            self.assertTrue(hidden.is_marked(value))
        for value in ('x', '*******', [], {'a': [1]}, None):
            self.assertFalse(hidden.is_marked(value))
