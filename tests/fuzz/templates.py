# SPDX-License-Identifier: Apache-2.0

"""Valid templates with arbitrary heat-extras attributes."""

from hypothesis import strategies as st

from tests.fuzz import operator_files

_FLAGS = operator_files.nearly(st.booleans(), often=4)
_FUNCTIONS = st.sampled_from([
    {'get_param': 'flag'}, {'get_param': 'hidden'}, {'get_param': 'no'},
    {'get_param': ['data', 'a']}, {'get_attr': ['other', 'output']},
    {'get_resource': 'other'}, {'if': ['yes', True, False]},
    {'not': 'yes'}, {'equals': [1, 1]}, {'str_replace': {}},
    {'get_file': 'x'}, {'repeat': {}}, {'yaql': {'expression': '('}},
    {'list_join': [',', ['a']]}, {'get_param': ''}, {'resource_facade': 'x'},
    {'get_param': {}}, {'map_merge': [{'a': 1}]}])
_ALLOW = operator_files.nearly(st.one_of(
    operator_files.entry({}, {name: st.one_of(_FLAGS, _FUNCTIONS)
                         for name in ('update', 'replace')}, 8),
    _FUNCTIONS), often=8)
_PARAMETERS = {
    'flag': {'type': 'boolean', 'default': True},
    'hidden': {'type': 'boolean', 'default': False, 'hidden': True},
    'data': {'type': 'json', 'default': {'a': True}},
}


def _template(allow, words, kind):
    policy = {} if allow is None else {'update_policy': {'allow': allow[0]}}
    return {
        'heat_template_version': '2018-08-31',
        'parameters': {**_PARAMETERS, 'value': {
            'type': kind, 'default': _DEFAULTS[kind], **words}},
        'conditions': {'yes': True},
        'resources': {
            'other': {'type': 'OS::Heat::TestResource'},
            'text': {'type': 'OS::Heat::TestResource', **policy}}}


_DEFAULTS = {'string': 'a', 'number': 1, 'boolean': True, 'json': {},
             'comma_delimited_list': ['a']}

TEMPLATES = st.builds(
    _template, st.one_of(st.none(), st.tuples(_ALLOW)),
    st.fixed_dictionaries({}, optional={'updatable': _FLAGS,
                                        'immutable': st.booleans()}),
    st.sampled_from(sorted(_DEFAULTS)))
