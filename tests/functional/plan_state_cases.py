# SPDX-License-Identifier: Apache-2.0

"""Updates of resources in each state in which an operation can leave them."""

import functools

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)

_ACTIONS = ('CREATE', 'UPDATE', 'DELETE', 'CHECK', 'SUSPEND', 'RESUME',
            'ADOPT', 'SNAPSHOT')
# The ID of an engine that has been killed.
KILLED = '00000000-0000-4000-8000-000000000000'


def _resources(**changes):
    nested = {'type': 'm.yaml', 'properties': {'p': 'one'}}
    resources = {'same': test(), 'changed': test(), 'replaced': test(
        update_replace_value='x'), 'same_kept': test(type='Test::Keeping'),
                 'changed_kept': test(type='Test::Keeping'),
                 'replaced_kept': test(type='Test::Keeping',
                                       update_replace_value='x'),
                 'removed': test(), 'nested': nested, 'changed_nested': nested}
    return {name: {**each, 'properties': {
        **each['properties'], **changes.get(name, {})}}
        for name, each in resources.items()}


def _body(resources):
    return body(resources, {'m.yaml': plan_cases.MEMBER})


def _left_in(action, status, engine=None):
    before = _resources()
    after = _resources(
        changed={'value': 'two'}, changed_kept={'value': 'two'},
        changed_nested={'p': 'two'},
        replaced={'update_replace_value': 'y'},
        replaced_kept={'update_replace_value': 'y'})
    del after['removed']
    return _body(before), _body(after), (), (), {
        name: (action, status, engine) for name in before}


def running():
    """Return a stack, its first update, and an update during the first."""
    def root(value='one', fail=False, **more):
        return _body({
            'slow': test(value, wait_secs=4 if value == 'two' else 0),
            'fails': test(value, wait_secs=4 if fail else 0, fail=fail),
            'nested': {'type': 'slow.yaml', 'properties': {'p': value}},
            'after': test(attr('slow'), **more), 'other': test()})
    return root(), root('two', True), root('three')


def during_an_update():
    """Return a stack, its first update, and an update during the first."""
    def root(value, seconds=0, fail=False):
        slow = {'parameters': {'p': {'type': 'string'}}, 'resources': {
            'same': test(), 'slow': test({'get_param': 'p'},
                                         wait_secs=seconds)}}
        return body({
            'slow': test(value, wait_secs=seconds), 'same': test(),
            'fails': test(value, wait_secs=seconds, fail=fail),
            'nested': {'type': 'm.yaml', 'properties': {'p': value}},
            'after': test(attr('slow')),
            **({} if value == 'one' else {'later': test(depends_on='slow')})},
            {'m.yaml': slow})
    return root('one'), root('two', 4, True), root('three')


def during_a_creation():
    """Return a stack whose creation fails while a chain is created."""
    slow = {'parameters': {'p': {'type': 'string'}}, 'resources': {
        'slow': test({'get_param': 'p'}, wait_secs=10)}}

    def root(value, fail):
        chain = {'resources': ['slow.yaml'],
                 'resource_properties': {'p': value}}
        return body({'fails': test(value, fail=fail, wait_secs=4), 'kept': {
            'type': 'slow.yaml', 'properties': {'p': value}}, 'chain': {
            'type': 'OS::Heat::ResourceChain', 'properties': chain}},
            {'slow.yaml': slow})
    return root('one', True), root('two', False)


def of_a_scaling_group(size):
    """Return a stack with a scaling group."""
    return body({'g': {
        'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 0, 'max_size': 3, 'desired_capacity': size,
            'resource': test(type='Test::Keeping')}}})


for _action in _ACTIONS:
    for _name, _state in (('failed', ('FAILED',)),
                          ('complete', ('COMPLETE',)),
                          ('in_progress', ('IN_PROGRESS',)),
                          ('killed', ('IN_PROGRESS', KILLED))):
        if (_action, _name) != ('DELETE', 'complete'):
            plan_cases.add_case(
                CASES, f'{_action.lower()}_{_name}',
                functools.partial(_left_in, _action, *_state))
