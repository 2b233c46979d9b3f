# SPDX-License-Identifier: Apache-2.0

"""A client of Heat for a user."""

import os
import pty
import subprocess

from heat_extras.sandbox import clients
from tests.harness import command
from tests.harness import http_client
from tests.harness import waiting

STACK_SECONDS = 300
RESOURCE_SECONDS = 120


class Client(http_client.Http):
    """HTTP requests and commands with a token of the sandbox."""

    def __init__(self, url, user='alice', *roles):
        super().__init__(url)
        self.token = ':'.join([user, ','.join(roles or ('member',))])

    def headers(self):
        return {'X-Auth-Token': self.token}

    def create_stack(self, name, template, wait=True, **body):
        """Create a stack.

        :param template: as a dict
        :param wait: until it is CREATE_COMPLETE, else an error
        :param body: more of the request, like ``files`` or ``parameters``
        :returns: path of the stack, ``/stacks/NAME/ID``
        """
        answer = self.post('/stacks', dict(
            body, stack_name=name, template=template))
        if answer.status_code != 201:
            raise AssertionError('Creating stack %s gave %d: %s' % (
                name, answer.status_code, answer.text))
        if wait:
            self.wait_for_stack(name, ['CREATE_COMPLETE'])
        return '/stacks/%s/%s' % (name, answer.json()['stack']['id'])

    def show_stack(self, name):
        """Return the body of a stack, by its name or path."""
        return self._shown(name if name.startswith('/')
                           else '/stacks/' + name)

    def _shown(self, path):
        answer = self.get(path)
        if answer.status_code != 200:
            raise AssertionError('Showing stack %s gave %d: %s' % (
                path, answer.status_code, answer.text))
        return answer.json()['stack']

    def wait_for_stack(self, name, statuses, seconds=STACK_SECONDS,
                       failed=None):
        """Wait until the stack shows one of some statuses.

        :param name: name or path; a path also finds a deleted stack
        :param failed: a status from before, which shows until the stack's
            thread begins
        :returns: the body of the stack, without its outputs
        :raises AssertionError: if it fails, or does not get there in time
        """
        def is_over(status):
            return status in statuses or (
                status.endswith('_FAILED') and status != failed)

        stack = self._until(name, is_over, statuses, seconds)
        if stack['stack_status'] not in statuses:
            raise AssertionError(
                f'Stack {name} is {_told(stack)}, wanted one of '
                f'{", ".join(statuses)}')
        return stack

    def wait_until_free(self, name):
        """Wait until no stack has a name.

        Heat removes the row after the stack is DELETE_COMPLETE.
        """
        waiting.until(
            f'the end of stack {name}',
            lambda: self.get(f'/stacks/{name}').status_code,
            lambda status: status == 404)

    def lock_status(self, name):
        """Return the lock status of a stack.

        :returns: UNLOCK_COMPLETE without a lock
        """
        return _lock_status(self.show_stack(name))

    def wait_for_lock(self, name, status):
        """Wait until no operation is in progress, and a lock has a status.

        :returns: the body of the stack
        """
        stack = self.wait_for_end(name)
        if _lock_status(stack) != status:
            raise AssertionError(
                f'The lock of stack {name} is {_lock_status(stack)} '
                f'({stack["lock_status_reason"]}), wanted {status}')
        return stack

    def wait_for_status(self, name, *statuses):
        """Wait for a status, and ignore other statuses until then."""
        return self._until(name, lambda status: status in statuses, statuses)

    def wait_for_end(self, name):
        """Wait until no operation is in progress; return the body."""
        return self._until(name, lambda status: not status.endswith(
            '_IN_PROGRESS'), ['at rest'], whole=True)

    def wait_for_resource(self, path, name, status):
        """Wait until a resource of a stack shows a status.

        :param path: of the stack; it need not have the resource yet.
        """
        def shown():
            answer = self.get(f'{path}/resources/{name}')
            return answer.json().get('resource', {}).get('resource_status')

        waiting.until_equal(f'resource {name} of {path}', status, shown,
                            RESOURCE_SECONDS)

    def _until(self, name, is_right, wanted, seconds=STACK_SECONDS,
               whole=False):
        # Access to a stack by its name takes two requests.
        path = name if name.startswith('/') else _path(self.show_stack(name))
        # Outputs are half of the work of a response.
        return waiting.until(
            f'stack {name} to be {" or ".join(wanted)}',
            lambda: self._shown(path + '?resolve_outputs=false'),
            lambda stack: is_right(stack['stack_status']) and (
                not whole or is_right(_lock_status(stack))), seconds, _told)

    def openstack(self, *arguments, token=None):
        """Run the openstack client.

        :param token: another than this client's
        :returns: the completed process, whatever its status
        """
        return command.run(
            [clients.find_client('openstack', 'python-openstackclient'),
             *arguments], directory=command.BIN,
            environment=clients.openstack_environment(
                self.url, token or self.token))

    def answer_openstack(self, answer, *arguments):
        """Run the openstack client on a terminal, for a command that asks.

        :param answer: the text to type, or a function that types it, with the
            process and the file descriptor of the terminal.
        :returns: the completed process, whatever its status
        """
        terminal, standard_input = pty.openpty()
        try:
            with subprocess.Popen(
                    [clients.find_client('openstack',
                                         'python-openstackclient'),
                     *arguments], stdin=standard_input,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    env=clients.openstack_environment(
                        self.url, self.token)) as process:
                if callable(answer):
                    answer(process, terminal)
                else:
                    os.write(terminal, answer.encode())
                stdout, stderr = process.communicate(timeout=300)
        finally:
            os.close(terminal)
            os.close(standard_input)
        return subprocess.CompletedProcess(arguments, process.returncode,
                                           stdout, stderr)

    def heat(self, *arguments, token=None, program='heat'):
        """Run the heat shell, or ``heat-extras`` instead."""
        return command.run(
            [clients.find_client(program, 'python-heatclient'),
             *shell_arguments(self.url, token or self.token),
             *arguments], directory=command.BIN)


def shell_arguments(url, token='demo:member'):
    """List the arguments with which the heat shell finds a sandbox."""
    return ['--os-no-client-auth', '--os-auth-token', token,
            '--heat-url', url]


def _path(stack):
    return f'/stacks/{stack["stack_name"]}/{stack["id"]}'


def _told(stack):
    return f'{stack["stack_status"]} ({stack["stack_status_reason"]})'


def _lock_status(stack):
    # A Heat without locks has no such field.
    return stack.get('lock_status') or 'UNLOCK_COMPLETE'
