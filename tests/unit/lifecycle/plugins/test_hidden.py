# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

import json
import types

import testtools

from heat_extras.lifecycle.plugins import hidden


class Parameter:
    def __init__(self, value, is_hidden, default=None):
        self.user_value = value
        self.hidden = lambda: is_hidden
        self.schema = types.SimpleNamespace(default=default)

    def value(self):
        if self.user_value is None:
            raise ValueError('missing')
        return self.user_value


def stack(**parameters):
    return types.SimpleNamespace(
        owner_id=None, parameters=types.SimpleNamespace(params=parameters))


class HiddenTest(testtools.TestCase):

    def test_values_and_defaults_of_hidden_parameters(self):
        found = hidden.values(
            stack(a=Parameter('secret', True, 'first'),
                  b=Parameter('open', False, 'known'),
                  c=Parameter({'x': ['deep', 7, '', None, True]}, True),
                  d=Parameter(None, True)), None, stack())
        self.assertEqual({'secret', 'first', 'deep', '7'}, found)

    def test_they_are_found_within_json_too(self):
        found = hidden.values(stack(a=Parameter('a"\né', True)))
        for text in ('a"\né', json.dumps('a"\né'),
                     json.dumps('a"\né', ensure_ascii=False)):
            self.assertEqual(hidden.MASK, hidden.masked(text, found))

    def test_whatever_contains_them_is_masked(self):
        self.assertEqual(
            {'a': '******', 'b': ['******', 'x', None, True, 5],
             '******': 1},
            hidden.masked({'a': 'x-secret-y', 'b': (77, 'x', None, True, 5),
                           'secret': 1}, {'secret', '7'}))
