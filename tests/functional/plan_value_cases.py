# SPDX-License-Identifier: Apache-2.0

"""Updates with values that other planners are said to get wrong."""

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import MEMBER
from tests.functional.plan_cases import RANDOM
from tests.functional.plan_cases import ref
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)
PARAMETER = {'get_param': 'p'}


def text(parameter='x', **resources):
    """Return a stack with a parameter of text."""
    return body(resources, {'m.yaml': MEMBER},
                {'p': ('string', parameter)})


def member(**properties):
    return {'type': 'm.yaml', 'properties': properties}


def join(*values):
    return {'list_join': ['-', list(values)]}


@case(updated='b c d e')
def a_long_chain_of_attributes():
    def root(value):
        return body({'a': test(value), 'b': test(attr('a')),
                     'c': test(attr('b')), 'd': test(attr('c')),
                     'e': test(attr('d')), 'f': test()})
    return root('one'), root('two')


@case(updated='b c')
def a_chain_that_ends_at_a_literal():
    return (body({'a': test(), 'b': test(attr('a')), 'c': test(attr('b'))}),
            body({'a': test('two'), 'b': test(attr('a')),
                  'c': test(join('x', attr('b')))}))


@case()
def a_literal_ends_a_chain():
    return (body({'a': test(), 'b': test(attr('a')), 'c': test(attr('b'))}),
            body({'a': test('two'), 'b': test('x'), 'c': test(ref('b'))}))


@case()
def a_reference_takes_the_place_of_its_value():
    return (body({'a': test('same'), 'b': test('same')}),
            body({'a': test('same'), 'b': test(attr('a'))}))


@case(updated='b', replaced='c')
def a_new_reference_to_what_changes():
    return (body({'a': test(), 'b': test(), 'c': test(
                update_replace_value='x')}),
            body({'a': test('two'), 'b': test(attr('a')), 'c': test(
                update_replace_value=attr('a'))}))


@case()
def references_keep_through_updates_in_place():
    def root(value):
        return body({'a': test(value), 'b': test(ref('a')), 'c': test(
            update_replace_value=ref('a')), 'd': member(p=ref('a'))},
            {'m.yaml': MEMBER})
    return root('one'), root('two')


@case()
def depends_on_each_other_resource():
    def root(value):
        return body({
            'a': test(update_replace_value=value),
            'b': test(depends_on='a'), 'c': test(depends_on=['a', 'b']),
            'n': {**member(p='x'), 'depends_on': ['a', 'c']}},
            {'m.yaml': MEMBER})
    return root('one'), root('two')


@case()
def depends_on_something_else():
    return (body({'a': test(), 'b': test(), 'c': test(depends_on='a')}),
            body({'a': test(), 'b': test(), 'c': test(depends_on='b')}))


@case()
def depends_on_nothing_any_more():
    return (body({'a': test(), 'c': test(depends_on='a')}),
            body({'c': test()}))


@case(replaced='b c', updated='d')
def replacements_behind_each_other():
    def root(value):
        return body({'a': test(update_replace_value=value), 'b': test(
            update_replace_value=ref('a')), 'c': test(
            update_replace_value=ref('b')), 'd': test(ref('c'))})
    return root('one'), root('two')


@case()
def a_replacement_is_certain_beside_an_unknown_value():
    def root(value):
        return body({'a': test(value), 'b': test(
            attr('a'), update_replace_value=value)})
    return root('one'), root('two')


@case()
def a_change_is_certain_beside_an_unknown_value():
    def root(value):
        return body({'a': test(value), 'b': test(
            attr('a'), wait_secs=0.01 if value == 'two' else 0)})
    return root('one'), root('two')


@case(replaced='b')
def a_change_in_place_beside_an_unknown_replacement():
    def root(value):
        return body({'a': test(value), 'b': test(
            value, update_replace_value=attr('a'))})
    return root('one'), root('two')


@case(legacy={'updated': 'd', 'replaced': 'e'})
def an_output_of_each_known_kind():
    inner = {**MEMBER, 'outputs': {
        'list': {'value': ['a', {'get_param': 'q'}]},
        'map': {'value': {'k': 'fixed', 'changes': attr('s')}},
        'joined': {'value': join({'get_param': 'q'}, attr('t'))},
        'changed': {'value': {'get_param': 'p'}}}}

    def root(value):
        return body({'n': member(p=value),
                     'a': test(join(attr('n', 'list', 0))),
                     'b': test(attr('n', 'map', 'k')),
                     'c': test(attr('n', 'joined')),
                     'd': test(attr('n', 'changed')),
                     'e': test(update_replace_value=attr('n', 'changed'))},
                    {'m.yaml': inner})
    return root('one'), root('two')


@case(updated='a')
def an_output_of_a_nested_stack_that_is_added():
    return (body({'a': test('x'), 'b': test('x'), 'c': test('y')},
                 {'m.yaml': MEMBER}),
            body({'n': member(p='x'), 'a': test(attr('n', 'changes')),
                  'b': test(attr('n', 'literal')),
                  'c': test(attr('n', 'parameter'))}, {'m.yaml': MEMBER}))


@case(updated='a')
def an_output_of_a_nested_stack_that_is_replaced():
    before = body({'n': member(p='x'), 'a': test(
        attr('n', 'changes')), 'b': test(attr('n', 'literal')),
                   'c': test(attr('n', 'parameter'))}, {'m.yaml': MEMBER})
    return before, before, ['n']


@case(legacy={'updated': 'a'})
def an_output_that_reads_another_resource_that_stays():
    def root(output):
        return body({'n': member(p='x'), 'a': test(attr('n', 'o'))}, {
            'm.yaml': {**MEMBER, 'outputs': {'o': {'value': output}}}})
    return root(attr('s')), root(join(attr('s'), attr('t')))


@case(updated='b b/s')
def nested_stacks_in_a_row():
    def root(value):
        return body({
            'a': member(p=value), 'b': member(p=attr('a', 'changes')),
            'c': member(p=attr('a', 'stays'), q=attr('b', 'parameter')),
            'd': member(p=attr('c', 'literal'))}, {'m.yaml': MEMBER})
    return root('one'), root('two')


@case(updated='reader')
def a_resource_inside_of_another_nested_stack():
    def root(value):
        return body({'n': member(p=value),
                     'reader': test(attr('n', 'resource.s', 'output')),
                     'same': test(attr('n', 'resource.t', 'output')),
                     'id': test(attr('n', 'resource.s'))}, {'m.yaml': MEMBER})
    return root('one'), root('two')


@case(updated='n n/m n/m/s reader')
def an_unknown_value_three_levels_deep():
    middle = {'parameters': {'p': {'type': 'string'}}, 'resources': {
        'm': member(p=PARAMETER), 'k': test()}, 'outputs': {
            'fixed': {'value': attr('m', 'literal')},
            'changes': {'value': attr('m', 'changes')}}}

    def root(value):
        return body({'a': test(value),
                     'n': {'type': 'middle.yaml', 'properties': {
                         'p': attr('a')}},
                     'reader': test(attr('n', 'changes')),
                     'same': test(attr('n', 'fixed'))},
                    {'m.yaml': MEMBER, 'middle.yaml': middle})
    return root('one'), root('two')


@case()
def a_nested_stack_is_taken_away_beside_others():
    return (body({'a': member(p='x'), 'b': member(p='y'),
                  'c': member(p=attr('b', 'changes'))}, {'m.yaml': MEMBER}),
            body({'b': member(p='y'), 'c': member(p=attr('b', 'changes'))},
                 {'m.yaml': MEMBER}))


@case()
def a_resource_is_taken_away_from_one_of_two():
    def inner(*names):
        return {'parameters': MEMBER['parameters'],
                'resources': {name: test(PARAMETER) for name in names}}

    def root(*names):
        return body({'a': member(p='x'), 'b': {
            'type': 'o.yaml', 'properties': {'p': 'y'}}},
            {'m.yaml': inner('s', 't'), 'o.yaml': inner(*names)})
    return root('s', 't'), root('s')


@case()
def a_condition_of_a_condition():
    def root(**given):
        return body(
            {'a': test(condition='both'), 'b': test(condition='either'),
             'c': test({'if': ['both', 'yes', 'no']}),
             'd': test({'if': ['either', 'yes', attr('c')]}),
             'e': test(condition={'not': 'either'})},
            parameters={'x': ('boolean', True), 'y': ('boolean', False)},
            given=given, conditions={
                'x': {'get_param': 'x'}, 'y': {'get_param': 'y'},
                'both': {'and': ['x', 'y']}, 'either': {'or': ['x', 'y']}})
    return root(), root(y=True)


@case(removed='n/* n/*/*')
def a_condition_is_not_known_for_what_changes():
    inner = {'parameters': {'on': {'type': 'string'},
                            'p': {'type': 'string'}},
             'conditions': {'on': {'equals': [{'get_param': 'on'}, 'one']}},
             'resources': {
                 'updated': test({'get_param': 'p'}, condition='on'),
                 'replaced': test(condition='on', update_replace_value={
                     'get_param': 'p'}),
                 'nested': {'type': 'o.yaml', 'condition': 'on',
                            'properties': {'p': {'get_param': 'p'}}}}}
    other = {'parameters': {'p': {'type': 'string'}}, 'resources': {
        'same': test(), 'updated': test({'get_param': 'p'}),
        'replaced': test(update_replace_value={'get_param': 'p'})}}

    def root(value):
        return body({'a': test(value), 'n': {
            'type': 'm.yaml', 'properties': {'on': attr('a'), 'p': value}}},
            {'m.yaml': inner, 'o.yaml': other})
    return root('one'), root('two')


@case(updated='n', added='n/nested', unknown='n/nested/(others)')
def a_condition_is_not_known_for_a_new_nested_stack():
    inner = {'parameters': {'on': {'type': 'string'}}, 'conditions': {
        'on': {'equals': [{'get_param': 'on'}, 'two']}}, 'resources': {
        'nested': {'type': 'o.yaml', 'condition': 'on'}}}

    def root(value):
        return body({'a': test(value), 'n': {
            'type': 'm.yaml', 'properties': {'on': attr('a')}}},
            {'m.yaml': inner, 'o.yaml': {'resources': {'s': test()}}})
    return root('one'), root('two')


@case()
def a_condition_takes_what_others_read():
    def root(on):
        return body({'a': test(condition='on'), 'b': test({'if': [
            'on', attr('a'), 'none']}), 'c': test({'if': [
                'on', 'x', 'x']})}, parameters={'on': ('boolean', on)},
            conditions={'on': {'get_param': 'on'}})
    return root(True), root(False)


@case(legacy={'updated': 'a'})
def conditions_of_outputs_and_properties():
    inner = {'parameters': {'p': {'type': 'boolean'}},
             'conditions': {'p': PARAMETER},
             'resources': {'s': test({'if': ['p', 'one', 'two']})},
             'outputs': {'o': {'value': {'if': ['p', 'one', 'two']}},
                         'same': {'value': 'x', 'condition': 'p'}}}

    def root(value):
        return body({'n': member(p=value), 'a': test(attr('n', 'o'))},
                    {'m.yaml': inner})
    return root(True), root(False)


@case()
def functions_of_a_list():
    def root(*names):
        value = {'get_param': 'l'}
        return body({
            'repeat': test({'list_join': [',', {'repeat': {
                'for_each': {'<%n%>': value}, 'template': 'v<%n%>'}}]}),
            'first': test({'get_param': ['l', 0]}),
            'split': test({'str_split': [',', 'x,y', 1]}),
            'yaql': test({'yaql': {'expression': 'str($.data.l.len() * 0)',
                                   'data': {'l': value}}}),
            'digest': test({'digest': ['md5', {'get_param': ['l', 0]}]}),
            'contains': test({'if': [
                {'contains': ['x', value]}, 'yes', 'no']})},
            parameters={'l': ('comma_delimited_list', list(names))})
    return root('x', 'y'), root('x', 'y', 'z')


@case()
def functions_of_a_map():
    def root(value):
        return body({
            'key': test({'get_param': ['m', 'k']}),
            'same': test({'get_param': ['m', 'same']}),
            'merged': test({'get_file': 'f.txt'}),
            'replaced': test({'str_replace_strict': {
                'template': 'T', 'params': {'T': {
                    'get_param': ['m', 'k']}}}}),
            'map': test(metadata={'map_merge': [
                {'get_param': 'm'}, {'k': 'fixed'}]})},
            {'f.txt': {}}, parameters={
                'm': ('json', {'k': value, 'same': 'x'})})
    return root('one'), root('two')


@case()
def a_file_changes():
    def root(value):
        before = body({'a': test({'get_file': 'f.txt'}), 'b': test()})
        return {**before, 'files': {'f.txt': value}}
    return root('one'), root('two')


@case()
def given_parameters_and_defaults():
    def root(default, given):
        before = text(default, a=test(PARAMETER), b=test(), n=member(
            p=PARAMETER))
        return {**before, 'parameters': given}
    return root('x', {'p': 'y'}), root('y', {})


@case()
def a_default_changes_under_a_given_value():
    def root(default):
        return {**text(default, a=test(PARAMETER)), 'parameters': {'p': 'y'}}
    return root('one'), root('two')


@case()
def a_default_of_a_nested_stack_changes():
    def root(value):
        inner = {**MEMBER, 'parameters': {
            **MEMBER['parameters'], 'q': {'type': 'string',
                                          'default': value}}}
        return body({'n': member(p='x'), 'set': member(p='x', q='y')},
                    {'m.yaml': inner})
    return root('y'), root('z')


@case()
def a_nested_default_is_written_out():
    return (body({'n': member(), 'a': test(attr('n', 'changes'))},
                 {'m.yaml': MEMBER}),
            body({'n': member(p='x', q='y'), 'a': test(attr('n', 'changes'))},
                 {'m.yaml': MEMBER}))


@case()
def parameter_defaults_reach_nested_stacks():
    def root(value):
        return {**body({'n': member(), 'given': member(q='given'),
                        'a': test()}, {'m.yaml': MEMBER}),
                'environment': {'parameter_defaults': {'q': value}}}
    return root('one'), root('two')


@case()
def the_environment_maps_a_resource_by_name():
    def root(kind):
        return body({'a': {'type': 'Test::Any', 'properties': {}},
                     'b': {'type': 'Test::Any', 'properties': {}}},
                    environment={'resource_registry': {
                        'Test::Any': plan_cases.TEST,
                        'resources': {'b': {'Test::Any': kind}}}})
    return root(plan_cases.TEST), root('OS::Heat::RandomString')


@case()
def the_environment_maps_with_a_wildcard():
    def root(prefix):
        return body({'a': {'type': f'{prefix}::TestResource'}, 'b': test()},
                    environment={'resource_registry': {
                        'Test::*': 'OS::Heat::*'}})
    return root('Test'), root('OS::Heat')


@case()
def the_environment_disables_a_type():
    def root(kind):
        return body({'a': {'type': 'Test::Any', 'properties': {
            'value': 'x'}}, 'b': test(depends_on='a')},
            environment={'resource_registry': {'Test::Any': kind}})
    return root(plan_cases.TEST), root('OS::Heat::None')


@case()
def an_alias_of_the_same_type():
    def root(kind):
        return body({'a': {'type': kind, 'properties': {'value': 'x'}},
                     'b': test(ref('a'))}, environment={
                         'resource_registry': {'Test::Any': plan_cases.TEST}})
    return root(plan_cases.TEST), root('Test::Any')


@case()
def a_resource_becomes_a_nested_stack_and_back():
    return (body({'a': test('x'), 'b': member(p='x')}, {'m.yaml': MEMBER}),
            body({'a': member(p='x'), 'b': test('x')}, {'m.yaml': MEMBER}))


@case()
def another_file_of_the_same_content():
    def root(name):
        return body({'n': {'type': name, 'properties': {'p': 'x'}}},
                    {'m.yaml': MEMBER, 'o.yaml': MEMBER})
    return root('m.yaml'), root('o.yaml')


@case()
def metadata_in_a_nested_stack_and_around_it():
    def root(value):
        inner = {**MEMBER, 'resources': {
            's': test(PARAMETER, metadata={'k': value}), 't': test()}}
        return body({'n': {**member(p='x'), 'metadata': {'k': value}},
                     'a': test(metadata={'k': {'get_param': 'OS::stack_name'}}
                               )}, {'m.yaml': inner})
    return root('one'), root('two')


@case(updated='b')
def metadata_of_an_unknown_value():
    def root(value):
        return body({'a': test(value), 'b': test(metadata={
            'k': attr('a'), 'same': 1})})
    return root('one'), root('two')


@case()
def metadata_beside_a_property_that_replaces():
    def root(value):
        return body({'a': test(update_replace_value=value,
                               metadata={'k': value}),
                     'b': test(metadata={'k': 'x'})})
    return root('one'), root('two')


@case(replaced='rd', updated='v')
def an_unknown_part_of_a_merged_map():
    def root(value):
        merged = {'map_merge': [{'k': 'same'}, {'if': [
            'c', {'u': attr('a')}, {'k': 'other'}]}]}
        return body({
            'a': test(value), 'k': test({'str_replace': {
                'template': 'K', 'params': {'K': attr('v', 'value', 'k')}}}),
            'v': {'type': 'OS::Heat::Value', 'properties': {
                'type': 'json', 'value': merged}},
            'rd': test(update_replace_value=attr('v', 'value', 'u'))},
            conditions={'c': True})
    return root('one'), root('two')


@case()
def attributes_beside_changed_metadata():
    def root(value):
        return body({'r': {**RANDOM, 'metadata': {'k': value}},
                     'd': test(update_replace_value=attr('r', 'value'))})
    return root('one'), root('two')


FACADE = {'resources': {
    'm': test({'str_replace': {'template': 'T', 'params': {
        'T': {'resource_facade': 'metadata'}}}}),
    'd': test({'resource_facade': 'deletion_policy'})}}


@case()
def a_parent_resource_that_stays_the_same():
    def root(value):
        return body({'a': test(value), 'n': {
            'type': 'm.yaml', 'metadata': {'k': 'v'}}}, {'m.yaml': FACADE})
    return root('one'), root('two')


@case()
def a_parent_resource_with_other_metadata():
    def root(value):
        return body({'n': {'type': 'm.yaml', 'metadata': {'k': value}}},
                    {'m.yaml': FACADE})
    return root('one'), root('two')


@case()
def a_description_and_outputs_change():
    def root(value):
        return body({'a': test(), 'n': member(p='x')}, {'m.yaml': MEMBER},
                    description=value, outputs={'o': {'value': value}})
    return root('one'), root('two')


@case()
def a_description_of_a_nested_stack():
    def root(value):
        return body({'n': member(p='x')}, {'m.yaml': {
            **MEMBER, 'description': value}})
    return root('one'), root('two')


@case()
def pseudo_parameters():
    def root(value):
        return body({'a': test(join({'get_param': 'OS::stack_name'}, value)),
                     'b': test({'get_param': 'OS::stack_id'}),
                     'c': test(update_replace_value={
                         'get_param': 'OS::stack_name'}),
                     'n': member(p={'get_param': 'OS::stack_id'})},
                    {'m.yaml': MEMBER})
    return root('one'), root('two')


@case(updated='b c/s c')
def random_values_of_what_is_replaced():
    def root(salt):
        return body({'r': {**RANDOM, 'properties': {'salt': salt}},
                     'b': test(attr('r', 'value')),
                     'c': member(p=ref('r'), q='y'),
                     'd': test(depends_on='r')}, {'m.yaml': MEMBER})
    return root('one'), root('two')


@case(updated='b')
def names_are_exchanged():
    return (body({'a': test('one'), 'b': test(attr('a'))}),
            body({'a': test('two'), 'b': test(attr('a')),
                  'c': test('one')}))


@case()
def a_resource_has_another_name():
    return (body({'old': test('x'), 'n_old': member(p='x')},
                 {'m.yaml': MEMBER}),
            body({'new': test('x'), 'n_new': member(p='x')},
                 {'m.yaml': MEMBER}))


@case(updated='b')
def marks_of_several_resources():
    before = body({'a': test(), 'b': test(ref('a')), 'c': test(), 'n': member(
        p='x')}, {'m.yaml': MEMBER})
    return before, before, ['a', 'c', 'n/t']


@case()
def a_mark_of_what_is_removed():
    return (body({'a': test(), 'b': test()}), body({'b': test()}), ['a'])


@case()
def a_mark_of_what_changes_anyway():
    return (body({'a': test(), 'b': test()}),
            body({'a': test('two'), 'b': test('two')}), ['a'])


@case()
def a_cfn_template():
    def resource(value, **more):
        return {'Type': plan_cases.TEST, 'Properties': {'value': value},
                **more}

    def root(value):
        template = {
            'AWSTemplateFormatVersion': '2010-09-09', 'Resources': {
                'a': resource(value), 'b': resource({'Ref': 'a'}),
                'c': resource({'Fn::Join': ['-', ['x', 'y']]},
                              DependsOn='a')}}
        return {**body({}), 'template': template}
    return root('one'), root('two')


@case()
def an_attribute_of_every_attribute():
    def root(value):
        return body({'a': test(value), 'b': test(),
                     'c': test({'str_replace': {'template': 'T', 'params': {
                         'T': attr('b', 'output')}}})})
    return root('one'), root('two')


@case()
def many_levels():
    files, inner = {'m.yaml': MEMBER}, 'm.yaml'
    for number in range(3):
        files[f'l{number}.yaml'] = {
            'parameters': {'p': {'type': 'string'}},
            'resources': {'n': {'type': inner, 'properties': {
                'p': PARAMETER}}, 'k': test()}}
        inner = f'l{number}.yaml'

    def root(value):
        return body({'n': {'type': inner, 'properties': {'p': value}}}, files)
    return root('one'), root('two')
