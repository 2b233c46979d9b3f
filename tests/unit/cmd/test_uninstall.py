# SPDX-License-Identifier: Apache-2.0

import json
import re

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
        output = self.run_command(self.command, '--dry-run')
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
        output = self.run_command('db_downgrade', '--dry-run')
        self.assertIn('the command would stop here: Found 1 locked stack: db '
                      '(1).', output)
        output = self.run_command('db_downgrade', '--dry-run', '--unlock-all')
        self.assertIn('1 stack would be unlocked: db (1).\n', output)
        self.assertRegex(output, r'Would remove: stack\.lock_level, .*'
                         r'heat_extras_engine')
        self.assertEqual(before, self.everything())

    def test_dry_run_after_downgrade_has_nothing_to_remove(self):
        self.run_command('db_downgrade')
        self.assertEqual(
            'The database has no columns or tables of heat-extras.\n'
            'Would remove: no column or table.\n',
            self.run_command('db_downgrade', '--dry-run'))
