# SPDX-License-Identifier: Apache-2.0

"""Stacks in the shape of well-known example templates, and usual updates.

Resources of services are test resources. Their ``value`` is what the service
can change, and what their attributes return. ``update_replace_value`` is what
it cannot change.
"""

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import RANDOM
from tests.functional.plan_cases import ref
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)


def get(name):
    return {'get_param': name}


def texts(**defaults):
    """Return parameters of text."""
    return {name: ('string', value) for name, value in defaults.items()}


def scaling(kind, /, **properties):
    """Return a scaling group of two nested stacks."""
    return {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
        'min_size': 1, 'max_size': 5, 'desired_capacity': 2,
        'resource': {'type': kind, 'properties': properties}}}


def counted(kind, count, /, **properties):
    """Return a group of a number of nested stacks."""
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count,
        'resource_def': {'type': kind, 'properties': properties}}}


def thing(changeable, *fixed, **more):
    """Return the resource of a service."""
    return test({'list_join': [' ', list(changeable)]}, **more, **({
        'update_replace_value': {'list_join': [' ', list(fixed)]}}
        if fixed else {}))


def server(*networks, name='s', user_data='', **more):
    return thing([name, get('flavor')], get('image'), user_data, *networks,
                 **more)


def port(network, subnet, *security_groups):
    return thing([subnet, *security_groups], network)


def network(name):
    return thing([name])


def subnet(network, cidr, gateway='auto'):
    return thing([gateway], network, cidr)


def router(external):
    return thing([external])


def interface(router, subnet):
    return thing(['interface'], router, subnet)


def floating(network, port):
    return thing([port], network)


def volume(size, kind='lvm'):
    return thing([size], kind)


def attachment(server, volume):
    return thing(['attached'], server, volume)


def pool(method, subnet=''):
    return thing([method], subnet)


def pool_member(pool, address, subnet=''):
    return thing(['80'], pool, address, subnet)


def user_data(script, **parameters):
    return {'str_replace': {'template': script, 'params': {
        f'${name}': value for name, value in parameters.items()}}}


BASE = {'image': 'fedora', 'flavor': 'small', 'key': 'k'}


def changed(resources, after, files=None, more=None, **sections):
    """Return a stack and its update by other values of parameters."""
    def root(**given):
        return body(resources, files, texts(**{**BASE, **(more or {})}),
                    given=given, **sections)
    return root(), root(**after)


@case()
def one_server():
    return changed({'server': server()}, {'flavor': 'large'})


@case()
def one_server_of_another_image():
    return changed({'server': server()}, {'image': 'debian'}, outputs={
        'address': {'value': attr('server')}})


_TWO_SERVERS = {
    'net': network(get('name')), 'subnet': subnet(ref('net'), get('cidr')),
    'router': router(get('public')),
    'interface': interface(ref('router'), ref('subnet')),
    **{key: value for number in '12' for key, value in {
        f'port{number}': port(ref('net'), ref('subnet')),
        f'server{number}': server(ref(f'port{number}')),
        f'address{number}': floating(get('public'), ref(f'port{number}')),
    }.items()}}
_NETWORK = {'name': 'n', 'cidr': '10.0.0.0/24', 'public': 'ext'}


@case()
def servers_in_a_new_network_get_another_flavor():
    return changed(_TWO_SERVERS, {'flavor': 'large'}, more=_NETWORK)


@case()
def servers_in_a_new_network_that_is_renamed():
    return changed(_TWO_SERVERS, {'name': 'm'}, more=_NETWORK)


@case(replaced='interface', updated='port1 port2')
def servers_in_a_new_network_of_another_range():
    return changed(_TWO_SERVERS, {'cidr': '10.1.0.0/24'}, more=_NETWORK)


@case()
def servers_in_a_new_network_with_another_gateway():
    return changed(_TWO_SERVERS, {'public': 'other'}, more=_NETWORK)


@case()
def servers_in_a_network_become_three():
    before, _ = changed(_TWO_SERVERS, {}, more=_NETWORK)
    after, _ = changed({**_TWO_SERVERS, 'port3': port(
        ref('net'), ref('subnet')), 'server3': server(ref('port3'))}, {},
        more=_NETWORK)
    return before, after


@case(replaced='attachment')
def a_server_with_a_volume_is_replaced():
    return changed({'server': server(), 'volume': volume(get('size')),
                    'attachment': attachment(ref('server'), ref('volume'))},
                   {'image': 'debian'}, more={'size': '1'})


@case()
def a_server_with_a_volume_that_grows():
    return changed({'server': server(), 'volume': volume(get('size')),
                    'attachment': attachment(ref('server'), ref('volume'))},
                   {'size': '2'}, more={'size': '1'})


@case(replaced='attachment')
def a_volume_of_another_type():
    return changed({'server': server(),
                    'volume': volume(get('size'), get('kind')),
                    'attachment': attachment(ref('server'), ref('volume'))},
                   {'kind': 'ceph'}, more={'size': '1', 'kind': 'lvm'})


_WORDPRESS = {
    'password': RANDOM, 'root_password': RANDOM,
    'db': server(name='db', user_data=user_data(
        'install $name $password $root', name=get('db_name'),
        password=attr('password', 'value'),
        root=attr('root_password', 'value'))),
    'web': server(name='web', user_data=user_data(
        'connect $host $password', host=attr('db'),
        password=attr('password', 'value')))}


@case(replaced='web')
def wordpress_gets_another_flavor():
    # The address of the database may change with its flavor.
    return changed(_WORDPRESS, {'flavor': 'large'}, more={'db_name': 'w'})


@case(replaced='web')
def wordpress_gets_another_database():
    return changed(_WORDPRESS, {'db_name': 'x'}, more={'db_name': 'w'})


@case(replaced='db web')
def wordpress_gets_another_password():
    after = {**_WORDPRESS, 'password': {
        **RANDOM, 'properties': {'length': 40}}}
    return (changed(_WORDPRESS, {}, more={'db_name': 'w'})[0],
            changed(after, {}, more={'db_name': 'w'})[0])


_LB_SERVER = {
    'parameters': {name: {'type': 'string'} for name in (
        'image', 'flavor', 'pool', 'data')},
    'resources': {'server': server(user_data=get('data')),
                  'member': pool_member(get('pool'), attr('server'))},
    'outputs': {'OS::stack_id': {'value': ref('server')},
                'address': {'value': attr('server')}}}


def _autoscaling(kind='OS::Heat::AutoScalingGroup'):
    scaled = {'type': 'lb.yaml', 'properties': {
        'image': get('image'), 'flavor': get('flavor'), 'pool': ref('pool'),
        'data': user_data('$host $name', host=attr('db'),
                          name=get('db_name'))}}
    group = ({'min_size': 1, 'max_size': 3, 'desired_capacity': 2,
              'resource': scaled} if kind.endswith('ScalingGroup') else
             {'count': 2, 'resource_def': scaled})
    return {'db': thing([get('db_name')]), 'pool': pool(get('method')),
            'monitor': thing(['5'], ref('pool')),
            'group': {'type': kind, 'properties': group},
            'up': {'type': 'OS::Heat::ScalingPolicy', 'properties': {
                'adjustment_type': 'change_in_capacity',
                'auto_scaling_group_id': ref('group'),
                'scaling_adjustment': 1}},
            'alarm': thing([attr('up', 'signal_url')]),
            'addresses': thing([{'list_join': [',', attr('group', 'refs')]}])}


_SCALED = {'db_name': 'w', 'method': 'round_robin'}


@case(replaced='group/*/member')
def autoscaling_of_another_flavor():
    # The address of a server may change with its flavor.
    return changed(_autoscaling(), {'flavor': 'large'}, {'lb.yaml':
                                                         _LB_SERVER}, _SCALED)


@case(replaced='group/*/member', updated='addresses')
def autoscaling_of_another_image():
    return changed(_autoscaling(), {'image': 'debian'}, {'lb.yaml':
                                                         _LB_SERVER}, _SCALED)


@case()
def autoscaling_of_another_method():
    return changed(_autoscaling(), {'method': 'least'}, {'lb.yaml':
                                                         _LB_SERVER}, _SCALED)


@case(updated='group group/* addresses',
      replaced='group/*/server group/*/member')
def autoscaling_of_another_database():
    return changed(_autoscaling(), {'db_name': 'x'}, {'lb.yaml': _LB_SERVER},
                   _SCALED)


@case()
def stacks_in_a_scaling_group():
    inner = {'parameters': {name: {'type': 'string'} for name in (
        'image', 'flavor', 'size')},
        'resources': {'server': server(), 'volume': volume(get('size')),
                      'attachment': attachment(ref('server'), ref('volume'))}}
    group = scaling('vm.yaml', **{name: get(name) for name in (
        'image', 'flavor', 'size')})
    return changed({'group': group}, {'size': '2'}, {'vm.yaml': inner},
                   {'size': '1'})


@case()
def servers_that_heal_themselves():
    inner = {'parameters': {name: {'type': 'string'} for name in (
        'image', 'flavor')}, 'resources': {
        'server': server(), 'alarm': thing([ref('server')]),
        'trigger': thing([], ref('server'))}, 'outputs': {
            'OS::stack_id': {'value': ref('server')}}}
    group = scaling('heal.yaml', image=get('image'), flavor=get('flavor'))
    return changed({'group': group}, {'flavor': 'large'},
                   {'heal.yaml': inner})


@case()
def conditions_of_an_environment():
    resources = {
        'always': test({'if': ['prod', 'production', 'testing']}),
        'prod': test(condition='prod'),
        'test': test(condition={'not': 'prod'}),
        'both': test(condition='here'), 'none': test(condition={
            'and': ['prod', {'not': 'here'}]})}
    return changed(resources, {'environment': 'prod'}, more={
        'environment': 'test', 'zone': 'here'}, conditions={
        'prod': {'equals': [get('environment'), 'prod']},
        'here': {'and': ['prod', {'equals': [get('zone'), 'here']}]}},
        outputs={'o': {'value': ref('prod'), 'condition': 'prod'}})


@case()
def a_group_looks_up_by_index():
    inner = {'parameters': {'index': {'type': 'number'},
                            'lengths': {'type': 'comma_delimited_list'}},
             'resources': {'r': {**RANDOM, 'properties': {
                 'length': {'get_param': ['lengths', get('index')]}}}},
             'outputs': {'value': {'value': attr('r', 'value')}}}

    def root(*lengths):
        group = counted('random.yaml', 3, index='%index%',
                        lengths=get('lengths'))
        return body({'group': group}, {'random.yaml': inner}, {
            'lengths': ('comma_delimited_list', ','.join(lengths))})
    return root('4', '5', '6'), root('4', '7', '6')


@case()
def a_server_with_more_volumes():
    inner = {'parameters': {name: {'type': 'string'} for name in (
        'server', 'size')}, 'resources': {
        'volume': volume(get('size')),
        'attachment': attachment(get('server'), ref('volume'))}}

    def root(count):
        volumes = counted('volume.yaml', count, server=ref('server'),
                          size='1')
        return body({'server': server(), 'volumes': volumes},
                    {'volume.yaml': inner}, texts(**BASE))
    return root(2), root(3)


@case(updated='volumes volumes/*', replaced='volumes/*/attachment')
def a_server_with_volumes_is_replaced():
    before, after = a_server_with_more_volumes()
    return before, {**before, 'parameters': {'image': 'debian'}}


_SEQUENCE = {
    'config': {'type': 'OS::Heat::SoftwareConfig', 'properties': {
        'group': 'script', 'config': get('script')}},
    'server_a': server(), 'server_b': server(),
    'deployment_a': thing([ref('config')], ref('server_a')),
    'deployment_b': thing([ref('config'), attr('deployment_a')],
                          ref('server_b')),
    'deployment_c': thing([ref('config')], ref('server_a'),
                          depends_on='deployment_b')}


@case(updated='deployment_a deployment_b deployment_c')
def deployments_in_a_sequence():
    return changed(_SEQUENCE, {'script': 'two'}, more={'script': 'one'})


@case(replaced='deployment_a deployment_b deployment_c')
def deployments_on_another_image():
    return changed(_SEQUENCE, {'image': 'debian'}, more={'script': 'one'})


@case(updated='deployment')
def a_structured_deployment():
    return changed({
        'config': {'type': 'OS::Heat::StructuredConfig', 'properties': {
            'group': 'ansible', 'config': {'value': get('value')}}},
        'server': server(),
        'deployment': thing([ref('config')], ref('server'))},
        {'value': 'two'}, more={'value': 'one'})


@case(replaced='init server')
def a_server_of_several_configs():
    return changed({
        'one': {'type': 'OS::Heat::SoftwareConfig', 'properties': {
            'config': get('value')}},
        'two': {'type': 'OS::Heat::CloudConfig', 'properties': {
            'cloud_config': {'packages': ['git']}}},
        'init': {'type': 'OS::Heat::MultipartMime', 'properties': {
            'parts': [{'config': ref('one')}, {'config': ref('two')}]}},
        'server': server(user_data=ref('init'))},
        {'value': 'two'}, more={'value': 'one'})


@case()
def a_load_balancer():
    resources = {
        'balancer': thing([get('name')], get('subnet')),
        'listener': thing(['80'], ref('balancer')),
        'pool': pool(get('method'), ref('listener')),
        'monitor': thing([get('delay')], ref('pool')),
        'server': server(), 'member': pool_member(
            ref('pool'), ref('server'), get('subnet')),
        'address': floating('ext', ref('balancer'))}
    return changed(resources, {'method': 'least', 'delay': '9'}, more={
        'name': 'b', 'subnet': 's', 'method': 'round_robin', 'delay': '5'})


@case(replaced='listener pool monitor member', updated='address')
def a_load_balancer_of_another_subnet():
    resources = {
        'balancer': thing(['b'], get('subnet')),
        'listener': thing(['80'], ref('balancer')),
        'pool': pool('round_robin', ref('listener')),
        'monitor': thing(['5'], ref('pool')),
        'server': server(), 'member': pool_member(
            ref('pool'), ref('server'), get('subnet')),
        'address': floating('ext', ref('balancer'))}
    after = {**resources, 'member': pool_member(
        ref('pool'), ref('server'), 'other')}
    return (changed(resources, {}, more={'subnet': 's'})[0],
            changed({**after, 'member': resources['member']},
                    {'subnet': 'other'}, more={'subnet': 's'})[1])


@case(legacy={'replaced': 'server'})
def an_environment_chooses_the_image():
    def root(name):
        return body({'init': {'type': 'Test::Init'}, 'server': server(
            user_data=attr('init', 'data'))},
            {'yum.yaml': {'resources': {'c': test('yum')}, 'outputs': {
                'data': {'value': 'yum install'}}},
             'apt.yaml': {'resources': {'c': test('apt')}, 'outputs': {
                 'data': {'value': 'apt install'}}}},
            texts(**BASE), environment={'resource_registry': {
                'Test::Init': name}})
    return root('yum.yaml'), root('apt.yaml')


@case(replaced='server_b')
def a_cluster_that_waits():
    resources = {
        'handle': {'type': 'OS::Heat::WaitConditionHandle'},
        'server_a': server(user_data=get('script')),
        'server_b': server(user_data=user_data('join $peer', peer=attr(
            'server_a')), depends_on='server_a')}
    return changed(resources, {'flavor': 'large'}, more={'script': 'run'})


@case()
def users_and_projects():
    resources = {
        'domain': thing([get('name')]),
        'project': thing([get('name')], ref('domain')),
        'group': thing(['g'], ref('domain')),
        'member': thing([get('role')]),
        'user': thing([ref('project'), ref('group')], ref('domain')),
        'assignment': thing([ref('member'), ref('user')])}
    return changed(resources, {'name': 'other', 'role': 'member'},
                   more={'name': 'n', 'role': 'reader'})


@case(updated='record', replaced='policy')
def a_server_with_its_name_and_security_group():
    resources = {
        'group': thing([get('rule')]), 'server_port': port(
            'net', 'subnet', ref('group')),
        'server': server(ref('server_port')),
        'address': floating('ext', ref('server_port')),
        'zone': thing(['60'], get('domain')),
        'record': thing([attr('address'), ref('zone')]),
        'policy': thing(['p'], ref('zone'))}
    return changed(resources, {'rule': 'tcp 443', 'domain': 'example.org.'},
                   more={'rule': 'tcp 80', 'domain': 'example.com.'})
