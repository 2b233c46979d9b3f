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


def additions(size=200):
    """Make a template of many resources."""
    return _of_values([f'value {number}' for number in range(size)])


def references(size=60):
    """Make a template whose resources each refer to all before."""
    return _of_values([
        {'list_join': [',', [{'get_resource': f'r{each}'}
                             for each in range(number)]]}
        for number in range(size)])


def _of_values(values):
    return {'heat_template_version': '2018-08-31', 'resources': {
        f'r{number}': {'type': 'OS::Heat::TestResource',
                       'properties': {'value': value}}
        for number, value in enumerate(values)}}
