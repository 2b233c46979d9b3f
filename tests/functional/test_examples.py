# SPDX-License-Identifier: Apache-2.0

"""Tests that run the examples in the help of the commands."""

import json
import os
import shlex

import fixtures

from tests.functional import base
from tests.harness import command
from tests.unit.output import test_help_text

# The first commands: all others are rejected on a locked stack.
ORDER = [
    *(f'openstack stack {words}' for words in (
        'lock', 'lock set', 'lock pass grant', 'lock pass list',
        'lock pass revoke', 'lock list', 'lock show', 'unlock', 'protect',
        'unprotect')),
    *(f'heat-extras {words}' for words in (
        'action-lock', 'action-extend-lock', 'action-lock-pass',
        'action-revoke-lock-pass', 'lock-list', 'action-unlock',
        'action-protect', 'action-unprotect'))]

# The commands before which the stack of the lock pass is locked.
BEFORE_PASS = 'openstack stack lock', 'heat-extras action-lock'

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'size': {'type': 'number', 'default': 1}},
    'resources': {name: {'type': 'OS::Heat::RandomString'}
                  for name in ('db', 'cache')},
}


class ExamplesTest(base.TestCase):

    def type(self, line):
        program, *words = [self.files.get(word, word)
                           for word in shlex.split(line)]
        token = 'ops:admin' if '--all-projects' in words else 'alice:member'
        if program == 'openstack':
            return self.client.openstack(*words, token=token)
        return self.client.heat(*words, program=program, token=token)

    def test_examples_in_help_succeed(self):
        directory = self.useFixture(fixtures.TempDir())
        # Commands run in another directory.
        self.files = {name: directory.join(name)
                      for name in ('new.yaml', 'web.plan')}
        with open(self.files['new.yaml'], 'w') as target:
            json.dump(TEMPLATE, target)
        for name, body in (('web', {}), ('mail', {'tags': 'env=prod'})):
            self.client.create_stack(name, TEMPLATE, **body)
        tried = 0
        examples = test_help_text.examples()
        for command_line in [*ORDER, *sorted(set(examples) - set(ORDER))]:
            if command_line in BEFORE_PASS:
                self.type('openstack stack lock --level stacks mail')
            if command_line.startswith(('openstack ', 'heat-extras ')):
                for example in examples[command_line]:
                    tried += 1
                    done = self.type(example.command)
                    # The status 2 of a plan means changes.
                    self.assertEqual(2 if '--create' in example.command else 0,
                                     done.returncode,
                                     example.command + done.stderr)
        self.assertGreater(tried, 8)


class CompletionTest(base.TestCase):
    """Tests of the completion that the documentation describes."""

    def bash(self, script):
        return command.check(
            ['bash', '-c', script], environment={
                **os.environ, **base.QUIET,
                'PATH': f'{command.BIN}:{os.environ["PATH"]}'})

    def test_openstack_completes_commands(self):
        offered = dict(line.strip().partition('=')[::2] for line in self.bash(
            'openstack complete --shell none').splitlines())
        for name, word in (('stack', 'unlock'), ('stack', 'protect'),
                           ('stack_guard', 'list'),
                           ('stack_resource', 'unhealthy'),
                           ('stack_lock', '--dry-run'),
                           ('stack_lock', '--for'),
                           ('stack_lock', 'set'),
                           ('stack_lock', 'list')):
            self.assertIn(word, offered[f'cmds_{name}'].strip("'").split())

    def test_heat_extras_completes_lock_commands(self):
        offered = self.bash(
            'complete -W "$(heat-extras bash-completion)" heat-extras\n'
            'eval "$(complete -p heat-extras | sed '
            '"s/^complete/compgen/; s/heat-extras$/-- action-/")"')
        self.assertLessEqual(
            {'action-lock', 'action-unlock', 'action-suspend',
             'action-extend-lock',
             'action-protect', 'action-unprotect'},
            set(offered.split()))
