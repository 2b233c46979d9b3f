# SPDX-License-Identifier: Apache-2.0

"""Updates whose plans are compared with what they do.

Each case is a function that returns the body of a stack and the body of its
update, and perhaps the paths of resources to mark as unhealthy in between, and
the signals to send to handles while the stack is created.
"""

import json

from tests.functional import containers

VERSION = containers.VERSION
TEST = 'OS::Heat::TestResource'
CASES = {}


class Case:
    """An update, and the results that its plan cannot predict.

    :ivar uncertain: what may happen to a resource, or ``unknown``, by a
        pattern of its path. All else is certain.
    :ivar legacy: the same, in addition, with the legacy engine.
    """

    def __init__(self, make, uncertain, legacy):
        self._make = make
        self.uncertain, self.legacy = uncertain, legacy

    def __call__(self):
        return self._make()


def add_case(cases, name, make, legacy=None, **uncertain):
    """Add a case to a table.

    :param uncertain: paths in one text, by what may happen to them.
    """
    cases[name] = Case(make, *({
        path: action for action, paths in each.items()
        for path in paths.split()} for each in (uncertain, legacy or {})))


def table(cases):
    """Return a decorator of the functions that make the cases of a table."""
    def case(**uncertain):
        def decorate(make):
            add_case(cases, make.__name__, make, **uncertain)
            return make
        return decorate
    return case


case = table(CASES)


def test(value='one', **properties):
    """Return a test resource."""
    more = {key: properties.pop(key) for key in (
        'depends_on', 'condition', 'metadata', 'type') if key in properties}
    return {'type': TEST,
            'properties': {'value': value, **properties}, **more}


def attr(name, *attribute):
    return {'get_attr': [name, *(attribute or ('output',))]}


def ref(name):
    return {'get_resource': name}


def body(resources, files=None, parameters=None, **sections):
    given = sections.pop('given', {})
    environment = sections.pop('environment', {})
    return {'template': {
        **VERSION, 'parameters': {key: {'type': kind, 'default': value}
                                  for key, (kind, value) in (
                                      parameters or {}).items()},
        'resources': resources, **sections},
        'files': {name: json.dumps({**VERSION, **text})
                  for name, text in (files or {}).items()},
        'parameters': given, 'environment': environment}


RANDOM = {'type': 'OS::Heat::RandomString'}


@case()
def nothing_changes():
    before = body({'a': test(), 'b': test(attr('a')), 'c': test(ref('a'))})
    return before, before


@case()
def in_place_keeps_get_resource():
    return (body({'a': test(), 'b': test(ref('a'))}),
            body({'a': test('two'), 'b': test(ref('a'))}))


@case()
def depends_on_makes_nothing_unknown():
    return (body({'a': test(), 'b': test(depends_on='a')}),
            body({'a': test('two'), 'b': test(depends_on='a')}))


@case()
def depends_on_is_new():
    return (body({'a': test(), 'b': test()}),
            body({'a': test(), 'b': test(depends_on='a')}))


@case(updated='b c')
def a_chain_of_attributes():
    return (body({'a': test(), 'b': test(attr('a')), 'c': test(attr('b'))}),
            body({'a': test('two'), 'b': test(attr('a')),
                  'c': test(attr('b'))}))


@case(updated='b c')
def a_chain_that_ends_in_what_was_there():
    def root(wait):
        return body({'a': test(wait_secs=wait), 'b': test(attr('a')),
                     'c': test(attr('b'))})
    return root(0), root(0.01)


@case(updated='b')
def replaced_by_a_property():
    return (body({'a': test(update_replace_value='x'), 'b': test(ref('a'))}),
            body({'a': test(update_replace_value='y'), 'b': test(ref('a'))}))


@case()
def replaced_by_the_type():
    return (body({'a': test(update_replace=True)}),
            body({'a': test('two', update_replace=True)}))


@case(replaced='b', updated='c')
def an_unknown_value_behind_a_replacing_property():
    def root(value):
        return body({'a': test(value), 'b': test(
            update_replace_value=attr('a')), 'c': test(ref('b'))})
    return root('one'), root('two')


@case(replaced='b')
def an_unknown_value_that_turns_out_the_same():
    def root(wait):
        return body({'a': test(wait_secs=wait), 'b': test(
            update_replace_value=attr('a'))})
    return root(0), root(0.01)


@case(updated='b')
def another_type():
    return body({'a': test(), 'b': test(ref('a'))}), body(
        {'a': RANDOM, 'b': test(ref('a'))})


@case()
def removed_and_added():
    return body({'a': test(), 'b': test()}), body({'a': test(), 'c': test()})


@case()
def a_condition_turns():
    def root(on):
        return body({'a': test(condition='on'), 'b': test(condition='off'),
                     'c': test()}, parameters={'on': ('boolean', on)},
                    conditions={'on': {'get_param': 'on'},
                                'off': {'not': 'on'}})
    return root(True), root(False)


@case()
def metadata_changes():
    return (body({'a': test(metadata={'k': 1}), 'b': test()}),
            body({'a': test(metadata={'k': 2}), 'b': test()}))


@case()
def another_spelling():
    return (body({'a': test(wait_secs='0'), 'b': test(fail='false')}),
            body({'a': test(wait_secs=0), 'b': test(fail=False)}))


@case()
def a_parameter_and_functions():
    def root(value):
        return body({
            'a': test({'list_join': ['-', [{'get_param': 'p'}, 'x']]}),
            'b': test({'str_replace': {'template': 'T', 'params': {
                'T': {'get_param': 'q'}}}}), 'c': test()},
            parameters={'p': ('string', value), 'q': ('string', 'same')})
    return root('one'), root('two')


@case(updated='b')
def a_new_resource_is_referred_to():
    return (body({'b': test('x')}),
            body({'a': test(), 'b': test(ref('a')), 'c': test(attr('a'))}))


@case(updated='b c')
def a_marked_resource():
    before = body({'a': test(), 'b': test(ref('a')), 'c': test(attr('a')),
                   'd': test()})
    return before, before, ['a']


MEMBER = {'parameters': {'p': {'type': 'string', 'default': 'x'},
                         'q': {'type': 'string', 'default': 'y'}},
          'resources': {'s': test({'get_param': 'p'}),
                        't': test({'get_param': 'q'})},
          'outputs': {'literal': {'value': 'fixed'},
                      'parameter': {'value': {'get_param': 'q'}},
                      'stays': {'value': attr('t')},
                      'reference': {'value': ref('s')},
                      'changes': {'value': attr('s')}}}


def nested(member=None, value='one', **more):
    """Return two nested stacks, the second of which reads the first."""
    return body({'n': {'type': 'm.yaml', 'properties': {'p': value}},
                 'alone': {'type': 'm.yaml'}, **more},
                {'m.yaml': member or MEMBER})


@case()
def nested_unchanged():
    return nested(), nested()


@case()
def nested_property():
    return nested(), nested(value='two')


@case()
def nested_template_with_an_output_more():
    more = {**MEMBER, 'outputs': {**MEMBER['outputs'], 'z': {'value': 1}}}
    return nested(), nested(more)


@case()
def nested_text_that_changes_no_resource():
    none = {'type': 'OS::Heat::None', 'properties': {'any': 'one'}}

    def inner(**changed):
        return {**MEMBER, 'conditions': {'on': {'equals': [1, 1]}}, **{
            'parameters': MEMBER['parameters'] | {
                'off': {'type': 'boolean', 'default': False}}}, 'resources': {
            **MEMBER['resources'], 'none': none, 'off': test(
                condition={'get_param': 'off'}), **changed}}
    changes = {
        'depends': {'t': test('k', depends_on='s')},
        'policy': {'t': {**test('k'), 'deletion_policy': 'Retain'}},
        'condition': {'t': test('k', condition='on')},
        'disabled': {'off': test('two', condition={'get_param': 'off'})},
        'less': {'off': None}, 'ignored': {
            'none': {**none, 'properties': {'any': 'two'}}},
        'unknown': {'none': {**none, 'properties': {'any': attr('s')}}}}

    def root(after, value):
        return body({name: {'type': f'{name}.yaml', 'properties': {
            'p': value if name == 'unknown' else 'one'}}
            for name in changes}, {f'{name}.yaml': {**each, 'resources': {
                key: part for key, part in each['resources'].items() if part}}
            for name, each in ((name, inner(**(change if after else {})))
                               for name, change in changes.items())})
    return root(False, 'one'), root(True, 'two')


@case()
def nested_resource_is_taken_away():
    less = {**MEMBER, 'resources': {'t': MEMBER['resources']['t']},
            'outputs': {}}
    whole = {**MEMBER, 'outputs': {}}

    def root(inner):
        return body({'n': {'type': 'm.yaml'}, 'other': {'type': 'o.yaml'}},
                    {'m.yaml': inner, 'o.yaml': MEMBER})
    return root(whole), root(less)


def _reading(output):
    def made(value):
        return nested(value=value, reader={
            'type': 'm.yaml', 'properties': {'p': attr('n', output)}})
    return made('one'), made('two')


for _output in MEMBER['outputs']:
    add_case(CASES, f'nested_reads_{_output}',
             lambda output=_output: _reading(output),
             updated='reader reader/s' if _output == 'changes' else '')


@case()
def nested_is_removed():
    return nested(), body({'alone': {'type': 'm.yaml'}}, {'m.yaml': MEMBER})


@case()
def nested_is_added():
    return (body({'alone': {'type': 'm.yaml'}}, {'m.yaml': MEMBER}), nested())


@case()
def nested_is_marked():
    return nested(), nested(), ['n']


@case()
def inside_nested_is_marked():
    return nested(), nested(), ['n/s']


@case()
def nested_three_deep():
    deep = {'resources': {'m': {'type': 'm.yaml', 'properties': {
        'p': {'get_param': 'v'}}}, 'k': test()},
        'parameters': {'v': {'type': 'string', 'default': '1'}}}
    top = {'resources': {'d': {'type': 'deep.yaml', 'properties': {
        'v': {'get_param': 'v'}}}}, 'parameters': deep['parameters']}

    def root(value):
        return body({'t': {'type': 'top.yaml', 'properties': {'v': value}}},
                    {'m.yaml': MEMBER, 'deep.yaml': deep, 'top.yaml': top})
    return root('1'), root('2')


def _group(size=2, value='one', kind='OS::Heat::ResourceGroup', **more):
    member = {'type': 'm.yaml', 'properties': {'p': value}}
    properties = {'count': size, 'resource_def': member, **more} if (
        kind == 'OS::Heat::ResourceGroup') else {
        'min_size': 0, 'max_size': 9, 'desired_capacity': size,
        'resource': member, **more}
    return body({'g': {'type': kind, 'properties': properties}, 'a': test(),
                 'after': test(ref('g'))}, {'m.yaml': MEMBER})


_SCALING = 'OS::Heat::AutoScalingGroup'
_ROLLING = {'rolling_updates': {'max_batch_size': 1, 'min_in_service': 1,
                                'pause_time': 0}}
for _name, _kind in (('resource_group', 'OS::Heat::ResourceGroup'),
                     ('scaling_group', _SCALING)):
    for _case, _before, _after in (
            ('unchanged', {}, {}), ('grows', {}, {'size': 3}),
            ('shrinks', {'size': 3}, {'size': 1}),
            ('changes_members', {}, {'value': 'two'}),
            ('grows_and_changes', {}, {'size': 3, 'value': 'two'})):
        add_case(CASES, f'{_name}_{_case}',
                 lambda kind=_kind, before=_before, after=_after: (
                     _group(kind=kind, **before), _group(kind=kind, **after)))


@case()
def scaling_group_rolls():
    return (_group(3, kind=_SCALING, **_ROLLING),
            _group(3, 'two', kind=_SCALING, **_ROLLING))


@case()
def resource_group_rolls():
    def root(value):
        template = _group(3, value)
        template['template']['resources']['g']['update_policy'] = {
            'rolling_update': {'max_batch_size': 1, 'min_in_service': 1}}
        return template
    return root('one'), root('two')


@case()
def resource_group_loses_one_of_them():
    return _group(3), _group(2, removal_policies=[{'resource_list': ['0']}])


@case(updated='g g/0 g/0/s g/1 g/1/s')
def resource_group_with_an_unknown_value():
    def root(value):
        group = {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': 2, 'resource_def': {
                'type': 'm.yaml', 'properties': {'p': attr('a')}}}}
        return body({'a': test(value), 'g': group}, {'m.yaml': MEMBER})
    return root('one'), root('two')


@case(updated='g', removed='g/0', unknown='g/(others)')
def resource_group_of_an_unknown_size():
    def root(value):
        return body({'a': test(value), 'g': {
            'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': attr('a'), 'resource_def': test()}}})
    return root('1'), root('3')


@case()
def resource_group_with_index():
    def root(size):
        return body({'g': {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': size, 'resource_def': test('v%index%')}}})
    return root(2), root(3)


@case()
def resource_group_member_is_marked():
    return _group(), _group(), ['g/0']


@case()
def resource_chain_grows():
    def root(*kinds):
        return body({'c': {'type': 'OS::Heat::ResourceChain', 'properties': {
            'resources': list(kinds), 'resource_properties': {'p': 'v'}}}},
            {'m.yaml': MEMBER}, environment={
                'resource_registry': {'Test::M': 'm.yaml'}})
    return root('Test::M'), root('Test::M', 'Test::M')


@case()
def environment_maps_another_file():
    def root(name):
        return body({'n': {'type': 'Test::M'}, 'a': test()},
                    {'m.yaml': MEMBER, 'o.yaml': {
                        **MEMBER, 'resources': {
                            **MEMBER['resources'], 'more': test()}}},
                    environment={'resource_registry': {'Test::M': name}})
    return root('m.yaml'), root('o.yaml')


@case(updated='a')
def environment_maps_another_type():
    def root(kind):
        return body({'n': {'type': 'Test::M'}, 'a': test(ref('n'))},
                    environment={'resource_registry': {'Test::M': kind}})
    return root('OS::Heat::TestResource'), root('OS::Heat::RandomString')


@case()
def environment_gives_another_default():
    def root(value):
        return body({'n': test({'get_param': 'p'})},
                    parameters={'p': ('string', 'x')},
                    environment={'parameter_defaults': {'p': value}})
    return root('1'), root('2')


@case()
def repeat_grows():
    def root(*names):
        return body({'a': test({'list_join': [',', {'repeat': {
            'for_each': {'<%n%>': list(names)},
            'template': 'v-<%n%>'}}]}), 'b': test()})
    return root('x'), root('x', 'y')


@case()
def values_of_values():
    def root(value):
        return body({
            'v': {'type': 'OS::Heat::Value',
                  'properties': {'type': 'string', 'value': value}},
            'a': test(attr('v', 'value')), 'b': test(ref('v'))})
    return root('one'), root('two')


@case(updated='a b n n/s')
def a_random_string_of_another_length():
    def root(length):
        return body({'r': {**RANDOM, 'properties': {'length': length}},
                     'a': test(attr('r', 'value')), 'b': test(ref('r')),
                     'n': {'type': 'm.yaml',
                           'properties': {'p': attr('r', 'value')}}},
                    {'m.yaml': MEMBER})
    return root(8), root(9)


@case(updated='n n/s', removed='n/c')
def a_condition_on_an_unknown_value():
    inner = {'parameters': {'p': {'type': 'string', 'default': 'x'}},
             'conditions': {'on': {'equals': [{'get_param': 'p'}, 'one']}},
             'resources': {
                 'c': test(condition='on'), 'd': test(),
                 's': test({'if': ['on', 'x', {'if': ['on', 'y', 'z']}]})}}

    def root(value):
        return body({'a': test(value), 'n': {
            'type': 'm.yaml', 'properties': {'p': attr('a')}}},
            {'m.yaml': inner})
    return root('one'), root('two')


@case()
def a_new_nested_stack_reads_a_new_resource():
    return (body({'k': test()}, {'m.yaml': MEMBER}),
            body({'k': test(), 'a': test(), 'n': {
                'type': 'm.yaml', 'properties': {'p': attr('a')}},
                'g': {'type': 'OS::Heat::ResourceGroup', 'properties': {
                    'count': 2, 'resource_def': {
                        'type': 'm.yaml', 'properties': {'p': ref('a')}}}}},
                 {'m.yaml': MEMBER}))
