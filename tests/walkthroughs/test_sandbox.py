# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

import testtools

from heat_extras.sandbox import clients
from heat_extras.sandbox import process
from heat_extras.sandbox import state_directory
from tests.functional import base
from tests.harness import command
from tests.harness import http_client
from tests.harness import waiting

ONE_RESOURCE = {
    'heat_template_version': '2018-08-31',
    'resources': {'secret': {'type': 'OS::Heat::RandomString'}},
    'outputs': {'secret': {'value': {'get_attr': ['secret', 'value']}}},
}
CHILD = """\
heat_template_version: 2018-08-31
resources:
  text:
    type: OS::Heat::RandomString
  thing:
    type: OS::Heat::TestResource
    properties: {value: {get_attr: [text, value]}}
"""


def _group(count):
    return {
        'heat_template_version': '2018-08-31',
        'resources': {'group': {
            'type': 'OS::Heat::ResourceGroup',
            'properties': {'count': count,
                           'resource_def': {'type': 'child.yaml'}}}},
    }


class FirstStepsTest(base.TestCase):

    def test_printed_commands_work(self):
        with open(self.sandbox.error_path) as errors:
            typed = [line.strip() for line in errors
                     if line.startswith('  ')]
        self.addCleanup(self.client.delete, '/stacks/web')
        # In a shell whose PATH does not contain the client.
        done = command.run(
            ['sh', '-c', '\n'.join(f'{line}\necho status $?'
                                   for line in typed)],
            environment={'PATH': os.defpath})
        # The lock rejects the deletion.
        self.assertEqual(
            ['0', '0', '0', '0', '0', '1', '0'],
            re.findall('^status (.*)$', done.stdout, re.MULTILINE))


class TokensTest(base.TestCase):

    def test_request_without_token_is_from_user_demo(self):
        answer = http_client.Http(self.sandbox.url).post('/stacks', {
            'stack_name': 'anonymous', 'template': ONE_RESOURCE})
        self.assertEqual(201, answer.status_code)
        stack = self.client.wait_for_stack('anonymous', ['CREATE_COMPLETE'])
        self.assertEqual('demo', stack['stack_owner'])

    def test_token_names_the_user(self):
        path = self.client.create_stack('of-alice', ONE_RESOURCE)
        self.assertEqual('alice',
                         self.client.show_stack(path)['stack_owner'])

    def test_reader_can_list_but_not_create_stacks(self):
        eve = self.sandbox.client('eve', 'reader')
        self.assertEqual(200, eve.get('/stacks').status_code)
        answer = eve.post('/stacks', {'stack_name': 'of-eve',
                                      'template': ONE_RESOURCE})
        self.assertEqual(403, answer.status_code)

    def test_only_admin_can_list_services(self):
        ops = self.sandbox.client('ops', 'admin')
        self.assertEqual(200, ops.get('/services').status_code)
        self.assertEqual(403, self.client.get('/services').status_code)

    def test_admin_can_create_stacks(self):
        self.sandbox.client('ops', 'admin').create_stack(
            'of-ops', ONE_RESOURCE)

    def test_invalid_token_is_rejected_with_valid_example(self):
        for token in (':member', 'alice:', 'two words', 'a:b:c'):
            answer = http_client.Http(self.sandbox.url).get(
                '/stacks', headers={'X-Auth-Token': token})
            self.assertEqual(401, answer.status_code)
            self.assertIn('alice:member', answer.json()['error']['message'])

    def test_project_is_taken_from_url(self):
        self.client.create_stack('in-demo', ONE_RESOURCE)
        other = base.Client(self.sandbox.url.rpartition('/')[0] + '/other')
        self.assertEqual({'stacks': []}, other.get('/stacks').json())

    def test_roles_in_request_headers_are_ignored(self):
        answer = http_client.Http(self.sandbox.url).get(
            '/services',
            headers={'X-Auth-Token': 'alice', 'X-Roles': 'admin'})
        self.assertEqual(403, answer.status_code)


class ClientsTest(base.TestCase):

    def test_openstack_client_without_authentication(self):
        self.client.create_stack('shown', ONE_RESOURCE)
        done = command.run(
            [clients.find_client('openstack', 'python-openstackclient'),
             '--os-auth-type', 'none', '--os-endpoint', self.sandbox.url,
             'stack', 'list', '-f', 'value'])
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('shown', done.stdout)

    def test_openstack_client_as_user(self):
        self.client.create_stack('asked', ONE_RESOURCE)
        done = self.client.openstack(
            'stack', 'show', 'asked', '-f', 'value', '-c', 'stack_owner')
        self.assertEqual((0, 'alice'),
                         (done.returncode, done.stdout.strip()))

    def test_heat_shell(self):
        self.client.create_stack('listed', ONE_RESOURCE)
        done = self.client.heat('stack-list')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('listed', done.stdout)

    def test_update_and_delete(self):
        path = self.client.create_stack('changed', ONE_RESOURCE)
        self.assertEqual(202, self.client.patch(path, {}).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual(204, self.client.delete(path).status_code)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])


class ManyStacksTest(base.TestCase):

    def test_sixty_nested_stacks(self):
        self.client.create_stack(
            'sixty', _group(60), files={'child.yaml': CHILD})
        answer = self.client.get('/stacks?show_nested=true')
        # The root, the group, and its members.
        self.assertEqual(62, len(answer.json()['stacks']))
        with open(self.sandbox.log_path) as log:
            self.assertNotIn('database is locked', log.read())


class ServeTest(testtools.TestCase):

    def test_stacks_are_kept_after_restart(self):
        sandbox = self.useFixture(base.Sandbox())
        path = sandbox.client().create_stack('kept', ONE_RESOURCE)
        before = sandbox.client().show_stack(path)
        sandbox.restart()
        after = sandbox.client().show_stack(path)
        self.assertEqual(before['outputs'], after['outputs'])
        self.assertEqual(204, sandbox.client().delete(path).status_code)
        sandbox.client().wait_for_stack(path, ['DELETE_COMPLETE'])

    def test_stacks_are_kept_after_kill(self):
        sandbox = self.useFixture(base.Sandbox())
        path = sandbox.client().create_stack('kept', ONE_RESOURCE)
        sandbox.kill()
        sandbox.start()
        self.assertEqual('CREATE_COMPLETE',
                         sandbox.client().show_stack(path)['stack_status'])

    def test_extra_configuration_overrides_settings(self):
        sandbox = self.useFixture(base.Sandbox(
            settings='[DEFAULT]\nmax_stacks_per_tenant = 1\n'))
        sandbox.client().create_stack('first', ONE_RESOURCE)
        answer = sandbox.client().post('/stacks', {
            'stack_name': 'second', 'template': ONE_RESOURCE})
        self.assertEqual('RequestLimitExceeded',
                         answer.json()['error']['type'])

    def test_without_features_stacks_have_no_lock_fields(self):
        sandbox = self.useFixture(base.Sandbox(['--features', '']))
        path = sandbox.client().create_stack('bare', ONE_RESOURCE)
        self.assertNotIn('lock_level', sandbox.client().show_stack(path))

    def test_state_directory_in_use_is_rejected(self):
        sandbox = self.useFixture(base.Sandbox())
        done = _serve('--port', '0', '--state-dir', sandbox.state_dir)
        self.assertEqual(1, done.returncode)
        self.assertIn('is in use by another sandbox', done.stderr)

    def test_port_in_use_is_reported(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            done = _serve('--port', str(port))
        self.assertEqual(1, done.returncode)
        self.assertIn('Port %d on 127.0.0.1 is in use' % port,
                      done.stderr)

    def test_error_creating_state_directory_is_reported(self):
        done = _serve('--port', '0', '--state-dir', __file__)
        self.assertEqual(1, done.returncode)
        self.assertNotIn('Traceback', done.stderr)
        self.assertIn("File exists: '%s'" % __file__, done.stderr)

    def test_invalid_database_file_is_reported(self):
        place = self.enterContext(tempfile.TemporaryDirectory())
        pathlib.Path(place, state_directory.DATABASE_FILE).write_text(
            'no database')
        done = _serve('--port', '0', '--state-dir', place)
        self.assertEqual(1, done.returncode)
        self.assertNotIn('Traceback', done.stderr)
        self.assertIn('The database in %s cannot be used: file is not a '
                      'database' % place, done.stderr)


class HangUpTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        # The tests may run under nohup, which child processes inherit.
        self.addCleanup(signal.signal, signal.SIGHUP,
                        signal.signal(signal.SIGHUP, signal.SIG_DFL))


class StopTest(HangUpTestCase):

    def setUp(self):
        super().setUp()
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.errors = self.enterContext(tempfile.TemporaryFile('w+'))
        self.sandbox = process.SandboxProcess(errors=self.errors)
        self.addCleanup(os.environ.pop, 'TMPDIR', None)
        os.environ['TMPDIR'] = self.place.name
        self.addCleanup(self.sandbox.kill)
        self.url = self.sandbox.start()

    def test_warning_about_missing_authentication_is_printed(self):
        self.errors.seek(0)
        text = self.errors.read()
        self.assertIn('listens only on 127.0.0.1', text)
        self.assertIn('DOES NOT AUTHENTICATE', text)

    def test_sigterm_stops_sandbox_and_removes_files(self):
        self.assertNotEqual([], os.listdir(self.place.name))
        self.assertEqual(0, self.sandbox.stop())
        self.assertEqual([], os.listdir(self.place.name))
        address = urllib.parse.urlsplit(self.url)
        self.assertRaises(
            ConnectionRefusedError, socket.create_connection,
            (address.hostname, address.port))

    def test_ctrl_c_stops_sandbox_and_removes_files(self):
        os.kill(self.sandbox.pid, signal.SIGINT)
        self.assertEqual(0, self.sandbox.wait())
        self.assertEqual([], os.listdir(self.place.name))

    def test_closed_terminal_stops_sandbox_and_removes_files(self):
        os.kill(self.sandbox.pid, signal.SIGHUP)
        self.assertEqual(0, self.sandbox.wait())
        self.assertEqual([], os.listdir(self.place.name))

    def test_stop_during_stack_creation(self):
        base.Client(self.url).create_stack(
            'busy', _group(20), wait=False, files={'child.yaml': CHILD})
        self.assertEqual(0, self.sandbox.stop())

    def test_sandbox_is_one_process(self):
        children = '/proc/%d/task/%d/children' % (
            self.sandbox.pid, self.sandbox.pid)
        if not os.path.exists(children):
            self.skipTest('There is no %s here' % children)
        with open(children) as source:
            self.assertEqual('', source.read())


class InterruptTest(testtools.TestCase):
    """Ctrl-C before sandbox or demo are ready."""

    def interrupted(self, command_name, shown):
        """Interrupt a command at a text in its output or in Heat's log.

        :returns: its status
        """
        place = self.enterContext(tempfile.TemporaryDirectory())
        errors = self.enterContext(tempfile.TemporaryFile('w+'))
        started = subprocess.Popen(
            [command.program('heat-extras-sandbox'), *command_name],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=errors, env={**os.environ, 'TMPDIR': place})
        self.addCleanup(started.kill)

        def written():
            return os.pread(errors.fileno(), 1 << 16, 0).decode() + ''.join(
                log.read_text()
                for log in pathlib.Path(place).glob('*/heat.log'))
        waiting.until(shown, written, lambda text: shown in text)
        started.send_signal(signal.SIGINT)
        status = started.wait(command.SECONDS)
        self.assertNotIn('Traceback', written())
        self.assertEqual([], os.listdir(place))
        return status

    def test_ctrl_c_during_start_of_sandbox(self):
        for shown in ('Applying migration', 'Starting engine_worker'):
            self.assertEqual(0, self.interrupted(
                ['serve', '--port', '0'], shown))

    def test_ctrl_c_during_start_of_demo(self):
        self.assertEqual(130, self.interrupted(['demo'], 'Starting Heat'))


class StopDemoTest(HangUpTestCase):

    def _stopped(self, number):
        """Stop a demo at its first step.

        :returns: the files that remain of its Heat, another process.
        """
        place = self.enterContext(tempfile.TemporaryDirectory())
        demo = subprocess.Popen(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo',
             '--only', 'lock'], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env={**os.environ, 'TMPDIR': place})
        self.addCleanup(demo.stdout.close)
        self.addCleanup(demo.kill)
        url = demo.stdout.readline().split()[-1]
        self.assertNotEqual([], os.listdir(place))
        demo.send_signal(number)
        self.assertEqual(130, demo.wait(command.SECONDS))
        address = urllib.parse.urlsplit(url)
        self.assertRaises(
            ConnectionRefusedError, socket.create_connection,
            (address.hostname, address.port))
        return os.listdir(place)

    def test_sigterm_stops_demo_and_its_heat(self):
        self.assertEqual([], self._stopped(signal.SIGTERM))

    def test_closed_terminal_stops_demo_and_its_heat(self):
        self.assertEqual([], self._stopped(signal.SIGHUP))


class DemoOutputTest(testtools.TestCase):

    def test_demo_ends_without_traceback_if_pipe_is_closed(self):
        place = self.enterContext(tempfile.TemporaryDirectory())
        with subprocess.Popen(
                [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo',
                 '--only', 'freeze'], stdout=subprocess.PIPE, text=True,
                stderr=subprocess.PIPE,
                env={**os.environ, 'TMPDIR': place}) as demo:
            demo.stdout.readline()
            demo.stdout.close()
            self.assertNotIn('Traceback', demo.stderr.read())
        self.assertEqual([], os.listdir(place))


def _serve(*arguments):
    """Run ``serve``, which is expected to end by itself."""
    return command.run([sys.executable, '-m', 'heat_extras.cmd.sandbox',
                        'serve', *arguments])
