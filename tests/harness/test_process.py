# SPDX-License-Identifier: Apache-2.0

import signal
import socket
import sys

import fixtures
import testtools

from tests.harness import command
from tests.harness import file_service
from tests.harness import http_client
from tests.harness import ports
from tests.harness import process
from tests.harness import waiting

SLEEP = 'import time; print("up", flush=True); time.sleep(600)'
# A process with a child, whose ID it prints.
PARENT = ('import subprocess, sys; child = subprocess.Popen([sys.executable, '
          '"-c", "import time; time.sleep(600)"]); '
          'print(child.pid, flush=True); child.wait()')
STUBBORN = ('import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); '
            + SLEEP)


def is_alive(pid):
    """Return whether a process is running, and not a zombie."""
    try:
        with open(f'/proc/{pid}/stat') as source:
            return source.read().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


class ProcessTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.TempDir()).join('log')

    def make(self, program, **options):
        made = process.Process('it', [sys.executable, '-c', program],
                               self.log, **options)
        return made.attach(self)

    def start(self, program, **options):
        made = self.make(program, **options)
        made.start()
        made.wait_until('to say something', made.output)
        return made

    def test_stop_returns_exit_status(self):
        started = self.start(SLEEP)
        self.assertTrue(started.is_running())
        self.assertEqual(-signal.SIGTERM, started.stop())
        self.assertEqual(-signal.SIGTERM, started.stop())
        self.assertFalse(started.is_running())

    def test_process_that_ignores_sigterm_is_killed(self):
        self.assertEqual(-signal.SIGKILL, self.start(STUBBORN).stop(0.2))

    def test_child_processes_are_ended(self):
        for end in ('stop', 'kill'):
            started = self.start(PARENT)
            child = int(started.output().split()[-1])
            getattr(started, end)()
            waiting.until('the end of the child', lambda child=child:
                          not is_alive(child))

    def test_process_ends_when_test_run_is_killed(self):
        script = ('from tests.harness import process; import os, sys\n'
                  f'it = process.Process("it", [sys.executable, "-c", '
                  f'{SLEEP!r}], {self.log!r})\n'
                  'it.launch(); it.wait_until("to be up", it.output)\n'
                  'print(it.pid, flush=True)\n'
                  'os.kill(os.getpid(), 9)')
        pid = int(command.run([sys.executable, '-c', script]).stdout)
        waiting.until('its end', lambda: not is_alive(pid))

    def test_pause_and_continue(self):
        started = self.start(SLEEP)
        for act, wanted in ((started.pause, 'T'), (started.go_on, 'S')):
            act()
            waiting.until_equal('its state', wanted, lambda: open(
                f'/proc/{started.pid}/stat').read().rpartition(
                    ')')[2].split()[0])

    def test_error_if_process_ends_before_ready(self):
        made = self.make('print("because"); raise SystemExit(3)',
                         is_ready=lambda: False)
        error = self.assertRaises(process.NotStarted, made.start)
        self.assertIn('it ended with 3', str(error))
        self.assertIn('because', str(error))

    def test_error_if_process_is_not_ready_in_time(self):
        made = self.make(SLEEP, is_ready=lambda: 'not yet' == 1,
                         start_seconds=1)
        error = self.assertRaises(process.NotStarted, made.start)
        self.assertIn('it to serve', str(error))
        self.assertIn('\nup\n', str(error))

    def test_wait_for_end_fails_after_timeout(self):
        started = self.start(SLEEP)
        error = self.assertRaises(AssertionError, started.wait_for_end, 0.1)
        self.assertIn('was to end', str(error))
        ended = self.make('raise SystemExit(3)')
        ended.launch()
        self.assertEqual(3, ended.wait_for_end())

    def test_environment_is_merged(self):
        self.useFixture(fixtures.EnvironmentVariable('RIGS_ONE', '1'))
        self.useFixture(fixtures.EnvironmentVariable('RIGS_TWO', '2'))
        made = self.make(
            'import os; print([n for n in os.environ if "RIGS_" in n])',
            environment={'RIGS_ONE': None, 'RIGS_THREE': 3})
        made.launch()
        self.assertEqual(0, made.wait_for_end())
        self.assertEqual("['RIGS_TWO', 'RIGS_THREE']\n", made.output())

    def test_failed_test_shows_output_of_process(self):
        class Failing(ProcessTest):
            def runTest(self):
                self.start(SLEEP)
                self.fail('because')

        result = testtools.TestResult()
        Failing('runTest').run(result)
        (_, shown), = result.failures
        self.assertIn('output of it: {{{up}}}', shown)


class CommandTest(testtools.TestCase):

    def test_stdout_and_stderr_are_separate(self):
        done = command.run([sys.executable, '-c', 'import sys; print(1); '
                            'print(2, file=sys.stderr); sys.exit(3)'])
        self.assertEqual((3, '1\n', '2\n'),
                         (done.returncode, done.stdout, done.stderr))

    def test_error_contains_output_of_command(self):
        error = self.assertRaises(
            command.Failed, command.check,
            [sys.executable, '-c', 'raise SystemExit("no, because")'])
        self.assertIn('ended with 1', str(error))
        self.assertIn('no, because', str(error))

    def test_command_is_limited_by_timeout(self):
        error = self.assertRaises(
            command.Failed, command.run, [sys.executable, '-c', SLEEP],
            seconds=2)
        self.assertIn('was not over within 2 seconds', str(error))


class ServiceTest(testtools.TestCase):

    def test_file_service_serves_files_and_releases_port(self):
        with file_service.FileService({'one': b'\x001'}) as files:
            url = files.url('one')
            self.assertTrue(http_client.answers(url))
            self.assertEqual(b'\x001', http_client.Http(url).get('').content)
        self.assertFalse(http_client.answers(url))

    def test_port_is_used_only_once(self):
        given = [ports.free_port() for _ in range(200)]
        self.assertEqual(200, len(set(given)))
        self.assertFalse(any(map(ports.is_listening, given[:5])))

    def test_other_process_gets_other_ports(self):
        code = ('from tests.harness import ports\n'
                'for _ in range(50): print(ports.free_port())')
        others = command.run([sys.executable, '-c', code])
        self.assertEqual('', others.stderr)
        own_ports = {ports.free_port() for _ in range(50)}
        self.assertFalse(own_ports & set(map(int, others.stdout.split())))

    def test_ports_are_below_range_of_clients(self):
        self._arrange_ports(first_of_clients=30000, following=29999)
        ports.free_port()
        self.assertLess(ports.free_port(), 29999)

    def test_port_in_use_is_not_returned(self):
        with socket.socket() as listener:
            listener.bind((ports.HOST, 0))
            used = listener.getsockname()[1]
            self._arrange_ports(first_of_clients=65535, following=used)
            self.assertNotEqual(used, ports.free_port())

    def _arrange_ports(self, first_of_clients, following):
        directory = self.useFixture(fixtures.TempDir())
        for name, text in (('_RANGE_OF_CLIENTS', f'{first_of_clients} 65535'),
                           ('_NEXT', f'{following}')):
            with open(directory.join(name), 'w') as target:
                target.write(text)
            self.useFixture(fixtures.MonkeyPatch(
                f'tests.harness.ports.{name}', directory.join(name)))
