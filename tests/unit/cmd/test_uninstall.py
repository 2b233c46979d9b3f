# SPDX-License-Identifier: Apache-2.0

import json
import re

import fixtures
import testscenarios

from heat_extras.cmd import manage
from heat_extras.db import migration
from tests.unit.cmd import base
from tests.unit.db import test_disabled_features
from tests.unit.db import test_live_engines


class RemovalTestCase(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)

    def add_template(self):
        number, = self.database.insert('raw_template', {
            'template': json.dumps(test_disabled_features.STAYS)})
        self.database.add_stack('1234', raw_template_id=number)
        return f'template {number} of stack web (1234)'

    def reject_dry_run(self, *words):
        """Run a command that would be rejected, with ``--dry-run``.

        :returns: what it printed on standard output.
        """
        message, output = self.reject(*words, '--dry-run')
        self.assertRegex(message, 'the command would be rejected, for '
                                  r'[1-9] reasons? printed above\.$')
        return output

    def reject(self, *words):
        """Run a command that fails.

        :returns: its message, and what it printed on standard output.
        """
        out = self.useFixture(fixtures.StringStream('out')).stream
        with fixtures.MonkeyPatch('sys.stdout', out):
            error = self.assertRaises(SystemExit, self.main, [
                '--config-file', self.write_config(self.database.url), *words])
        out.seek(0)
        return self.check_message(error), out.read()

    def everything(self):
        return self.database.schema(), self.database.rows('stack'), \
            self.database.rows('raw_template')


class RunningEnginesTest(testscenarios.WithScenarios, RemovalTestCase):
    """Both commands stop if an engine uses the columns."""

    scenarios = [(name, {'command': name})
                 for name in ('db_downgrade', 'rewrite-templates')]

    def add_engine(self, *args, **kwargs):
        return test_live_engines.add_engine(self.database, *args, **kwargs)

    def refused(self, *words):
        before = self.everything()
        message = self.fail_command(self.command, *words)
        self.assertEqual(before, self.everything())
        return message

    def test_running_engine_is_named_with_time_to_wait(self):
        own_id = self.add_engine('one', age=7, features=['stack_lock'])
        message = self.refused()
        match = re.search(
            r'Found 1 running engine with features of heat-extras: '
            rf'one \({own_id}\), features stack_lock, last seen (\d+) s ago\. '
            r'Make \[heat_extras\] features empty and restart it, or stop '
            r'it\. .* wait (\d+) s\. With --force, the command continues',
            message)
        self.assertIsNotNone(match, message)
        seen, wait = map(int, match.groups())
        self.assertGreaterEqual(seen, 6)
        # Two heartbeat intervals after the engine was last seen.
        self.assertIn(seen + wait, range(119, 122))

    def test_time_to_wait_is_that_of_last_seen_engine(self):
        self.add_engine('one', age=100, features=['all'])
        self.add_engine('two', age=20, features=['all'])
        message = self.refused()
        self.assertIn('Found 2 running engines', message)
        self.assertIn('restart them, or stop them', message)
        wait, = re.findall(r'wait (\d+) s', message)
        # For the engine seen last; its age grows while the test runs.
        self.assertIn(int(wait), range(21, 102))

    def test_force_continues_despite_running_engine(self):
        self.add_engine('one', features=['all'])
        self.run_command(self.command, '--force')
        self.assertEqual(0, self.status or 0)

    def test_engines_down_or_without_features_are_ignored(self):
        self.add_engine('off')
        self.add_engine('stopped', features=['all'], deleted=True)
        self.add_engine('dead', age=121, features=['all'])
        self.run_command(self.command)

    def test_dry_run_reports_running_engine_and_continues(self):
        self.add_engine('one', features=['all'])
        name = self.add_template()
        before = self.everything()
        output = self.reject_dry_run(self.command)
        self.assertIn('the command would stop here: Found 1 running engine',
                      output)
        self.assertIn(name, output)
        self.assertEqual(before, self.everything())


class RewriteTemplatesTest(RemovalTestCase):

    def test_rewrite_templates_names_changed_templates(self):
        name = self.add_template()
        self.assertEqual(f'1 stored template would be rewritten: {name}.\n',
                         self.run_command('rewrite-templates', '--dry-run'))
        self.assertEqual(f'1 stored template rewritten: {name}.\n',
                         self.run_command('rewrite-templates'))
        self.assertEqual('0 stored templates rewritten.\n',
                         self.run_command('rewrite-templates'))


class DowngradeTest(RemovalTestCase):

    def test_db_downgrade_names_templates_to_rewrite(self):
        name = self.add_template()
        message = self.fail_command('db_downgrade')
        self.assertIn('Found 1 stored template with', message)
        self.assertIn(f'cannot load: {name}. Run', message)

    def test_dry_run_reports_all_steps_and_changes_nothing(self):
        self.database.add_locked_stack('1', name='db')
        before = self.everything()
        output = self.reject_dry_run('db_downgrade')
        self.assertIn('the command would stop here: Found 1 locked stack: db '
                      '(1).', output)
        output = self.run_command('db_downgrade', '--dry-run', '--unlock-all')
        self.assertIn('1 stack would be unlocked: db (1).\n', output)
        self.assertRegex(output, r'Would remove: stack\.lock_level, .*'
                         r'heat_extras_engine')
        self.assertEqual(before, self.everything())

    def test_dry_run_rejects_revision_of_other_release(self):
        with self.engine.begin() as connection:
            connection.execute(self.database.table(
                migration.VERSION_TABLE).update().values(version_num='later'))
        for words in (), ('--dry-run',):
            self.assertIn('later', self.fail_command('db_downgrade', *words))

    def add_resources(self, **states):
        """Add resources of a stack, with their states in the table."""
        self.database.add_locked_stack('1', name='db', lock_level='all')
        for number, (name, state) in enumerate(states.items(), 1):
            self.database.insert('resource', {
                'id': number, 'uuid': name, 'name': name, 'stack_id': '1',
                'nova_instance': f'id-{name}', 'action': 'CREATE',
                'status': 'COMPLETE', 'current_template_id':
                    self.database.rows('raw_template')[0]['id']})
            self.database.insert('heat_extras_protection', {
                'resource_id': number, 'stack_id': '1', 'root_id': '1',
                'resource_name': name, 'resource_type': 'OS::Nova::Server',
                'physical_resource_id': f'id-{name}', 'state': state})

    def test_resources_that_stay_protected_are_listed_and_need_option(self):
        self.add_resources(vm='protected', jammed='not_released',
                           free='released', other='found_protected')
        before = self.everything()
        for words in ('--unlock-all',), ('--unlock-all', '--dry-run'):
            message, output = self.reject('db_downgrade', *words)
            self.assertIn('id-vm', output)
            self.assertIn('id-jammed', output)
            self.assertNotIn('id-free', output)
            self.assertNotIn('id-other', output)
        message, _ = self.reject('db_downgrade', '--unlock-all')
        self.assertIn('2 resources listed above would stay protected',
                      message)
        self.assertIn('use --leave-protected', message)
        self.assertEqual(before, self.everything())
        output = self.run_command('db_downgrade', '--unlock-all',
                                  '--leave-protected', '-f', 'csv')
        self.assertIn('"demo","db","1","vm","OS::Nova::Server","id-vm"\n',
                      output)
        self.assertIn('Removed: ', output)

    def test_resources_of_unlocked_stack_are_listed(self):
        self.add_resources(jammed='not_released', replaced='not_released')
        with self.engine.begin() as connection:
            connection.execute(self.database.table('stack').update().values(
                lock_level=None))
            gone = self.database.table('resource')
            connection.execute(gone.delete().where(gone.c.id == 2))
        message, output = self.reject('db_downgrade')
        self.assertIn('1 resource listed above', message)
        self.assertIn('id-jammed', output)
        self.assertNotIn('id-replaced', output)

    def test_dry_run_after_downgrade_has_nothing_to_remove(self):
        self.run_command('db_downgrade')
        self.assertEqual(
            'The database has no columns or tables of heat-extras.\n'
            'Would remove: no column or table.\n',
            self.run_command('db_downgrade', '--dry-run'))
