# SPDX-License-Identifier: Apache-2.0

"""Tests of the clients with a running Heat."""

import datetime
import json
import signal
import subprocess

from heatclient import exc
from heatclient.v1 import client as heat_client
from testtools import matchers

from heat_extras.client import heat_shell
from heat_extras.client import managers
from heat_extras.sandbox import clients
from tests.functional import base
from tests.functional import lockable_resources
from tests.harness import command

END = '2099-12-24T18:00:00Z'
REASON = 'Größe "L", 数据库'
TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'resources': {'secret': {'type': 'OS::Heat::RandomString'},
                  'text': {'type': 'OS::Heat::TestResource'}},
}
NESTED = {
    'heat_template_version': '2018-08-31',
    'resources': {'group': {
        'type': 'OS::Heat::ResourceGroup',
        'properties': {'count': 1, 'resource_def': {
            'type': 'OS::Heat::RandomString'}}}},
}


class OpenStackTestCase(base.TestCase):

    def create(self, name, template=TEMPLATE):
        return self.client.create_stack(name, template).split('/')[-1]

    def rows(self, done):
        return json.loads(done.stdout)

    def shown(self, name):
        done = self.client.openstack('stack', 'show', name, '-f', 'json')
        return json.loads(done.stdout)

    def assert_awaited(self, command, name, status):
        done = self.client.openstack(
            'stack', *command.split(), '--wait', name)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertThat(done.stderr, matchers.MatchesRegex(
            rf'(?s).*\[{name}\]: {status} '))


class OpenStackClientTest(OpenStackTestCase):

    def test_protect_and_unprotect(self):
        stack_id = self.create('kept')
        done = self.client.openstack('stack', 'protect', 'kept', '--reason',
                                     REASON, '-f', 'json')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual([{
            'Stack ID': stack_id, 'Stack Name': 'kept',
            'Stack Status': 'CREATE_COMPLETE', 'Delete Protected': True,
            'With Resources': False, 'Reason': REASON,
            'Protected By': 'alice', 'Result': 'protected'}], self.rows(done))
        refused = self.client.openstack('stack', 'delete', '--yes', 'kept')
        self.assertEqual(1, refused.returncode)
        self.assertIn('openstack stack unprotect kept', refused.stderr)
        done = self.client.openstack('stack', 'unprotect', 'nowhere', 'kept',
                                     '-f', 'json')
        self.assertEqual(1, done.returncode)
        self.assertIn('nowhere', done.stderr)
        self.assertTrue(self.shown('kept')['delete_protected'])
        done = self.client.openstack('stack', 'unprotect', 'kept', '-f',
                                     'value', '-c', 'Result')
        self.assertEqual((0, 'unprotected\n'),
                         (done.returncode, done.stdout))
        self.assertFalse(self.shown('kept')['delete_protected'])

    def test_existing_client_shows_lock_and_unlock(self):
        stack_id = self.create('web')
        done = self.client.openstack(
            'stack', 'lock', 'web', '--level', 'stacks', '--reason', REASON,
            '-f', 'json')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual([{
            'Stack ID': stack_id, 'Stack Name': 'web',
            'Stack Status': 'CREATE_COMPLETE', 'Lock Level': 'stacks',
            'Lock Status': 'LOCK_COMPLETE',
            'Lock Reason': REASON, 'Locked By': 'alice',
            'Lock ID': self.shown('web')['lock_id'],
            'Lock Expires At': None,
            'Result': 'locked'}], self.rows(done))
        shown = self.shown('web')
        self.assertEqual(
            ('CREATE_COMPLETE', 'stacks', 'LOCK_COMPLETE', REASON, 'alice'),
            (shown['stack_status'], shown['lock_level'],
             shown['lock_status'], shown['lock_reason'],
             shown['locked_by']))
        refused = self.client.openstack('stack', 'check', 'web')
        self.assertEqual(1, refused.returncode)
        self.assertThat(refused.stderr, matchers.Contains(REASON))
        self.assertThat(refused.stderr, matchers.Contains(
            'openstack stack unlock web'))

        done = self.client.openstack('stack', 'unlock', stack_id,
                                     '-f', 'json')
        self.assertEqual(0, done.returncode, done.stderr)
        row, = self.rows(done)
        self.assertEqual(('CREATE_COMPLETE', None, None, 'unlocked'),
                         (row['Stack Status'], row['Lock Level'],
                          row['Lock Status'], row['Result']))
        self.assertIsNone(self.shown('web')['lock_level'])

    def test_stack_show_and_list_display_lock(self):
        stack_id = self.create('seen')
        done = self.client.openstack('stack', 'lock', 'seen', '--level',
                                     'stacks', '--reason', 'db move')
        self.assertIn(
            'Locked: seen (with all nested stacks). The stack status does not '
            'show the lock. To list the lock: openstack stack lock list\n',
            done.stderr)
        shown = self.client.openstack('stack', 'show', 'seen').stdout
        self.assertRegex(
            shown, r'(?s)\| stack_status_reason .*?\n\| lock +\| Locked '
            r'\(level stacks\) by alice since .*?: db move\. To unlock '
            r'the stack: '
            r'openstack stack unlock seen')
        listed = self.client.openstack('stack', 'list').stdout
        self.assertRegex(listed, r'\| Lock +\|\n')
        self.assertRegex(listed, rf'\| {stack_id} \| seen .*\| stacks +\|\n')

    def test_lock_with_unknown_stack_locks_no_stack(self):
        self.create('first')
        self.create('last')
        done = self.client.openstack(
            'stack', 'lock', '--level', 'stacks', 'first', 'remove', 'last',
            '-f', 'value', '-c', 'Stack Name', '-c', 'Result')
        self.assertEqual((1, ['remove failed']),
                         (done.returncode, done.stdout.splitlines()))
        self.assertEqual(
            ['The Stack (remove) could not be found.',
             'No request was sent for these stacks: first, last'],
            done.stderr.splitlines()[-2:])
        for name in 'first', 'last':
            self.assertIsNone(self.shown(name)['lock_level'])

    def test_lock_show_displays_lock_and_changes_nothing(self):
        self.create('small')
        done = self.client.openstack('stack', 'lock', 'show', 'small')
        self.assertEqual((1, 'Stack small is not locked.'), (
            done.returncode, done.stderr.splitlines()[-1]))
        self.assertIsNone(self.shown('small')['lock_level'])
        self.client.openstack('stack', 'lock', '--level', 'stacks', '--reason',
                              REASON, 'small')
        done = self.client.openstack('stack', 'lock', 'show', 'small', '-f',
                                     'json')
        row, shown = self.rows(done), self.shown('small')
        self.assertEqual(
            (shown['id'], shown['lock_id'], 'LOCK_COMPLETE', REASON),
            tuple(row[name] for name in ('Stack ID', 'Lock ID', 'Status',
                                         'Reason')))

    def test_if_unlocked_and_lock_id_options(self):
        self.create('meant')

        def act(*words):
            return self.client.openstack('stack', *words, 'meant', '-f',
                                         'value', '-c', 'Lock ID')

        done = act('lock', '--level', 'stacks', '--if-unlocked')
        first = done.stdout.strip()
        self.assertEqual((0, 36), (done.returncode, len(first)), done.stderr)
        done = act('lock', '--level', 'stacks', '--if-unlocked')
        self.assertEqual(1, done.returncode)
        self.assertIn(f'lock {first} ', done.stderr)
        done = act('lock', '--level', 'stacks', '--lock-id', first)
        second = done.stdout.strip()
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertNotEqual(first, second)
        done = act('unlock', '--lock-id', first)
        self.assertEqual(1, done.returncode)
        self.assertIn(f'lock {second} ', done.stderr)
        self.assertEqual(0, act('unlock', '--lock-id', second).returncode)
        self.assertIsNone(self.shown('meant')['lock_id'])

    def test_lock_is_changed_or_replaced(self):
        self.create('taken')
        result = 'taken', '-f', 'value', '-c', 'Result'
        for words, message in (
                (('--level', 'stacks', '--reason', REASON), 'locked\n'),
                ((), 'lock changed\n'),
                (('--replace', '--level', 'stacks'), 'lock changed\n')):
            done = self.client.openstack('stack', 'lock', *words, *result)
            self.assertEqual((0, message), (done.returncode, done.stdout),
                             done.stderr)
        shown = self.shown('taken')
        self.assertEqual(('stacks', None), (shown['lock_level'],
                                            shown['lock_reason']))

    def test_unlock_with_ignore_failures(self):
        self.create('given')
        self.client.openstack('stack', 'lock', '--wait', 'given')
        done = self.client.openstack(
            'stack', 'unlock', '--wait', '--ignore-failures', 'given', '-f',
            'value', '-c', 'Result')
        self.assertEqual((0, 'unlocked\n'), (done.returncode, done.stdout),
                         done.stderr)
        self.assertIsNone(self.shown('given')['lock_level'])

    def test_lock_expiration_is_set_and_changed(self):
        self.create('ending')
        stack = 'ending', '-f', 'json'
        begin = datetime.datetime.now(datetime.timezone.utc)
        done = self.client.openstack('stack', 'lock', '--level', 'stacks',
                                     '--for', '2h', *stack)
        row, = self.rows(done)
        end = datetime.datetime.fromisoformat(
            row['Lock Expires At'].replace('Z', '+00:00'))
        self.assertGreaterEqual(end, begin + datetime.timedelta(hours=2))
        self.assertLess(end, begin + datetime.timedelta(hours=3))
        of = {each['Stack Name']: each for each
              in self.listed('--expires-before', END)}
        self.assertEqual(row['Lock Expires At'], of['ending']['Expires At'])
        done = self.client.openstack(
            'stack', 'lock', '--level', 'stacks', '--expires-at',
            '2099-12-24T19:00:00+01:00', *stack)
        changed, = self.rows(done)
        self.assertEqual(END, changed['Lock Expires At'], done.stderr)
        self.assertNotEqual(row['Lock ID'], changed['Lock ID'])
        done = self.client.openstack('stack', 'lock', 'set', '--no-expiry',
                                     *stack)
        self.assertEqual([{**changed, 'Lock Expires At': None,
                           'Result': 'expiration changed'}], self.rows(done))

    def listed(self, *words, **options):
        done = self.client.openstack('stack', 'lock', 'list', '-f', 'json',
                                     *words, **options)
        self.assertEqual(0, done.returncode, done.stderr)
        return self.rows(done)

    def test_lock_list_with_filters_and_pages(self):
        for name in ('list', 'second'):
            self.create(name)
            # A stack name that no command starts with.
            done = self.client.openstack('stack', 'lock', '--', name)
            self.assertEqual(0, done.returncode, done.stderr)
        of = {row['Stack Name']: row for row in self.listed()}
        self.assertLessEqual({'list', 'second'}, set(of))
        shown = self.shown('list')
        self.assertEqual(
            (shown['lock_id'], shown['id'], 'all', 'alice',
             shown['locked_at']),
            tuple(of['list'][name] for name in (
                'Lock ID', 'Stack ID', 'Level', 'Locked By', 'Locked At')))
        ids = [row['Lock ID'] for row in self.listed()]
        self.assertEqual(ids[1:2], [row['Lock ID'] for row in self.listed(
            '--limit', '1', '--marker', ids[0])])
        self.assertEqual({'all'}, {row['Level'] for row
                                   in self.listed('--level', 'all')})
        done = self.client.openstack('stack', 'lock', 'list',
                                     '--all-projects')
        self.assertEqual(1, done.returncode)
        self.assertLessEqual(set(ids), {row['Lock ID'] for row in self.listed(
            '--all-projects', token='ops:admin')})
        table = self.client.openstack('stack', 'lock', 'list').stdout
        self.assertLessEqual(max(map(len, table.splitlines())), 80, table)

    def test_stacks_are_selected_by_tag(self):
        for name, tags in (('shop', 'env=prod,team=a'), ('mail', 'env=prod'),
                           ('hidden', 'env=prod,data-processing-cluster'),
                           ('test', 'env=test')):
            self.client.create_stack(name, TEMPLATE, tags=tags)
        base.Client(self.sandbox.url + 'x').create_stack(
            'theirs', TEMPLATE, tags='env=prod')
        for words, tag, token, wanted in (
                ('protect', 'env=prod', 'ops:admin',
                 'hidden protected, mail protected, shop protected'),
                ('unprotect', 'env=prod,team=a', 'ops:admin',
                 'shop unprotected'),
                ('lock --level stacks', 'env=prod', 'alice:member',
                 'hidden locked, mail locked, shop locked'),
                ('unlock --wait', 'team=a', 'alice:member', 'shop unlocked')):
            done = self.client.openstack(
                'stack', *words.split(), '--tag', tag, '-f', 'value', '-c',
                'Stack Name', '-c', 'Result', token=token)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertEqual(wanted, ', '.join(sorted(
                done.stdout.splitlines())))
        done = self.client.openstack('stack', 'unlock', '--tag', 'env=prod')
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, r'(?m)^Stack shop .* is not locked')
        self.assertNotIn('mail', done.stderr)
        done = self.client.openstack('stack', 'lock', '--tag', 'env=none')
        self.assertEqual(1, done.returncode)
        self.assertIn('no stack in this project is selected by --tag '
                      "'env=none'",
                      done.stderr)

    def test_tables_fit_terminal(self):
        for name in ('one', 'another'):
            self.create(name)
        field_by_field = self.client.openstack(
            'stack', 'lock', '--level', 'stacks', 'one', '--reason',
            'a reason that goes on and on, so that it takes two lines ' * 2,
            '--max-width', '80')
        for words, head in (
                ('lock --replace --level stacks one another', 'Stack Name'),
                ('guard list one', 'Kind'),
                ('lock --dry-run --level all one', 'Stack')):
            done = self.client.openstack('stack', *words.split(),
                                         '--max-width', '80')
            self.assertEqual(0, done.returncode, done.stderr)
            lines = done.stdout.splitlines()
            self.assertThat(lines[1], matchers.StartsWith(f'| {head}'))
            self.assertLessEqual(max(map(len, lines)), 80, done.stdout)
        lines = field_by_field.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertRegex(field_by_field.stdout, r'\| Lock Level +\| stacks ')

    def test_wait_shows_events(self):
        self.create('awaited')
        for words, seen in (('lock --level stacks', 'LOCK_COMPLETE'),
                            ('lock --level all', 'LOCK_COMPLETE'),
                            ('unlock', 'UNLOCK_COMPLETE')):
            self.assert_awaited(words, 'awaited', seen)

    def warnings(self, name):
        done = self.client.openstack('stack', 'lock', '--wait', name)
        self.assertEqual(0, done.returncode, done.stderr)
        return [line for line in done.stderr.splitlines() if 'WARN' in line]

    def test_lock_with_level_all_warns_once(self):
        disk = {**TEMPLATE, 'resources': {
            **TEMPLATE['resources'], 'disk': {'type': 'Our::Disk'}}}
        self.client.create_stack('open', disk, environment={
            'resource_registry': {'Our::Disk': 'OS::Heat::TestResource'}})
        warning, = self.warnings('open')
        self.assertThat(warning, matchers.MatchesRegex(
            'WARNING: stack open: 1 of 1 resource is not protected: .* has '
            'no lock API$'))

    def test_no_warning_for_resources_only_in_heat(self):
        self.create('whole')
        self.assertEqual([], self.warnings('whole'))

    def test_lock_without_wait_shows_event_list_command(self):
        self.create('followed')
        done = self.client.openstack('stack', 'lock', 'followed', '-f',
                                     'value', '-c', 'Result')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(
            done.stdout == 'in progress\n',
            'openstack stack event list --follow followed' in done.stderr)

    def test_unlock_of_unlocked_stack_is_rejected(self):
        self.create('free')
        done = self.client.openstack('stack', 'unlock', 'free')
        self.assertEqual(1, done.returncode)
        self.assertThat(done.stderr, matchers.MatchesRegex(
            r'(?ms).*^Stack free .* is not locked'))

    def test_lock_by_reader_is_rejected(self):
        self.create('theirs')
        done = self.client.openstack('stack', 'lock', 'theirs', '-f', 'json',
                                     token='eve:reader')
        self.assertEqual(1, done.returncode)
        row, = self.rows(done)
        self.assertEqual('CREATE_COMPLETE', row['Stack Status'])
        self.assertIn('stack theirs: ', done.stderr)

    def test_lock_of_nested_stack_names_root_stack(self):
        self.create('tree', NESTED)
        nested = [each for each in self.client.get(
            '/stacks?show_nested=true').json()['stacks']
            if each['stack_name'].startswith('tree-group')]
        done = self.client.openstack('stack', 'lock', nested[0]['id'])
        self.assertEqual(1, done.returncode)
        self.assertIn('lock the root stack tree', done.stderr)

    def test_lock_reason_over_255_characters_is_rejected(self):
        self.create('wordy')
        done = self.client.openstack('stack', 'lock', 'wordy',
                                     '--reason', 'x' * 256)
        self.assertEqual(1, done.returncode)
        self.assertIn('at most 255', done.stderr)

    def test_lock_without_authentication(self):
        self.create('anyones')
        done = command.run(
            [clients.find_client('openstack', 'python-openstackclient'),
             '--os-auth-type', 'none', '--os-endpoint', self.sandbox.url,
             'stack', 'lock', 'anyones', '--level=stacks', '-f', 'value',
             '-c', 'Locked By'])
        self.assertEqual((0, 'demo\n'), (done.returncode, done.stdout))


class InterruptedClientTest(lockable_resources.TestCase):

    def test_ctrl_c_shows_operations_in_progress(self):
        self.client.create_stack('another', NESTED)
        let_go = self.hold_up('lock')
        waits = subprocess.Popen(
            [clients.find_client('openstack', 'python-openstackclient'),
             'stack', 'lock', '--wait', self.name, 'another', '-f', 'value',
             '-c', 'Result'], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=clients.openstack_environment(
                self.sandbox.url, 'alice:member'))
        self.addCleanup(waits.kill)
        # The client shows the first event after it starts to wait.
        begin = [next(line for line in waits.stderr if 'LOCK_' in line)]
        waits.send_signal(signal.SIGINT)
        out, err = waits.communicate(timeout=60)
        self.assertEqual((130, 'in progress\n'), (waits.returncode, out),
                         [*begin, err])
        self.assertIn(
            f'stack {self.name}: lock is in progress. To follow it: '
            f'openstack stack event list --follow {self.name}\n', err)
        self.assertIn('No request was sent for these stacks: another\n', err)
        let_go()
        self._wait(self.path, 'LOCK_COMPLETE')


class DisabledFeaturesTest(OpenStackTestCase):

    options = ('--features', '')

    def test_error_names_disabled_feature(self):
        self.create('web')
        for words, feature in (('lock', 'stack_lock'),
                               ('unlock', 'stack_lock'),
                               ('lock --dry-run', 'stack_lock'),
                               ('lock set --no-expiry', 'stack_lock'),
                               ('guard list', 'guards')):
            done = self.client.openstack('stack', *words.split(), 'web')
            self.assertEqual(1, done.returncode)
            self.assert_whom_to_ask(done, feature)
        done = self.client.openstack('stack', 'lock', 'list')
        self.assertEqual(1, done.returncode)
        self.assert_whom_to_ask(done, 'stack_lock')
        for word in ('action-lock', 'action-unlock'):
            done = self.client.heat(word, 'web', program='heat-extras')
            self.assertEqual(1, done.returncode)
            self.assert_whom_to_ask(done, 'stack_lock')

    def assert_whom_to_ask(self, done, feature):
        self.assertIn('Ask the operator of this Heat to install heat-extras '
                      f'and to enable the feature "{feature}" ', done.stderr)
        self.assertEqual(1, done.stderr.count('Ask the operator of this Heat'))

    def test_mark_unhealthy_and_reset_work_without_feature(self):
        self.create('marked')
        done = self.client.openstack(
            'stack', 'resource', 'unhealthy', 'marked', 'secret', '-f',
            'value', '-c', 'Resource Status', '-c', 'Result')
        self.assertEqual((0, 'CHECK_FAILED marked\n'),
                         (done.returncode, done.stdout), done.stderr)
        self.assertEqual('Marked as unhealthy', self.status_reason())
        done = self.client.openstack(
            'stack', 'resource', 'unhealthy', '--reset', 'marked', 'secret')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual('Reset to healthy', self.status_reason())

    def status_reason(self):
        return self.client.openstack(
            'stack', 'resource', 'show', 'marked', 'secret', '-f', 'value',
            '-c', 'resource_status_reason').stdout.strip()


class StatusOverlayTest(OpenStackTestCase):

    settings = '[heat_extras]\nstatus_overlay = full\n'

    def test_wait_ends_with_status_overlay(self):
        self.create('web')
        self.assert_awaited('lock', 'web', 'LOCK_COMPLETE')
        shown = self.shown('web')
        self.assertEqual(('LOCK_COMPLETE', 'LOCK_COMPLETE', 'all'),
                         (shown['stack_status'], shown['lock_status'],
                          shown['lock_level']))
        self.assert_awaited('unlock', 'web', 'UNLOCK_COMPLETE')
        self.assertIsNone(self.shown('web')['lock_level'])


class HeatShellTest(base.TestCase):

    def heat_extras(self, *arguments):
        return self.client.heat(*arguments, program='heat-extras')

    def test_lock_and_unlock(self):
        self.client.create_stack('web', TEMPLATE)
        done = self.heat_extras('action-lock', 'web', '--level=stacks',
                                '--reason', REASON, '--expires-at', END)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertThat(done.stdout, matchers.MatchesRegex(
            r'(?s).*\| Stack Name +\| web .*\| Stack Status +\| '
            rf'CREATE_COMPLETE .*\| Lock Expires At +\| {END} .*'
            r'\| Result +\| locked '))
        done = self.heat_extras('action-extend-lock', 'web', '--no-expiry')
        self.assertEqual(0, done.returncode, done.stderr)
        listed = self.heat_extras('lock-list')
        self.assertRegex(listed.stdout, r'\| web +\| stacks \| LOCK_COMPLETE ')
        done = self.heat_extras('action-suspend', 'web')
        self.assertEqual(1, done.returncode)
        self.assertIn(REASON, done.stderr)
        done = self.heat_extras('action-unlock', 'web')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn(' unlocked ', done.stdout)

    def test_protect_and_unprotect(self):
        self.client.create_stack('kept', TEMPLATE)
        done = self.heat_extras('action-protect', 'kept', '--reason', REASON)
        self.assertEqual(0, done.returncode, done.stderr)
        done = self.heat_extras('stack-delete', '--yes', 'kept')
        self.assertEqual(1, done.returncode)
        self.assertIn('openstack stack unprotect kept', done.stderr)
        done = self.heat_extras('action-unprotect', 'kept')
        self.assertEqual(0, done.returncode, done.stderr)
        done = self.heat_extras('action-unprotect', 'kept')
        self.assertEqual(1, done.returncode)
        self.assertIn('is not protected', done.stderr)

    def test_stacks_are_selected_by_tag(self):
        for name in ('one', 'another'):
            self.client.create_stack(name, TEMPLATE, tags='env=prod')
        for verb in 'lock', 'unlock':
            options = ['--level=stacks'] if verb == 'lock' else []
            done = self.heat_extras(f'action-{verb}', '--tag', 'env=prod',
                                    *options)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertEqual(2, done.stdout.count(f' {verb}ed '))

    def test_suggested_follow_and_show_commands_work(self):
        self.client.create_stack('followed', TEMPLATE)
        done = self.heat_extras('action-lock', 'followed')
        self.assertEqual(' in progress ' in done.stdout,
                         'To follow it: ' in done.stderr)
        hints = heat_shell.HINTS
        for words in hints.follow.partition(' (')[0], hints.show:
            program, *words = words.format(stack='followed').split()
            done = self.heat_extras(*words)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn('LOCK_', done.stdout)

    def test_lock_of_unknown_stack_is_rejected(self):
        done = self.heat_extras('action-lock', 'nosuch')
        self.assertEqual(
            (1, 'ERROR: The Stack (nosuch) could not be '
                'found.\n'), (done.returncode, done.stderr))


class LockManagerTest(base.TestCase):

    def test_protect_and_unprotect(self):
        self.client.create_stack('kept', TEMPLATE)
        client = heat_client.Client(endpoint=self.sandbox.url,
                                    token='alice:member')
        manager = managers.LockManager(client)
        self.assertIsNone(manager.protect('kept', REASON))
        shown = client.stacks.get('kept')
        self.assertEqual((True, REASON), (shown.delete_protected,
                                          shown.delete_protection_reason))
        error = self.assertRaises(exc.HTTPConflict, client.stacks.delete,
                                  'kept')
        self.assertEqual('StackProtected', error.error['error']['type'])
        self.assertIsNone(manager.protect('kept'))
        self.assertEqual(REASON,
                         client.stacks.get('kept').delete_protection_reason)
        self.assertIsNone(manager.unprotect('kept'))
        self.assertFalse(client.stacks.get('kept').delete_protected)

    def test_lock_and_unlock(self):
        path = self.client.create_stack('web', TEMPLATE)
        client = heat_client.Client(endpoint=self.sandbox.url,
                                    token='alice:member')
        manager = managers.LockManager(client)
        end = datetime.datetime(2099, 12, 24, 18,
                                tzinfo=datetime.timezone.utc)
        answer = manager.lock('web', 'stacks', REASON, expires_at=end)
        shown = client.stacks.get('web')
        self.assertEqual({'lock': {'id': shown.lock_id,
                                   'previous_id': None}}, answer)
        self.assertEqual((REASON, END),
                         (shown.lock_reason, shown.lock_expires_at))
        self.assertIn(shown.lock_id, [each['id'] for each
                                      in manager.list_locks(level='stacks')])
        error = self.assertRaises(exc.HTTPConflict, client.stacks.delete,
                                  'web')
        self.assertEqual('StackLocked', error.error['error']['type'])
        self.assertIsNone(manager.extend_lock('web', None, shown.lock_id))
        self.assertIsNone(client.stacks.get('web').lock_expires_at)
        self.assertIsNone(manager.unlock(path.removeprefix('/stacks/')))
        self.assertIsNone(client.stacks.get('web').lock_level)
