# SPDX-License-Identifier: Apache-2.0

"""Templates for create and update, except trees."""

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
