# SPDX-License-Identifier: Apache-2.0

"""Released Mistral: workflows whose actions send requests to Heat."""

import functools
import os

import yaml

from tests.harness.cloud import keystone
from tests.harness.cloud import service
from tests.harness.cloud import small_cloud
from tests.harness import software
from tests.harness import waiting

_HERE = os.path.dirname(__file__)
_KIND = 'workflowv2'
RUNNING, PAUSED, SUCCESS, ERROR = 'RUNNING', 'PAUSED', 'SUCCESS', 'ERROR'


@functools.cache
def place():
    """Return the directory of Mistral; install it if needed."""
    return software.Software(
        'mistral-venv', 'HEAT_EXTRAS_MISTRAL_VENV',
        os.path.join(_HERE, 'mistral.txt')).environment()


@functools.cache
def release():
    """Return the name and release of the software."""
    return software.releases(place(), 'mistral', 'mistral-extra',
                             'python-heatclient')


class Mistral(service.Service):
    """The service for workflows, whose engine runs the actions."""

    name = 'mistral'
    databases = ('mistral',)
    catalog = ((_KIND, '/v2'),)

    def configure(self):
        self._file = self.host.write_ini(self.path('mistral.conf'), {
            'DEFAULT': {'transport_url': self.host.transport},
            'database': self.database_section(),
            'executor': {'type': 'local'}, 'notifier': {'type': 'local'},
            'keystone_authtoken': self.identity.token_section(self.name),
            'openstack_actions': {'default_region': keystone.REGION},
            'oslo_concurrency': {'lock_path': self.path('locks', '')}})

    def synchronize(self):
        for words in (['upgrade', 'head'], ['populate']):
            self.host.run(self._installed('mistral-db-manage'),
                          '--config-file', self._file, *words)

    def make_processes(self):
        self.api = self.host.web(
            'mistral-api', 'mistral.wsgi', self.port, is_ready=self.answers,
            python=self._installed('python'), MISTRAL_CONFIG_FILE=self._file)
        self.engine = self.host.process(
            'mistral-engine', [self._installed('mistral-server'), '--server',
                               'engine', '--config-file', self._file])

    def processes(self):
        return [self.api, self.engine]

    def _installed(self, name):
        return os.path.join(place(), 'bin', name)


class Cloud(small_cloud.SmallCloud):
    """Keystone, Heat and Mistral."""

    def _make_services(self):
        super()._make_services()
        self.mistral = Mistral(self.host, self.keystone)
        self._others.append(self.mistral)
        self._all.append(self.mistral)


class Workflows:
    """The workflows of a user.

    :param client: a :class:`tests.harness.cloud.client.Client`
    """

    def __init__(self, client):
        self._client = client

    def start(self, name, tasks):
        """Start a workflow of tasks that follow each other; return its run.

        :param tasks: as Mistral's language has them, by their names
        :returns: the id
        """
        names = list(tasks)
        for task, following in zip(names, names[1:], strict=False):
            tasks[task]['on-success'] = following
        self._send('POST', '/workflows', data=yaml.safe_dump(
            {'version': '2.0', name: {'tasks': tasks}}, sort_keys=False),
            headers={'Content-Type': 'text/plain'})
        return self._send('POST', '/executions',
                          json={'workflow_name': name})['id']

    def state(self, run):
        """Return the state of a run of a workflow."""
        return self._send('GET', f'/executions/{run}')['state']

    def end(self, run):
        """Wait for the end; return the state and its information."""
        execution = waiting.until(
            'the workflow to end',
            lambda: self._send('GET', f'/executions/{run}'),
            lambda each: each['state'] != RUNNING)
        return execution['state'], execution['state_info'] or ''

    def resume(self, run):
        """Resume a run that has paused before a task."""
        waiting.until_equal('the workflow to pause', PAUSED,
                            lambda: self.state(run))
        self._send('PUT', f'/executions/{run}', json={'state': RUNNING})

    def tries(self, run):
        """Return the states of the actions of each task, in order."""
        return {task['name']: [each['state'] for each in sorted(
            self._actions(task['id']), key=lambda each: each['created_at'])]
                for task in self._tasks(run)}

    def rerun(self, run):
        """Run the failed task again."""
        failed, = (each['id'] for each in self._tasks(run)
                   if each['state'] == ERROR)
        self._send('PUT', f'/tasks/{failed}', json={
            'state': RUNNING, 'reset': True})

    def _actions(self, task):
        return self._send('GET', f'/tasks/{task}/action_executions')[
            'action_executions']

    def _tasks(self, run):
        return self._send('GET', f'/executions/{run}/tasks')['tasks']

    def _send(self, method, path, **more):
        answer = self._client.call(_KIND, method, path, **more)
        if answer.status_code >= 400:
            raise AssertionError(
                f'{method} {path}: {answer.status_code} {answer.text}')
        return answer.json()
