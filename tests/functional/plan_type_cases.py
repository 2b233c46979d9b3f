# SPDX-License-Identifier: Apache-2.0

"""Updates of each resource type that needs no service."""

import functools

from tests.functional import plan_cases
from tests.functional.plan_cases import attr
from tests.functional.plan_cases import body
from tests.functional.plan_cases import ref
from tests.functional.plan_cases import test

CASES = {}
case = plan_cases.table(CASES)


def heat(kind, **properties):
    return {'type': f'OS::Heat::{kind}', 'properties': properties}


def amazon(kind, **properties):
    return {'type': f'AWS::{kind}', 'properties': properties}


@case()
def properties_of_a_test_resource():
    def root(**changed):
        return body({
            'value': test(changed.get('value', 'one')),
            'number': test(wait_secs=changed.get('number', 0)),
            'boolean': test(fail=False),
            'map': test(action_wait_secs={
                'update': changed.get('number', 0), 'create': 0}),
            'same_map': test(action_wait_secs={'create': 0, 'update': 0})})
    return root(), root(value='two', number='0.01')


@case()
def a_property_is_taken_away():
    before = body({'a': test('test_string'), 'b': test('x'),
                   'c': test(update_replace_value='x')})
    two = body({'a': test(), 'b': test(), 'c': test()})
    for name in 'ab':
        del two['template']['resources'][name]['properties']
    return before, two


@case()
def a_default_is_written_out():
    before = body({'a': {'type': 'OS::Heat::TestResource'}, 'b': test()})
    return before, body({'a': test('test_string', wait_secs=0,
                                   update_replace=False), 'b': test()})


@case()
def random_strings():
    def root(salt, classes):
        return body({
            'salted': heat('RandomString', salt=salt),
            'classes': heat('RandomString', character_classes=classes),
            'sequence': heat('RandomString', sequence='digits'),
            'same': heat('RandomString', length=32)})
    return (root('a', [{'class': 'digits', 'min': 1}]),
            root('b', [{'class': 'digits'}]))


@case()
def values_of_each_type():
    def root(number, text, flag):
        return body({
            'n': heat('Value', type='number', value=number),
            's': heat('Value', type='string', value=text),
            'b': heat('Value', type='boolean', value=flag),
            'l': heat('Value', type='comma_delimited_list', value=[text]),
            'm': heat('Value', type='json', value={'k': text, 'same': 1}),
            'none': heat('Value', value=text), 'stays': heat(
                'Value', type='json', value={'a': 1, 'b': [1, 2]})})
    return root(1, 'x', True), root('1', 'y', 'true')


@case()
def what_reads_a_value():
    def root(text):
        return body({
            'v': heat('Value', value={'k': text, 'same': 1}),
            'w': heat('Value', value=attr('v', 'value', 'k')),
            'a': test(attr('v', 'value', 'k')),
            'b': test(attr('v', 'value', 'same')),
            'c': test(attr('w', 'value')),
            'd': test(update_replace_value=attr('w', 'value'))})
    return root('one'), root('two')


@case(updated='v w', replaced='a')
def a_value_of_an_unknown_value():
    def root(text):
        return body({
            't': test(text),
            'v': heat('Value', value={'k': attr('t'), 'same': 1}),
            'w': heat('Value', value=attr('v', 'value', 'k')),
            'a': test(update_replace_value=attr('w', 'value')),
            'b': test(attr('v', 'value', 'same'))})
    return root('one'), root('two')


@case()
def a_value_is_added():
    return body({'a': test('x')}), body({
        'v': heat('Value', value='x'), 'a': test(attr('v', 'value')),
        'b': test(attr('v', 'value'))})


@case()
def none_takes_any_property():
    return (body({'n': heat('None', any_property='one'), 'a': test(
                {'list_join': ['', ['x', attr('n', 'any_attribute')]]})}),
            body({'n': heat('None', any_property='two', more=1), 'a': test(
                {'list_join': ['', ['x', attr('n', 'any_attribute')]]})}))


@case()
def none_does_nothing_with_metadata():
    return (body({'n': {**heat('None'), 'metadata': {'k': 1}}}),
            body({'n': heat('None'), 'a': test()}))


@case(updated='a')
def software_configs():
    def root(text):
        return body({
            'script': heat('SoftwareConfig', group='script', config=text),
            'same': heat('SoftwareConfig', group='script', config='true'),
            'inputs': heat('SoftwareConfig', inputs=[
                {'name': 'x', 'default': text}]),
            'structured': heat('StructuredConfig', config={'k': text}),
            'same_structured': heat('StructuredConfig', config={'k': [1]}),
            'cloud': heat('CloudConfig', cloud_config={'packages': [text]}),
            'a': test(ref('script')), 'b': test(ref('same')),
            'c': test({'list_join': [
                ',', [attr('same', 'config'), ref('same_structured')]]})})
    return root('one'), root('two')


@case(replaced='parts', updated='a')
def multipart_of_configs():
    def root(text):
        return body({
            'script': heat('SoftwareConfig', config=text),
            'same': heat('SoftwareConfig', config='true'),
            'parts': heat('MultipartMime', parts=[
                {'config': ref('script')}, {'config': ref('same')}]),
            'same_parts': heat('MultipartMime', parts=[
                {'config': ref('same')}]),
            'a': test(ref('parts')), 'b': test(ref('same_parts'))})
    return root('one'), root('two')


@case(updated='a')
def software_components():
    def root(text):
        return body({'c': heat('SoftwareComponent', configs=[
            {'actions': ['CREATE'], 'config': text, 'tool': 'script'}]),
            'a': test(ref('c'))})
    return root('one'), root('two')


def deployed(config, kind='SoftwareDeployment', server='server', **more):
    resource = heat(kind, config=ref(config),
                    signal_transport='NO_SIGNAL', **more)
    if server:
        resource['properties']['server'] = ref(server)
    return resource


@case(replaced='by_default by_unknown_value',
      updated='by_text by_harmless_value read_replaced read_by_default')
def software_deployments():
    def config(**declared):
        return heat('SoftwareConfig', group='script', config='c',
                    inputs=[{'name': 'i', **declared}])

    def root(value, **more):
        inputs = {'input_values': {'i': value}}
        return body({
            'server': heat('DeployedServer', name='x',
                           software_config_transport='POLL_SERVER_HEAT'),
            'source': test(value), 'strict': config(replace_on_change=True),
            'lenient': config(),
            'default': config(default=value, replace_on_change='true'),
            'text': heat('SoftwareConfig', config=value),
            'structured': heat('StructuredConfig', config={}, inputs=[
                {'name': 'i', 'replace_on_change': True}]),
            'replaced': deployed('strict', **inputs),
            'kept': deployed('strict', input_values={'i': 'one', 'j': value}),
            'updated': deployed('lenient', **inputs),
            'by_default': deployed('default'), 'by_text': deployed('text'),
            'by_unknown_value': deployed('strict', input_values={
                'i': attr('source')}),
            'by_harmless_value': deployed('lenient', input_values={
                'i': attr('source')}),
            'in_structure': deployed('structured', 'StructuredDeployment',
                                     **inputs),
            'again': {**deployed('strict'), **more},
            'same': deployed('strict', input_values={'i': 'x'}),
            'group': deployed('strict', 'SoftwareDeploymentGroup', None,
                              servers={'a': ref('server')}, **inputs),
            'read_replaced': test(ref('replaced')),
            'read_updated': test(ref('updated')),
            'read_by_default': test(ref('by_default'))})
    return root('one'), root('two', depends_on='source')


@case(updated='a b')
def deployments_with_actions():
    def root(value):
        return body({
            'server': heat('DeployedServer', name='x',
                           software_config_transport='POLL_SERVER_HEAT'),
            'config': heat('SoftwareConfig', config='c'),
            'first': deployed('config', actions=['UPDATE'], name=value),
            'again': deployed('config', name=value),
            'a': test(ref('first')), 'b': test(attr('first', 'deploy_stdout')),
            'c': test(ref('again'))})
    return root('one'), root('two')


@case()
def deployments_with_conditions():
    # The engines differ: see resource_plan._as_updated.
    def root(value, **conditions):
        resources = {
            'server': heat('DeployedServer', name='x',
                           software_config_transport='POLL_SERVER_HEAT'),
            'config': heat('SoftwareConfig', config='c'), 'a': test(value)}
        for name in ('without', 'gets', 'loses', 'keeps'):
            resources[name] = deployed('config')
            if name in conditions:
                resources[name]['condition'] = conditions[name]
        return body(resources, conditions={'c': True})
    return (root('one', loses='c', keeps='c'),
            root('two', gets='c', keeps='c'))


@case()
def delays():
    def root(seconds):
        return body({'d': heat('Delay', min_wait=0.01,
                               max_jitter=seconds),
                     'a': test(depends_on='d')})
    return root(0), root(0.01)


@case()
def handles():
    def root(value):
        return body({
            'native': heat('WaitConditionHandle', signal_transport='CFN_SIGNAL'
                           ),
            'amazon': amazon('CloudFormation::WaitConditionHandle'),
            'a': test(value), 'b': test({'list_join': [
                '', [ref('amazon'), ref('native')]]})})
    return root('one'), root('two')


@case(updated='a')
def a_handle_for_each_update():
    def root(value):
        return body({'h': heat('UpdateWaitConditionHandle'),
                     'a': test(ref('h')), 'b': test(value)})
    return root('one'), root('two')


_SIGNALS = {'h': {'status': 'SUCCESS'}, 'g': {
    'Status': 'SUCCESS', 'UniqueId': '1', 'Reason': '', 'Data': 'd'}}


@case(updated='a b')
def wait_conditions():
    def root(seconds):
        return body({
            'h': heat('WaitConditionHandle'),
            'w': heat('WaitCondition', handle=ref('h'), timeout=seconds),
            'same': heat('WaitCondition', handle=ref('h'), timeout=60),
            'g': amazon('CloudFormation::WaitConditionHandle'),
            'x': amazon('CloudFormation::WaitCondition', Handle=ref('g'),
                        Timeout=str(seconds)),
            'a': test(attr('w', 'data')), 'b': test(attr('x', 'Data')),
            'c': test(attr('same', 'data'))})
    return root(60), root(61), (), _SIGNALS


@case()
def policies_of_a_scaling_group():
    def root(adjustment, cooldown=0):
        return body({
            'g': heat('AutoScalingGroup', min_size=0, max_size=3,
                      desired_capacity=1, resource=test()),
            'p': heat('ScalingPolicy', adjustment_type='change_in_capacity',
                      auto_scaling_group_id=ref('g'), cooldown=cooldown,
                      scaling_adjustment=adjustment),
            'same': heat('ScalingPolicy', adjustment_type='exact_capacity',
                         auto_scaling_group_id=ref('g'),
                         scaling_adjustment=1),
            'q': amazon('AutoScaling::ScalingPolicy',
                        AdjustmentType='ChangeInCapacity',
                        AutoScalingGroupName=ref('g'),
                        ScalingAdjustment=adjustment, Cooldown=str(cooldown)),
            'a': test(ref('p')), 'b': test(attr('same', 'alarm_url'))})
    return root(1), root(2, 1)


@case()
def access_policies():
    def root(*names):
        return body({'p': heat('AccessPolicy', AllowedResources=list(names)),
                     'a': test(), 'b': test()})
    return root('a'), root('a', 'b')


@case(updated='b')
def deployed_servers():
    def root(name):
        return body({'s': heat('DeployedServer', name=name,
                               software_config_transport='POLL_SERVER_CFN'),
                     'a': test(ref('s')), 'b': test(attr('s', 'name'))})
    return root('one'), root('two')


@case()
def remote_stacks():
    inner = {**plan_cases.VERSION, 'parameters': {
        'p': {'type': 'string', 'default': 'x'}}, 'resources': {
        't': test({'get_param': 'p'})}, 'outputs': {'o': {'value': attr('t')}}}

    def root(value, template=inner):
        return body({
            'r': heat('Stack', template=plan_cases.json.dumps(template),
                      parameters={'p': value}),
            'same': heat('Stack', template=plan_cases.json.dumps(inner)),
            'a': test(ref('r')), 'b': test(ref('same'))})
    return root('one'), root('two')


@case(updated='a b')
def another_type_of_each():
    return (body({'t': test(), 'r': heat('RandomString'),
                  'v': heat('Value', value='x'), 'a': test(ref('t')),
                  'b': test(attr('v', 'value'))}),
            body({'t': heat('Value', value='x'),
                  'r': heat('None'), 'v': test('x'), 'a': test(ref('t')),
                  'b': test(attr('v'))}))


_KINDS = {'test': test, 'random': functools.partial(heat, 'RandomString'),
          'value': functools.partial(heat, 'Value', value='x'),
          'none': functools.partial(heat, 'None'),
          'config': functools.partial(heat, 'SoftwareConfig')}


@case()
def each_type_is_added_and_removed():
    def root(prefix):
        return body({f'{prefix}{name}': make()
                     for name, make in _KINDS.items()} | {'a': test()})
    return root('old_'), root('new_')


@case()
def each_type_is_marked():
    before = body({name: make() for name, make in _KINDS.items()})
    return before, before, list(_KINDS)
