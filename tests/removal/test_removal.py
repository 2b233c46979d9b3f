# SPDX-License-Identifier: Apache-2.0

"""Heat that used heat-extras, after heat-extras is removed."""

import collections
import os
import sqlite3

import testtools

from tests.functional import base
from tests.functional import templates
from tests.harness import waiting

GUARDED = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one',
                             'updatable': False}},
    'resources': {'nested': {
        'type': 'nested.yaml', 'properties': {'value': {'get_param': 'value'}},
        'update_policy': {'allow': {'replace': False}}}},
}
GUARDED_FILES = {'nested.yaml': """
heat_template_version: 2018-08-31
parameters:
  value: {type: string, updatable: false}
  other: {type: string, default: one}
resources:
  test:
    type: OS::Heat::TestResource
    properties: {value: {get_param: other}}
"""}

SECONDS = 60

# Columns with timestamps, and Heat's table of engines.
TIMES = ('created_at', 'updated_at', 'deleted_at')
ENGINES = 'service'


class RemovalTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.options = ['--features', '']
        self.sandbox = self.useFixture(base.Sandbox(self.options))
        self.client = self.sandbox.client()
        self.path = self.client.create_stack(
            'web', templates.SCALING, files=templates.FILES)
        self.sandbox.stop()

    def start(self, features):
        self.sandbox.options[1] = features
        self.sandbox.start()
        self.client = self.sandbox.client()

    def file(self, name):
        return os.path.join(self.sandbox.state_dir, name)

    def manage(self, *words):
        done = self.sandbox.run('heat-extras-manage', *words)
        return done.returncode, done.stdout + done.stderr

    def dump(self):
        """Read the whole database except timestamps.

        :returns: schema, and rows by table.
        """
        with self.sandbox.database() as connection:
            connection.row_factory = sqlite3.Row
            schema = set(map(tuple, connection.execute(
                'SELECT type, name, sql FROM sqlite_master')))
            tables = {name for kind, name, _ in schema
                      if kind == 'table' and name != ENGINES
                      and not name.startswith('sqlite_')}
            return schema, {name: [
                {key: row[key] for key in row.keys() if key not in TIMES}
                for row in connection.execute(f'SELECT * FROM "{name}"')]
                for name in tables}

    def differences(self, before, after):
        """Count the columns that differ, and the rows that are new."""
        counts = collections.Counter()
        for name in before:
            new = len(after[name]) - len(before[name])
            if new:
                counts[name, 'new rows'] = new
            pairs = zip(before[name], after[name], strict=False)
            counts.update(
                (name, key) for old, row in pairs
                for key in old if old[key] != row[key])
        return counts

    def wait_for_event(self, action):
        waiting.until(f'the event {action}',
                      lambda: self.client.get(self.path + '/events').text,
                      lambda text: action in text)

    def remove(self):
        self.assertEqual(0, self.sandbox.stop())
        status, text = self.manage('db_downgrade')
        self.assertEqual(0, status, text)

    def test_database_is_unchanged_after_removal(self):
        before = self.dump()
        self.start('all')
        stack = self.client.show_stack(self.path)
        self.assertIsNone(stack['lock_level'])
        self.client.get(self.path + '/resources')
        self.remove()
        self.assertEqual(before, self.dump())

    def test_only_events_and_fences_of_lock_remain_after_removal(self):
        schema, rows = self.dump()
        self.start('all')
        self.client.post(self.path + '/actions', {
            'lock': {'level': 'stacks', 'reason': 'db move'}})
        self.assertEqual(409, self.client.delete(self.path).status_code)
        self.client.post(self.path + '/resources/scale_up/signal')
        self.wait_for_event('SIGNAL')
        self.sandbox.stop()
        status, text = self.manage('db_downgrade')
        self.assertEqual(1, status)
        self.assertIn('locked stacks: ', text)
        self.start('all')
        self.client.post(self.path + '/actions', {'unlock': None})
        self.remove()
        after_schema, after = self.dump()
        self.assertEqual(schema, after_schema)
        differences = self.differences(rows, after)
        self.assertEqual(
            {('stack', 'current_traversal'), ('resource', 'atomic_key'),
             ('event', 'new rows')}, set(differences), differences)
        new = after['event'][len(rows['event']):]
        self.assertEqual({'LOCK', 'UNLOCK', 'SIGNAL'},
                         {event['resource_action'] for event in new})
        self.start('')
        stack = self.client.show_stack(self.path)
        self.assertEqual('CREATE_COMPLETE', stack['stack_status'])
        self.assertNotIn('lock_level', stack)
        self.client.delete(self.path)
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_guarded_stack_can_be_updated_after_removal(self):
        self.start('all')
        path = self.client.create_stack('guarded', GUARDED,
                                        files=GUARDED_FILES)
        self.sandbox.stop()
        status, text = self.manage('db_downgrade')
        self.assertEqual(1, status)
        self.assertIn('rewrite-templates', text)
        status, text = self.manage('rewrite-templates')
        self.assertEqual(0, status, text)
        self.assertEqual(0, self.manage('db_downgrade')[0])
        self.start('')
        self.assertEqual(202, self.client.patch(
            path, {'parameters': {}}).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        answer = self.client.patch(path, {'parameters': {'value': 'two'}})
        self.assertEqual(400, answer.status_code)
        self.assertIn('value', answer.json()['error']['message'])
        self.assertEqual(204, self.client.delete(path).status_code)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
