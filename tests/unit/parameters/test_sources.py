# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.parameters import sources

CONDITIONS = {'is_big': {'equals': [{'get_param': 'p'}, 3]},
              'is_not': {'not': 'is_big'}}


def is_known(snippet, *unknown):
    return sources.Sources({'server': {}}, frozenset(unknown),
                           CONDITIONS).is_known(snippet)


class SourcesTest(testtools.TestCase):
    def test_literals_and_parameters_are_known(self):
        for snippet in (None, 3, 'a', [1, {'a': 'b'}], {'get_param': 'p'},
                        {'get_param': ['p', 'key']}, {'Ref': 'p'},
                        {'list_join': [',', [{'get_param': 'p'}, 'x']]},
                        {'get_file': 'user_data.sh'},
                        {'if': ['is_big', 1, 2]}):
            self.assertTrue(is_known(snippet), snippet)

    def test_what_comes_from_a_resource_is_not(self):
        for snippet in ({'get_attr': ['server', 'name']},
                        {'get_resource': 'server'}, {'Ref': 'server'},
                        {'Fn::GetAtt': ['server', 'name']},
                        {'resource_facade': 'metadata'},
                        ['a', {'str_replace': {
                            'template': 'x', 'params': {
                                'x': {'get_attr': ['server', 'name']}}}}]):
            self.assertFalse(is_known(snippet), snippet)

    def test_what_comes_from_an_unknown_parameter_is_not(self):
        for snippet in ({'get_param': 'p'}, {'get_param': ['p', 'key']},
                        {'Ref': 'p'}, {'if': ['is_not', 1, 2]},
                        {'get_param': {'get_param': 'q'}},
                        {'a': 1, 'b': [{'get_param': 'p'}]}):
            self.assertFalse(is_known(snippet, 'p'), snippet)
        for snippet in ({'get_param': 'q'}, {'Ref': 'q'}):
            self.assertTrue(is_known(snippet, 'p'), snippet)
        self.assertTrue(is_known({'if': ['is_not', 1, 2]}, 'q'))

    def test_a_map_with_the_name_of_a_function_among_its_keys_is_data(self):
        self.assertTrue(is_known({'get_attr': 'a', 'other': 'b'}))
