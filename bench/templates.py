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


"""What is created and updated, apart from trees."""

SMALL = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'first': {'type': 'OS::Heat::TestResource',
                  'properties': {'value': {'get_param': 'value'}}},
        'second': {'type': 'OS::Heat::TestResource',
                   'properties': {'value': {'get_attr': ['first',
                                                         'output']}}},
    },
    'outputs': {'text': {'value': {'get_attr': ['text', 'value']}}},
}
