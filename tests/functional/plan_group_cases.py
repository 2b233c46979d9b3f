# SPDX-License-Identifier: Apache-2.0

"""Updates of groups. They need the resource types of ``resource_plugins``."""

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import MEMBER
from tests.functional.plan_cases import ref
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)

# get_resource of such a member is the reference of a resource in it.
SERVER = {**MEMBER, 'outputs': {'OS::stack_id': {'value': ref('s')},
                                'address': {'value': attr('s')},
                                'fixed': {'value': 'x'}}}
FIXED = {**SERVER, 'outputs': {'OS::stack_id': {'value': attr('s')}}}
FILES = {'m.yaml': MEMBER, 'server.yaml': SERVER, 'fixed.yaml': FIXED}
RESOURCES, SCALING, CHAIN = (
    'OS::Heat::' + kind for kind in (
        'ResourceGroup', 'AutoScalingGroup', 'ResourceChain'))


def group(size=2, member=None, kind=RESOURCES, policy=None, **more):
    """Return a group; its members get a property."""
    member = member or {'type': 'm.yaml', 'properties': {'p': 'one'}}
    resource = {'type': kind, 'properties': (
        {'count': size, 'resource_def': member} if kind == RESOURCES else
        {'min_size': 0, 'max_size': 9, 'desired_capacity': size,
         'resource': member}) | more}
    return resource | ({'update_policy': policy} if policy else {})


def root(*arguments, **more):
    extra = more.pop('extra', {})
    return body({'g': group(*arguments, **more), **extra}, FILES)


def member(kind, **properties):
    return {'type': kind, 'properties': properties}


def rolling(size, minimum, kind=RESOURCES):
    """Return what makes a group of a kind update its members in batches."""
    policy = {'max_batch_size': size, 'min_in_service': minimum}
    return {'policy': {'rolling_update': policy}} if kind == RESOURCES else {
        'rolling_updates': policy}


for _name, _kind in ('resources', RESOURCES), ('scaling', SCALING):
    for _size, _least in (1, 0), (1, 2), (2, 1), (3, 3):
        plan_cases.add_case(
            CASES, f'{_name}_in_batches_of_{_size}_with_{_least}',
            lambda kind=_kind, size=_size, least=_least: (
                root(3, member(plan_cases.TEST, value='one'), kind,
                     **rolling(size, least, kind)),
                root(3, member(plan_cases.TEST, value='two'), kind,
                     **rolling(size, least, kind))))
    plan_cases.add_case(
        CASES, f'{_name}_replaces_members_in_batches', lambda kind=_kind: (
            root(3, member(plan_cases.TEST, update_replace_value='a'), kind,
                 **rolling(1, 1, kind)),
            root(3, member(plan_cases.TEST, update_replace_value='b'), kind,
                 **rolling(1, 1, kind))))
    for _size, _least in (1, 3), (2, 2), (2, 3):
        plan_cases.add_case(
            CASES, f'{_name}_replaces_{_size}_and_keeps_{_least}',
            lambda kind=_kind, size=_size, least=_least: (
                root(3, member(plan_cases.TEST, update_replace_value='a'),
                     kind, **rolling(size, least, kind)),
                root(3, member(plan_cases.TEST, update_replace_value='b'),
                     kind, **rolling(size, least, kind))))
    plan_cases.add_case(
        CASES, f'{_name}_only_changes_its_batches', lambda kind=_kind: (
            root(2, kind=kind, **rolling(1, 1, kind)),
            root(2, kind=kind, **rolling(2, 0, kind))))
    plan_cases.add_case(
        CASES, f'{_name}_grows_in_batches', lambda kind=_kind: (
            root(1, kind=kind, **rolling(1, 1, kind)),
            root(3, member('m.yaml', p='two'), kind, **rolling(1, 1, kind))))
    plan_cases.add_case(
        CASES, f'{_name}_shrinks_in_batches', lambda kind=_kind: (
            root(3, kind=kind, **rolling(1, 0, kind)),
            root(1, member('m.yaml', p='two'), kind, **rolling(1, 0, kind))))
    plan_cases.add_case(
        CASES, f'{_name}_of_another_type', lambda kind=_kind: (
            root(2, member(plan_cases.TEST, value='x'), kind),
            root(2, member('m.yaml', p='x'), kind)))
    plan_cases.add_case(
        CASES, f'{_name}_becomes_empty', lambda kind=_kind: (
            root(2, kind=kind), root(0, kind=kind)))
    plan_cases.add_case(
        CASES, f'{_name}_is_added', lambda kind=_kind: (
            body({'a': test()}, FILES),
            root(2, kind=kind, extra={'a': test()})))
    plan_cases.add_case(
        CASES, f'{_name}_is_removed', lambda kind=_kind: (
            root(2, kind=kind, extra={'a': test()}),
            body({'a': test()}, FILES)))
    plan_cases.add_case(
        CASES, f'{_name}_is_marked', lambda kind=_kind: (
            root(2, kind=kind), root(2, kind=kind), ['g']))


@case()
def an_index_in_each_member():
    def made(text):
        return root(3, member('m.yaml', p=f'{text}-%index%', q='%index%'))
    return made('one'), made('two')


@case()
def another_word_for_the_index():
    def made(word):
        return root(2, member('m.yaml', p=f'v-{word}'), index_var=word)
    return made('%index%'), made('%n%')


@case()
def an_index_into_a_list():
    def made(*names):
        before = root(2, {'type': 'm.yaml', 'properties': {
            'p': {'str_replace': {'template': 'T', 'params': {
                'T': {'get_param': ['names', '%index%']}}}}}})
        before['template']['parameters'] = {
            'names': {'type': 'comma_delimited_list',
                      'default': list(names)}}
        return before
    return made('x', 'y'), made('x', 'z')


@case()
def members_by_name_are_removed():
    return root(4), root(4, removal_policies=[{'resource_list': ['1', '3']}])


@case()
def removal_policies_add_up():
    before = root(3, removal_policies=[{'resource_list': ['0']}])
    return before, root(3, removal_policies=[{'resource_list': ['2']}])


@case()
def removal_policies_start_anew():
    before = root(2, removal_policies=[{'resource_list': ['0']}])
    return before, root(2, removal_policies=[{'resource_list': ['1']}],
                        removal_policies_mode='update')


@case()
def a_removed_member_stays_removed():
    before = root(2, removal_policies=[{'resource_list': ['0']}])
    return before, root(3)


@case(legacy={'updated': 'reader'})
def what_reads_removed_names():
    def made(*names):
        return root(3, removal_policies=[{'resource_list': list(names)}],
                    extra={'reader': test({'list_join': [
                        ',', attr('g', 'removed_rsrc_list')]})})
    return made('0'), made('0', '2')


@case(updated='reader')
def what_reads_a_group_that_grows():
    def made(size):
        return root(size, extra={'reader': test({'list_join': [
            ',', attr('g', 'refs')]}), 'first': test(
                attr('g', 'resource.0')), 'id': test(ref('g'))})
    return made(2), made(3)


@case(legacy={'updated': 'reader literal'})
def what_reads_a_group_that_shrinks():
    def made(size):
        return root(size, extra={'reader': test({'list_join': [
            ',', attr('g', 'refs')]}), 'first': test(
                attr('g', 'resource.0')), 'literal': test({'list_join': [
                    ',', attr('g', 'literal')]})})
    return made(3), made(2)


@case(updated='changes')
def what_reads_members_that_change():
    def made(value):
        return root(2, member('m.yaml', p=value), extra={
            'changes': test({'list_join': [',', attr('g', 'changes')]}),
            'map': test({'str_replace': {'template': 'T', 'params': {
                'T': attr('g', 'attributes', 'stays')}}}),
            'stays': test({'list_join': [',', attr('g', 'stays')]}),
            'literal': test(attr('g', 'resource.1.literal')),
            'one': test(attr('g', 'resource.0.parameter')),
            'refs': test({'list_join': [',', attr('g', 'refs')]}),
            'removed': test({'list_join': [
                ',', attr('g', 'removed_rsrc_list')]})})
    return made('one'), made('two')


@case(updated='changes')
def what_reads_members_of_a_scaling_group():
    def made(value):
        return root(2, member('m.yaml', p=value), SCALING, extra={
            'changes': test({'list_join': [
                ',', attr('g', 'outputs_list', 'changes')]}),
            'stays': test({'list_join': [
                ',', attr('g', 'outputs_list', 'stays')]}),
            'literal': test(attr('g', 'resource.0.literal')),
            'refs': test({'list_join': [',', attr('g', 'refs')]}),
            'size': test(attr('g', 'current_size'))})
    return made('one'), made('two')


@case(updated='refs', legacy={'updated': 'size'})
def what_reads_a_scaling_group_that_grows():
    def made(size):
        return root(size, kind=SCALING, extra={
            'refs': test({'list_join': [',', attr('g', 'refs')]}),
            'size': test(attr('g', 'current_size'))})
    return made(1), made(2)


@case(legacy={'updated': 'refs size'})
def what_reads_a_scaling_group_that_shrinks():
    def made(size):
        return root(size, kind=SCALING, extra={
            'refs': test({'list_join': [',', attr('g', 'refs')]}),
            'size': test(attr('g', 'current_size'))})
    return made(3), made(2)


@case()
def references_of_members_that_are_resources():
    def made(value):
        return root(2, member('server.yaml', p=value), SCALING, extra={
            'refs': test({'list_join': [',', attr('g', 'refs')]}),
            'fixed': test({'list_join': [
                ',', attr('g', 'outputs_list', 'fixed')]})})
    return made('one'), made('two')


@case(updated='r')
def get_resource_of_an_output():
    def made(value):
        return body({'n': member('server.yaml', p=value),
                     'f': member('fixed.yaml', p=value),
                     'a': test(ref('n')), 'r': test(ref('f'))}, FILES)
    return made('one'), made('two')


@case(updated='r')
def get_resource_of_a_marked_resource_inside():
    before = body({'n': member('server.yaml', p='one'), 'r': test(ref('n'))},
                  FILES)
    return before, before, ['n/s']


@case(updated='g g/* g/*/s')
def a_value_that_is_not_known_in_batches():
    def made(value):
        return root(2, member('m.yaml', p=attr('a')), SCALING,
                    extra={'a': test(value)}, **rolling(1, 1, SCALING))
    return made('one'), made('two')


@case(updated='g', replaced='g/0 g/1')
def a_value_that_is_not_known_replaces_members():
    def made(value):
        return root(2, member(plan_cases.TEST, update_replace_value=attr('a'),
                              value='same'), extra={'a': test(value)})
    return made('one'), made('two')


@case(updated='g', removed='g/[!(]*', unknown='g/(others)')
def a_scaling_group_of_an_unknown_size():
    def made(value):
        return root(attr('a'), kind=SCALING, member=member(
            plan_cases.TEST, value='x'), extra={'a': test(value)})
    return made('2'), made('1')


def _chain(*kinds, **properties):
    return {'type': CHAIN, 'properties': {
        'resources': list(kinds), 'resource_properties': properties}}


@case()
def a_chain_changes_its_properties():
    def made(value):
        return body({'c': _chain(plan_cases.TEST, plan_cases.TEST,
                                 value=value)})
    return made('one'), made('two')


@case()
def a_chain_becomes_shorter():
    return (body({'c': _chain(*[plan_cases.TEST] * 3, value='x')}),
            body({'c': _chain(plan_cases.TEST, value='x')}))


@case()
def a_chain_of_other_types():
    return (body({'c': _chain(plan_cases.TEST, 'OS::Heat::Value', value='x')}),
            body({'c': _chain(plan_cases.TEST, plan_cases.TEST, value='x')}))


@case(replaced='c c/0 c/1')
def a_chain_with_an_unknown_value():
    def made(value):
        return body({'a': test(value), 'c': _chain(
            plan_cases.TEST, plan_cases.TEST, value=attr('a'))})
    return made('one'), made('two')


def _configured(value='one', size=2, policy=True, image='i'):
    update = {'MaxBatchSize': 1, 'MinInstancesInService': 1}
    name = {'LaunchConfigurationName': ref('conf'),
            'AvailabilityZones': ['z']}
    return body({
        'conf': {'type': 'Test::Configuration', 'properties': {
            'KeyName': value, 'InstanceType': image}},
        'amazon': {
            'type': 'AWS::AutoScaling::AutoScalingGroup', 'properties': {
                'MinSize': 0, 'MaxSize': 9, 'DesiredCapacity': size, **name},
            'update_policy': {'AutoScalingRollingUpdate': update}
            if policy else {}},
        'heat': {'type': 'OS::Heat::InstanceGroup', 'properties': {
            'Size': size, **name}, 'update_policy': {
                'RollingUpdate': update} if policy else {}}})


@case()
def instances_of_a_configuration():
    return _configured(), _configured()


@case()
def instances_grow():
    return _configured(), _configured(size=3)


@case()
def instances_shrink():
    return _configured(size=3), _configured(size=1)


@case(updated='amazon heat', replaced='amazon/* heat/*')
def a_configuration_is_replaced():
    return _configured(), _configured(image='j')


@case(updated='amazon heat')
def a_configuration_is_replaced_without_batches():
    return _configured(policy=False), _configured(image='j', policy=False)


@case(replaced='amazon/[!(]* heat/[!(]*')
def a_configuration_is_replaced_and_instances_grow():
    return _configured(), _configured(size=3, image='j')


@case()
def a_group_in_a_group():
    inner = {'parameters': {'p': {'type': 'string'}}, 'resources': {
        'g': group(2, member(plan_cases.TEST, value={'get_param': 'p'}))}}

    def made(value, size=2):
        return body({'g': group(size, member('inner.yaml', p=value), SCALING)},
                    {'inner.yaml': inner})
    return made('one'), made('two', 3)


@case()
def members_with_metadata_and_conditions():
    inner = {'parameters': {'on': {'type': 'boolean'}},
             'conditions': {'on': {'get_param': 'on'}},
             'resources': {'a': test(condition='on'), 'b': test()}}

    def made(on):
        return body({'g': group(2, {
            'type': 'inner.yaml', 'properties': {'on': on},
            'metadata': {'on': on}})}, {'inner.yaml': inner})
    return made(True), made(False)


@case()
def a_group_gets_another_property_of_its_environment():
    def made(kind):
        before = root(2, member('Test::Any', value='x'))
        return before | {'environment': {'resource_registry': {
            'Test::Any': kind}}}
    return made(plan_cases.TEST), made('OS::Heat::Value')


@case()
def a_member_is_marked_while_a_group_shrinks():
    return root(3), root(2), ['g/0']


@case()
def a_resource_in_a_member_is_marked():
    return root(2), root(2), ['g/1/s']


@case()
def another_type_becomes_a_group_that_skips_a_name():
    group = {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': 1, 'resource_def': test(),
        'removal_policies': [{'resource_list': ['0']}]}}
    return (body({'g': test()}),
            body({'g': group}))


@case(replaced='conf')
def metadata_of_a_launch_configuration_is_not_known():
    def made(value):
        return body({'t': test(value), 'conf': {
            'type': 'Test::Configuration',
            'metadata': {'k': attr('t')}, 'properties': {'KeyName': 'k'}}})
    return made('one'), made('two')


for _name, _kind in ('resources', RESOURCES), ('scaling', SCALING), (
        'chain', CHAIN):
    plan_cases.add_case(
        CASES, f'{_name}_are_read_for_the_first_time',
        lambda kind=_kind: tuple(_read_first(kind, number)
                                 for number in range(2)))


def _read_first(kind, is_read):
    """Return a group whose attribute gets its first readers."""
    def made(more):
        each = ({'type': CHAIN, 'properties': {'resources': [plan_cases.TEST]}}
                if kind == CHAIN else group(1, test(), kind))
        return {'resources': {'g': each, 'kept': test(), **(
            {'reader': test({'list_join': ['', attr('g', 'refs')]})}
            if more == 'reader' else {})}, **(
            {'outputs': {'o': {'value': attr('g', 'refs')}}}
            if more == 'output' else {})}
    names = ('output', 'reader')
    inner = {f'{name}.yaml': made(is_read and name) for name in names}
    sections = made(is_read and 'reader')
    sections['resources'].update({
        name: {'type': f'{name}.yaml'} for name in names})
    return body(sections.pop('resources'), inner)


def deployments(kind='Software', names='ab', policy=None, text='one', **more):
    """Return a deployment group, and a resource that reads it."""
    return body({
        'source': test(text), 'config': member(
            f'OS::Heat::{kind}Config', config={'k': 'x'} if (
                kind == 'Structured') else 'x', inputs=[
                {'name': 'i', 'default': more.pop('default', 'x'),
                 'replace_on_change': more.pop('strict', False)}]),
        **{f's{name}': member(
            'OS::Heat::DeployedServer', name=name,
            software_config_transport='POLL_SERVER_HEAT') for name in names},
        'g': member(f'OS::Heat::{kind}DeploymentGroup', config=ref('config'),
                    signal_transport='NO_SIGNAL', servers={
                        name: ref(f's{name}') for name in names}, **more) | (
            {'update_policy': policy} if policy else {}),
        # In batches, Heat reads new members before it adds them.
        **({} if policy else {
            'reader': test(metadata=attr('g', 'deploy_stdouts'))})})


def _uncertain(what, is_in_batches):
    updated = {'get_another_config': 'g g/a g/b',
               'get_all_at_once': 'g/b'}.get(what, '')
    if not is_in_batches:
        return {'updated': f'{updated} reader'}
    if what in ('have_another_server', 'get_all_at_once'):
        # Heat keeps the name of the removed server.
        return {'updated': f'{updated} g', 'removed': 'g/a', 'added': 'g/c'}
    return {'updated': updated}


_BATCHES = {'rolling_update': {'max_batch_size': 1}}
for _kind in 'Software', 'Structured':
    for _policy in None, _BATCHES:
        def _made(kind=_kind, policy=_policy, **more):
            return deployments(kind, policy=policy, **more)
        _name = f'{_kind.lower()}_deployments{"_in_batches" * bool(_policy)}'
        for _what, _change in (
                ('get_another_config', {'default': 'y'}),
                ('get_another_server', {'names': 'abc'}),
                ('lose_a_server', {'names': 'b'}),
                ('have_another_server', {'names': 'bc'}),
                ('get_all_at_once', {'names': 'bc', 'default': 'y'})):
            plan_cases.add_case(
                CASES, f'{_name}_{_what}',
                lambda made=_made, change=_change: (made(), made(**change)),
                **_uncertain(_what, _policy))


@case(replaced='g/a g/b', updated='g reader')
def deployments_are_replaced():
    def made(value):
        return deployments(default=value, strict=True)
    return made('one'), made('two')


@case(updated='g g/a g/b reader')
def input_values_of_deployments():
    def made(value):
        return deployments(text=value, input_values={
            'i': attr('source'), 'j': 'x'})
    return made('one'), made('two')


@case(replaced='g/a g/b', updated='g reader')
def strict_input_values_of_deployments():
    def made(value):
        return deployments(text=value, strict=True, input_values={
            'i': attr('source'), 'j': 'x'})
    return made('one'), made('two')


@case(updated='g g/a g/b reader')
def harmless_input_values_of_deployments():
    def made(value):
        return deployments(text=value, strict=True, input_values={
            'i': 'x', 'j': attr('source')})
    return made('one'), made('two')


@case(updated='g g/a g/b reader')
def a_name_of_deployments():
    def made(value):
        return deployments(text=value, name=attr('source'))
    return made('one'), made('two')
