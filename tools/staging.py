#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Test the features of heat-extras on a cloud, with the openstack client.

The script creates small stacks in the project of the credentials in the
environment (OS_CLOUD and clouds.yaml, or OS_*), tests each feature, prints the
results, and deletes the stacks. The stacks contain random strings, a scaling
group of random strings, and the user of a scaling policy. They need no server
and no network. The script needs only python-openstackclient and the client of
heat-extras. You can copy it to any host.

Exit status: 0 if all tests pass, 1 if a test fails, 2 if no test could be run,
3 if the script could not delete a stack.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

# How many seconds a signal has to do something.
PAUSE = 5

WORD = {'type': 'OS::Heat::RandomString',
        'properties': {'salt': {'get_param': 'salt'}}}
SALT = {'type': 'string', 'default': 'one'}
VALUE = {'type': 'OS::Heat::Value',
         'properties': {'value': {'get_param': 'other'}}}

# JSON is YAML, which the client reads.
GROUP = {
    'heat_template_version': '2018-08-31',
    'parameters': {'other': SALT},
    'resources': {
        'value': VALUE,
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 3, 'desired_capacity': 1,
            'resource': {'type': 'OS::Heat::RandomString'}}},
        'grow': {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'auto_scaling_group_id': {'get_resource': 'group'},
            'adjustment_type': 'change_in_capacity',
            'scaling_adjustment': 1, 'cooldown': 0}}},
    'outputs': {'size': {'value': {'get_attr': ['group', 'current_size']}}},
}
PLAIN = {
    'heat_template_version': '2018-08-31',
    'parameters': {'salt': SALT, 'other': SALT},
    'resources': {'word': WORD, 'value': VALUE},
    'outputs': {'word': {'value': {'get_attr': ['word', 'value']}}},
}
FIXED = {**PLAIN, 'parameters': {'salt': {**SALT, 'updatable': False},
                                 'other': SALT}}
KEPT = {**PLAIN, 'resources': {'value': VALUE, 'word': {
    **WORD, 'update_policy': {'allow': {'replace': False}}}}}
WITHOUT = {**KEPT, 'resources': {'value': VALUE}, 'outputs': {}}


class Broken(Exception):
    """A test failed."""


class Untried(Exception):
    """No test can be run here."""


class Heat:
    """The openstack client, and the stacks that were made with it."""

    def __init__(self, directory, prefix, seconds):
        self._directory, self._prefix = directory, prefix
        self.seconds = seconds
        self.made = []

    def run(self, *words):
        """Run one command, whatever its status."""
        try:
            return subprocess.run(
                ['openstack', *words], stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=self.seconds)
        except FileNotFoundError:
            raise Untried('the command openstack was not found. Run pip '
                          'install python-openstackclient') from None
        except subprocess.TimeoutExpired:
            raise Broken('not finished after %d seconds: openstack %s' % (
                self.seconds, ' '.join(words))) from None

    def check(self, *words):
        """Run a command that works."""
        done = self.run(*words)
        if done.returncode:
            raise Broken('openstack %s: %s' % (' '.join(words),
                                               output_line(done)))
        return done.stdout

    def answer(self, *words):
        """Run a command that works, and read what it prints."""
        return json.loads(self.check(*words, '-f', 'json'))

    def template(self, content):
        """Write a template where the client finds it."""
        handle, path = tempfile.mkstemp('.yaml', dir=self._directory)
        with os.fdopen(handle, 'w') as target:
            json.dump(content, target)
        return path

    def create(self, name, content):
        """Create a stack and wait for it.

        :returns: its name
        """
        name = f'{self._prefix}-{name}'
        self.made.append(name)
        self.check('stack', 'create', '--wait', '--poll', '1', '-t',
                   self.template(content), name)
        return name

    def show(self, name):
        """Return what the stack is."""
        return self.answer('stack', 'show', name)

    def output(self, name, key):
        """Return the value of an output, as text."""
        return str(self.answer('stack', 'output', 'show', name,
                               key)['output_value'])

    def update(self, name, content, *words):
        """List the words of an update."""
        return ('stack', 'update', *words, '-t', self.template(content), name)


class Trial:
    """What one feature promises, tried one after the other."""

    def __init__(self, heat, say):
        self.heat, self._say = heat, say

    def hold(self, promise, seen=''):
        self._say('ok', promise, seen)

    def refused(self, promise, words, because):
        """Run a command that heat-extras must reject."""
        done = self.heat.run(*words)
        if not done.returncode:
            raise Broken(f'{promise}: the request was accepted')
        if because not in output_line(done):
            raise Broken(f'{promise}: the request was rejected, but without '
                         f'"{because}" in the error: {output_line(done)}')
        self.hold(promise, output_line(done))

    def given_up(self, promise, name, words, because):
        """Run an update that an update policy must reject."""
        done = self.heat.run(*words)
        reason = self.heat.show(name)['stack_status_reason']
        if not done.returncode or because not in reason:
            raise Broken(f'{promise}: the update was not rejected. The status '
                         f'reason of the stack is: {reason}')
        self.hold(promise, reason)

    def allowed(self, promise, words):
        """Run a command that must succeed."""
        done = self.heat.run(*words)
        if done.returncode:
            raise Broken(f'{promise}: {output_line(done)}')
        self.hold(promise)

    def same(self, promise, wanted, actual):
        """Compare two values."""
        if actual != wanted:
            raise Broken(f'{promise}: found {actual}, expected {wanted}')
        self.hold(promise, str(actual or ''))

    def listed(self, name, kind):
        """Check that the list of guards contains a guard."""
        rows = self.heat.answer('stack', 'guard', 'list', name)
        commands = [row['How To Lift'] for row in rows if row['Kind'] == kind]
        if not commands:
            raise Broken('openstack stack guard list does not contain the '
                         f'guard: {rows}')
        self.hold('The list of guards states how to remove it.', commands[0])

    def stays(self, name, before):
        """Check that a rejected request has not changed the stack."""
        after = self.heat.show(name)
        keys = ('stack_status', 'updated_time', 'parameters')
        changed = [key for key in keys if after[key] != before[key]]
        self.same('The stack was not changed.', [], changed)


def try_lock(trial):
    """stack_lock: requests that would change a locked stack are rejected."""
    heat = trial.heat
    name = heat.create('lock', GROUP)
    other = ('--existing', '--parameter', 'other=two')
    change = ('stack', 'update', *other, name)
    grow = ('stack', 'resource', 'signal', name, 'grow')
    trial.allowed('The stack is locked.', (
        'stack', 'lock', '--level', 'stacks', '--reason', 'a trial', name))
    trial.listed(name, 'lock')
    before = heat.show(name)
    trial.refused('An update is rejected.', change, 'is locked')
    trial.refused('A deletion is rejected.', (
        'stack', 'delete', '--yes', name), 'is locked')
    trial.stays(name, before)
    trial.allowed('A scaling signal is accepted.', grow)
    time.sleep(PAUSE)
    trial.same('The signal has no effect.', '1', heat.output(name, 'size'))
    trial.allowed('The stack is unlocked.', ('stack', 'unlock', name))
    trial.allowed('An update succeeds.', (*change, '--wait'))
    # That the same signal works now shows that the lock had stopped it.
    trial.allowed('A scaling signal is accepted.', grow)
    trial.same('The signal has an effect.', '2', _grown(heat, name))


def _grown(heat, name):
    deadline = time.monotonic() + heat.seconds
    while heat.output(name, 'size') == '1' and time.monotonic() < deadline:
        time.sleep(1)
    return heat.output(name, 'size')


def try_parameters(trial):
    """parameters: a parameter with updatable: false keeps its value."""
    heat = trial.heat
    name = heat.create('parameters', FIXED)
    trial.listed(name, 'parameter')
    before = heat.show(name)
    trial.refused('An update of the parameter is rejected.', heat.update(
        name, FIXED, '--parameter', 'salt=two'), 'salt')
    trial.stays(name, before)
    trial.allowed('An update of another parameter succeeds.', heat.update(
        name, FIXED, '--wait', '--parameter', 'other=two'))


def try_update_policy(trial):
    """update_policy: a resource with replace: false is not replaced."""
    heat = trial.heat
    name = heat.create('policy', KEPT)
    trial.listed(name, 'policy')
    word = heat.output(name, 'word')
    trial.given_up('An update that replaces the resource is rejected.', name,
                   heat.update(name, KEPT, '--wait', '--parameter',
                               'salt=two'), 'update_policy')
    trial.given_up('An update that removes the resource is rejected.', name,
                   heat.update(name, WITHOUT, '--wait'), 'update_policy')
    trial.allowed('An update of another parameter succeeds.', heat.update(
        name, KEPT, '--wait', '--parameter', 'other=two'))
    trial.same('The resource was not replaced.', word,
               heat.output(name, 'word'))


def try_health(trial):
    """health: the next update replaces a resource that is marked unhealthy."""
    heat = trial.heat
    name = heat.create('health', PLAIN)
    word = heat.output(name, 'word')
    trial.allowed('The resource is marked as unhealthy.', (
        'stack', 'resource', 'unhealthy', '--reason', 'a trial', name,
        'word'))
    trial.listed(name, 'unhealthy')
    trial.allowed('An update succeeds.', (
        'stack', 'update', '--wait', '--existing', name))
    if heat.output(name, 'word') == word:
        raise Broken('The resource was not replaced.')
    trial.hold('The resource was replaced.')


TRIALS = {'stack_lock': try_lock, 'parameters': try_parameters,
          'update_policy': try_update_policy, 'health': try_health}


def output_line(done):
    """Return the output of a command, in one line."""
    lines = (done.stderr or done.stdout).strip().splitlines()
    # The client says so of plugins of its own that it can't load.
    return ' '.join(line.strip() for line in lines
                    if not line.startswith('Could not load ')) or 'no output'


def say(mark, promise, seen=''):
    """Print the result of a test, and what it found."""
    print(f'{mark:4}  {promise}', flush=True)
    if seen:
        print(f'      {seen}', flush=True)


def run_feature(heat, name):
    """Test one feature.

    :returns: whether all tests pass.
    """
    print(TRIALS[name].__doc__.rstrip('.'), flush=True)
    try:
        TRIALS[name](Trial(heat, say))
    except Broken as error:
        say('FAIL', str(error))
        print('      Further tests of this feature were skipped.', flush=True)
        return False
    return True


def clean(heat):
    """Delete what was made.

    :returns: what is left
    """
    return [name for name in heat.made if not is_gone(heat, name)]


def is_gone(heat, name):
    """Delete a stack, also one that is still locked."""
    delete = ('stack', 'delete', '--yes', '--wait', name)
    try:
        if heat.run(*delete).returncode == 0:
            return True
        heat.run('stack', 'unlock', name)
        heat.run(*delete)
        return heat.run('stack', 'show', name).returncode != 0
    except Broken:
        return False


def check_client(heat):
    """Check that the tests can be run."""
    done = heat.run('stack', 'list')
    if done.returncode:
        raise Untried('openstack stack list: ' + output_line(done))
    done = heat.run('help', 'stack', 'lock')
    if done.returncode:
        raise Untried('the client of heat-extras is not installed in the '
                      'environment of the openstack command')


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        '--only', metavar='LIST', default=','.join(TRIALS),
        help='features to test, separated by commas (default: %(default)s)')
    parser.add_argument(
        '--seconds', type=int, default=300,
        help='maximum time of one command (default: %(default)s)')
    args = parser.parse_args(arguments)
    args.only = args.only.split(',')
    unknown = set(args.only).difference(TRIALS)
    if unknown:
        parser.error('%s is not valid: expected any of %s' % (
            ', '.join(sorted(unknown)), ', '.join(TRIALS)))
    return args


def main(arguments=None):
    """Test the features, print the results, and delete the stacks.

    :returns: the exit status
    """
    args = parse(arguments)
    with tempfile.TemporaryDirectory() as directory:
        heat = Heat(directory, f'heat-extras-trial-{os.getpid()}',
                    args.seconds)
        try:
            check_client(heat)
            results = [run_feature(heat, name) for name in args.only]
        except (Untried, Broken) as error:
            print(f'No test was run: {error}', file=sys.stderr)
            return 2
        finally:
            left = clean(heat)
            if left:
                print('Not deleted: ' + ', '.join(left), file=sys.stderr)
        print('%d of %d features passed.' % (
            sum(results), len(results)))
        return 3 if left else int(not all(results))


if __name__ == '__main__':
    sys.exit(main())
