# SPDX-License-Identifier: Apache-2.0

"""Released scenarios of Rally for Heat, with their measured times."""

import functools
import json
import os

from tests.consumers import environments
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_ENVIRONMENT = 'heat'
_SECONDS = 3600
_STACK_SECONDS = 120
# How often each scenario is run, and how many at a time.
_TIMES = _AT_A_TIME = 2
_CONF = '[openstack]\n' + ''.join(
    f'heat_stack_{action}_timeout = {_STACK_SECONDS}\n'
    f'heat_stack_{action}_poll_interval = 0.5\n'
    for action in ('create', 'update', 'check', 'delete', 'suspend', 'resume',
                   'snapshot', 'restore', 'scale')) + (
    'heat_stack_create_prepoll_delay = 0\n'
    'heat_stack_update_prepoll_delay = 0\n')

_TEXT = {'type': 'OS::Heat::RandomString'}
_SMALL = {
    'heat_template_version': '2018-08-31',
    'resources': {'text': _TEXT, 'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': 'one', 'wait_secs': 1}}},
    'outputs': {'text': {'value': {'get_attr': ['text', 'value']}}}}
_LARGER = {**_SMALL, 'resources': {**_SMALL['resources'], 'more': _TEXT}}
# What it counts are servers; here they are another type's by that name.
_GROUP = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 3,
            'resource': {'type': 'OS::Nova::Server'}}},
        'up': {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'adjustment_type': 'change_in_capacity',
            'auto_scaling_group_id': {'get_resource': 'group'},
            'scaling_adjustment': 1}}},
    'outputs': {'url': {'value': {'get_attr': ['up', 'alarm_url']}}}}
_AS_SERVERS = {'resource_registry': {'OS::Nova::Server': _TEXT['type']}}
_TEMPLATES = {'small': _SMALL, 'larger': _LARGER, 'group': _GROUP}
_OF_TEMPLATE = ('create_and_list_stack', 'create_and_delete_stack',
                'create_check_delete_stack',
                'create_suspend_resume_delete_stack',
                'create_snapshot_restore_delete_stack',
                'create_stack_and_list_output',
                'create_stack_and_list_output_via_API')
_OF_OUTPUT = ('create_stack_and_show_output',
              'create_stack_and_show_output_via_API')
_OF_MANY = ('list_stacks_and_resources', 'list_stacks_and_events')


@functools.cache
def place():
    """Return the directory of Rally; install it if needed."""
    return software.Software(
        'rally-venv', 'HEAT_EXTRAS_RALLY_VENV',
        os.path.join(_HERE, 'rally.txt')).environment()


def run(environment):
    """Run the scenarios against a Heat.

    :returns: what became of each, by its name; what was said of those that
        failed, once for each time; and seconds of its steps, on average.
    """
    path = functools.partial(os.path.join, environment.directory)
    variables = _prepare(environment, path)

    def rally(*words):
        done = command.run(
            [os.path.join(place(), 'bin', 'rally'), '--config-file',
             path('rally.conf'), *words], seconds=_SECONDS,
            directory=environment.directory, environment=variables)
        print(done.stdout[-4000:], done.stderr[-4000:], sep='', flush=True)
        return done

    # As often as it is run in an environment.
    rally('db', 'recreate')
    rally('env', 'create', '--name', _ENVIRONMENT, '--spec', path('spec.json'))
    # Exit status 2 means that a scenario failed.
    rally('task', 'start', path('task.json'), '--env', _ENVIRONMENT)
    rally('task', 'report', '--json', '--out', path('report.json'))
    with open(path('report.json')) as source:
        result = read(json.load(source))
    for name, messages in result['said'].items():
        print(name, *messages, sep='\n', flush=True)
    return result


def read(report):
    """Convert Rally's report to the result of :func:`run`."""
    statuses, messages, seconds = {}, {}, {}
    for workload in _workloads(report):
        name, = workload['scenario']
        errors = [' '.join(map(str, each['error']))
                  for each in workload['data'] if each['error']]
        is_good = workload['data'] and not errors
        statuses[name] = 'passed' if is_good else 'failed'
        if not is_good:
            messages[name] = errors or ['it was not run']
        seconds[name] = _averages(workload['data'])
    return {'found': statuses, 'said': messages, 'answers': {},
            'seconds': seconds}


def table(runs):
    """List lines with the seconds of each step of the scenarios.

    :param runs: from the name of a Heat to what :func:`run` returned.
    """
    times = {name: each.get('seconds', {}) for name, each in runs.items()}
    steps = sorted({(scenario, step) for each in times.values()
                    for scenario, taken in each.items() for step in taken})
    return [f'{scenario} {step}: ' + ', '.join(
        f'{name} {each[scenario][step]:.2f} s'
        for name, each in times.items() if step in each.get(scenario, ()))
        for scenario, step in steps]


def _workloads(report):
    return [workload for task in report['tasks'] for subtask in
            task['subtasks'] for workload in subtask['workloads']]


def _averages(iterations):
    """Return the average duration of each step without its failures."""
    taken = {}
    for step in (step for each in iterations
                 for step in each['atomic_actions']):
        if not step.get('failed'):
            taken.setdefault(step['name'], []).append(
                step['finished_at'] - step['started_at'])
    return {name: sum(each) / len(each) for name, each in taken.items()}


def _prepare(environment, path):
    for name, content in (
            *((f'{name}.yaml', json.dumps(template))
              for name, template in _TEMPLATES.items()),
            ('spec.json', json.dumps({
                'existing@openstack': _spec(environment)})),
            ('task.json', json.dumps(_task(path))),
            ('rally.conf', f'[database]\nconnection = sqlite:///'
                           f'{path("rally.sqlite")}\n{_CONF}')):
        with open(path(name), 'w') as target:
            target.write(content)
    return {**environment.os_environ('demo'), 'HOME': environment.directory}


def _spec(environment):
    return {'auth_url': environment.auth_url, 'region_name': 'RegionOne',
            'users': [{
                'username': environments.CONSUMER,
                'password': environment.password,
                'project_name': 'demo', 'user_domain_name': 'Default',
                'project_domain_name': 'Default'}]}


def _task(path):
    small = {'template_path': path('small.yaml')}
    scenarios = [
        *((name, small, {}) for name in _OF_TEMPLATE),
        *((name, {**small, 'output_key': 'text'}, {}) for name in _OF_OUTPUT),
        ('create_update_delete_stack', {
            **small, 'updated_template_path': path('larger.yaml')}, {}),
        ('create_stack_and_scale', {
            'template_path': path('group.yaml'), 'output_key': 'url',
            'delta': 1, 'environment': _AS_SERVERS}, {}),
        *((name, {}, {'stacks': {'stacks_per_tenant': 2,
                                 'resources_per_stack': 5}})
          for name in _OF_MANY)]
    return {'version': 2, 'title': 'Stacks', 'subtasks': [
        {'title': name, 'workloads': [_workload(name, *more)]}
        for name, *more in scenarios]}


def _workload(name, arguments, contexts):
    return {'scenario': {f'HeatStacks.{name}': arguments},
            'runner': {'constant': {'times': _TIMES,
                                    'concurrency': _AT_A_TIME}},
            'contexts': contexts}
