# SPDX-License-Identifier: Apache-2.0

"""How Terraform's OpenStack provider waits for a stack, replayed.

The provider is not run: this does over HTTP what was read in
``openstack/resource_openstack_orchestration_stack_v1.go`` and
``orchestration_stack_v1.go`` of terraform-provider-openstack, commit 27f26125,
and in a copy of ``StateChangeConf`` of terraform-plugin-sdk that another
provider keeps: it looks at once, again after ``MinTimeout``, and then after
pauses that double up to ten seconds. A status that is neither pending nor
wanted ends it.
"""

import json
import sys
import time

import openstack

SHORTEST, LONGEST = 3, 10
PENDING = {'create': ('CREATE_IN_PROGRESS', 'INIT_COMPLETE'),
           'update': ('UPDATE_IN_PROGRESS',),
           'delete': ('DELETE_IN_PROGRESS',)}
TARGET = {'create': ('CREATE_COMPLETE', 'UPDATE_COMPLETE',
                     'UPDATE_IN_PROGRESS'),
          'update': ('UPDATE_COMPLETE',),
          'delete': ('DELETE_COMPLETE',)}


class Failed(Exception):
    """What Terraform would print as the error of a resource."""


class Stack:
    """A stack as the provider's state file has it: by its id."""

    def __init__(self, heat, operation, name):
        self._heat = heat
        self._name = name
        # Terraform knows one update, whether it will fail or not.
        self._operation = operation.split()[-1]
        self._id = None

    def operate(self, body):
        if self._operation == 'create':
            self._id = self._ask('POST', '/stacks', {
                'stack_name': self._name, **body}).json()['stack']['id']
        else:
            self._id = self._find(self._name)['id']
            self._ask('PUT' if self._operation == 'update' else 'DELETE',
                      f'/stacks/{self._name}/{self._id}', body)

    def wait(self):
        pause = 0.1
        while (status := self._status()) not in TARGET[self._operation]:
            if status not in PENDING[self._operation]:
                wanted = ', '.join(TARGET[self._operation])
                raise Failed(
                    f'Error waiting for openstack_orchestration_stack_v1 '
                    f"{self._id}: unexpected state '{status}', wanted target "
                    f"'{wanted}'. last error: %!s(<nil>)")
            time.sleep(pause := min(max(pause, SHORTEST), LONGEST))
            pause *= 2
        return status

    def _status(self):
        answer = self._heat.get(f'/stacks/{self._id}')
        if answer.status_code == 404 and self._operation != 'create':
            return 'DELETE_COMPLETE'
        status = answer.json()['stack']['stack_status']
        if 'FAILED' in status:
            raise Failed(
                'Error waiting for openstack_orchestration_stack_v1 '
                f'{self._id}: The stack is in error status. Please check '
                'with your cloud admin or check the orchestration API logs '
                'to see why this error occurred.')
        return status

    def _find(self, name):
        return self._ask('GET', f'/stacks/{name}').json()['stack']

    def _ask(self, method, path, body=None):
        answer = self._heat.request(path, method, json=body or None)
        if answer.status_code >= 400:
            raise Failed(
                f'Error in {self._operation} of '
                f'openstack_orchestration_stack_v1: got {answer.status_code} '
                f'instead: {answer.text}')
        return answer


def main():
    operation, name, template, parameters = sys.argv[1:]
    body = {}
    if operation != 'delete':
        body = {'template': open(template).read(),
                'parameters': json.loads(parameters)}
    stack = Stack(openstack.connect().orchestration, operation, name)
    stack.operate(body)
    print(stack.wait())


if __name__ == '__main__':
    try:
        main()
    except Failed as error:
        sys.exit(str(error))
