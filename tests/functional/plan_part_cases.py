# SPDX-License-Identifier: Apache-2.0

"""Updates in which only parts of maps and lists are not known.

The source has a comma in its new value, so a list with it gets longer.
"""

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)
MAP, LIST = {'type': 'json'}, {'type': 'comma_delimited_list'}


def param(*path):
    return {'get_param': path[0] if len(path) == 1 else list(path)}


def joined(value):
    return {'list_join': ['-', value]}


def stack(resources, outputs=None, **parameters):
    """Return a nested stack."""
    return {'parameters': parameters, 'resources': resources, 'outputs': {
        key: {'value': value} for key, value in (outputs or {}).items()}}


def nested(file='m.yaml', **properties):
    return {'type': file, 'properties': properties}


def updates(resources, *files, **sections):
    """Return a body and its update: the source *a* gets another value.

    :param resources: a function that returns the other resources.
    """
    names = ('m.yaml', 'n.yaml')
    return tuple(body({'a': test(value), **resources(number)}, dict(
        zip(names, files, strict=False)), **sections) for number, value
        in enumerate(('one', 'two,three')))


@case(updated='n n/u n/missing_in_it n/if_equal n/by_unknown')
def parts_of_a_map():
    inner = stack({
        'k': test(update_replace_value=param('m', 'k')),
        'changed': test(param('m', 'changed')), 'u': test(param('m', 'u')),
        'inside': test(param('m', 'deep', 'k')),
        'text': test({'str_replace': {
            'template': 'T', 'params': {'T': param('m', 'deep', 'k')}}}),
        'absent': test(param('m', 'x', 'y')),
        'missing_in_it': test(param('m', 'u', 'x')),
        'whole': test(metadata=param('m')),
        'merged': test(metadata={'map_merge': [param('m'), {'k': 'x'}]}),
        'if_known': test({'if': [{'equals': [
            param('m', 'k'), 'same']}, 'x', 'y']}),
        'if_equal': test({'if': [{'equals': [
            param('m'), {'k': 'same'}]}, 'x', 'y']}),
        'by_known': test(condition='k'),
        'by_unknown': test({'if': ['u', 'x', 'y']})}, m=MAP)
    inner['conditions'] = {'k': {'equals': [param('m', 'k'), 'same']},
                           'u': {'equals': [param('m', 'u'), 'one']}}
    return updates(lambda number: {'n': nested(m={
        'k': 'same', 'u': attr('a'), 'changed': number,
        'deep': {'k': 'same', 'u': attr('a')}})}, inner)


@case(updated='n n/1 n/2 n/3 n/9 n/-1 n/whole n/longer')
def parts_of_a_list():
    inner = stack({
        **{str(index): test(param('l', index))
           for index in (0, 1, 2, 3, 9, -1)},
        'whole': test(joined(param('l'))),
        'longer': test(joined({'list_concat': [['x'], param('l')]}))}, l=LIST)
    return updates(lambda number: {'n': nested(l=[
        'same', attr('a'), 'after', 'last'])}, inner)


@case(updated='n n/s n/u n/1 n/2 t t/0 t/1 t/2')
def a_comma_in_an_element_of_a_list():
    inner = stack({str(index): test(param('l', index))
                   for index in range(3)}, l=LIST)
    whole = stack({'s': test(param('t')), 'u': test(param('l', 1)),
                   **inner['resources']}, t={'type': 'string'}, l=LIST)
    return updates(lambda number: {
        'n': nested(t=joined(['x', attr('a')]), l=['same', attr('a')]),
        't': nested('n.yaml', l=['x,y', attr('a'), 'z'])}, whole, inner)


@case(updated='n n/u n/2')
def parts_of_a_list_in_a_map():
    inner = stack({
        **{str(index): test(param('m', 'l', index)) for index in range(3)},
        'end': test(param('m', 'end', 0)), 'u': test(param('m', 'end', 1)),
        'json': test(param('j', 0))}, m=MAP, j=MAP)
    return updates(lambda number: {'n': nested(
        j=['same', {'k': attr('a')}], m={'end': ['same', attr('a')], 'l': [
            'same', {'if': [{'equals': [number, 1]}, 'x']}, {'if': [
                'c', attr('a')]}, 'after']})},
        inner, conditions={'c': True}, heat_template_version='2021-04-16')


@case(updated='n n/n n/n/u n/n/1 n/n/2 n/g n/g/0 n/g/0/u n/g/0/1 n/g/0/2')
def parts_on_a_lower_level():
    inner = stack({'k': test(param('m', 'k')), 'u': test(param('m', 'u')),
                   **{str(index): test(param('l', index))
                      for index in range(3)}}, m=MAP, l=LIST)
    passed = {'m': param('m'), 'l': param('l')}
    around = stack({
        'n': nested('n.yaml', **passed),
        'parts': nested('n.yaml', m={'k': param('m', 'k'), 'u': 'x'},
                        l=[param('l', 0)]),
        'g': {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': 1, 'resource_def': nested('n.yaml', **passed)}}},
        m=MAP, l=LIST)
    return updates(lambda number: {'n': nested(
        m={'k': 'same', 'u': attr('a')}, l=['same', attr('a')])},
        around, inner)


@case(updated='n v u 1 2 of_value_u list of_list_1')
def outputs_with_parts():
    inner = stack({'s': test(param('m', 'k'))},
                  {'m': param('m'), 'l': param('l')}, m=MAP, l=LIST)
    return updates(lambda number: {
        'n': nested(m={'k': 'same', 'u': attr('a')}, l=['same', attr('a')]),
        'k': test(attr('n', 'm', 'k')), 'u': test(attr('n', 'm', 'u')),
        **{str(index): test(attr('n', 'l', index)) for index in range(3)},
        'v': {'type': 'OS::Heat::Value', 'properties': {
            'type': 'json', 'value': attr('n', 'm')}},
        'list': {'type': 'OS::Heat::Value', 'properties': {
            'type': 'comma_delimited_list', 'value': ['same', {'if': [
                'c', attr('a')]}, 'after']}},
        'of_value_u': test(attr('v', 'value', 'u')),
        'of_list_0': test(attr('list', 'value', 0)),
        'of_list_1': test(attr('list', 'value', 1))},
        inner, conditions={'c': True}, heat_template_version='2021-04-16')
