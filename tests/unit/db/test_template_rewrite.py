# SPDX-License-Identifier: Apache-2.0

import json

import fixtures
import sqlalchemy
import testtools

from heat_extras.db import template_rewrite
from tests.unit.db import base

GUARDED = {
    'heat_template_version': '2018-08-31',
    'parameters': {
        'size': {'type': 'number', 'updatable': False},
        'color': {'type': 'string', 'updatable': True, 'label': 'a colour'}},
    'resources': {
        'one': {'type': 'OS::Heat::TestResource',
                'update_policy': {'allow': {'replace': False}}},
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'update_policy': {
            'allow': {'update': False},
            'rolling_updates': {'max_batch_size': 1}}}},
}
STOCK = {
    'heat_template_version': '2018-08-31',
    'parameters': {
        'size': {'type': 'number', 'immutable': True},
        'color': {'type': 'string', 'label': 'a colour'}},
    'resources': {
        'one': {'type': 'OS::Heat::TestResource'},
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'update_policy': {
            'rolling_updates': {'max_batch_size': 1}}}},
}
YAML = """
heat_template_version: 2018-08-31
parameters:
  # A comment.
  size: {type: number, updatable: false}
"""


class RewriteTemplateTest(testtools.TestCase):

    def test_heat_extras_attributes_are_replaced_or_removed(self):
        self.assertEqual(STOCK, template_rewrite.rewrite_template(GUARDED))

    def test_unchanged_template_is_returned_itself(self):
        self.assertIs(STOCK, template_rewrite.rewrite_template(STOCK))

    def test_cfn_template_is_not_rewritten(self):
        cfn = {'AWSTemplateFormatVersion': '2010-09-09',
               'Parameters': {'updatable': {'Type': 'String'}}}
        self.assertIs(cfn, template_rewrite.rewrite_template(cfn))

    def test_invalid_sections_are_not_rewritten(self):
        for strange in (None, [], 'updatable', 7):
            template = {**STOCK, 'parameters': strange, 'resources': {
                'one': strange, 'two': {'update_policy': strange}}}
            self.assertIs(
                template, template_rewrite.rewrite_template(template))


class RewriteAllTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.engine = self.useFixture(base.HeatDatabase()).engine

    def insert(self, table, **values):
        table = sqlalchemy.Table(table, sqlalchemy.MetaData(),
                                 autoload_with=self.engine)
        with self.engine.begin() as connection:
            done = connection.execute(sqlalchemy.insert(table).values(
                {key: json.dumps(value) for key, value in values.items()}))
        return done.inserted_primary_key[0]

    def read(self, column, table, row_id):
        with self.engine.connect() as connection:
            return json.loads(str(connection.scalar(sqlalchemy.text(
                f'SELECT {column} FROM {table} WHERE id = :id'),
                {'id': row_id})))

    def test_stored_templates_are_rewritten_once(self):
        guarded = self.insert('raw_template', template=GUARDED)
        stock = self.insert('raw_template', template=STOCK)
        self.assertEqual(1, len(template_rewrite.list_changes(self.engine)))
        self.assertEqual(1, len(template_rewrite.rewrite_all(self.engine)))
        for row_id in (guarded, stock):
            self.assertEqual(STOCK, self.read('template', 'raw_template',
                                              row_id))
        self.assertEqual([], template_rewrite.list_changes(self.engine))
        self.assertEqual([], template_rewrite.rewrite_all(self.engine))

    def test_templates_are_read_in_batches(self):
        like_ours = {**STOCK, 'parameters': {
            'size': {'type': 'number', 'allowed_values': [1, 2]}}}
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.db.batches._BATCH_SIZE', 2))
        for _ in range(2):
            self.insert('raw_template', template=like_ours)
        guarded = self.insert('raw_template', template=GUARDED)
        read = []
        sqlalchemy.event.listen(
            self.engine, 'before_cursor_execute',
            lambda *args: read.append(args[3]) if args[2].startswith(
                'SELECT raw_template.id, raw_template.template') else None)
        change, = template_rewrite.list_changes(self.engine)
        self.assertEqual(guarded, change.id)
        self.assertEqual([2, 1], [len(keys) for keys in read])

    def test_yaml_files_are_rewritten_and_scripts_are_kept(self):
        script = '#!/bin/sh\necho "updatable: [allow"\n'
        row_id = self.insert('raw_template_files', files={
            'nested.yaml': YAML, 'run.sh': script})
        self.assertEqual(1, len(template_rewrite.rewrite_all(self.engine)))
        files = self.read('files', 'raw_template_files', row_id)
        self.assertEqual(script, files['run.sh'])
        self.assertEqual(
            {'heat_template_version': '2018-08-31', 'parameters': {
                'size': {'type': 'number', 'immutable': True}}},
            json.loads(files['nested.yaml']))

    def test_rewritten_files_get_new_id(self):
        database = self.useFixture(base.HeatDatabase())
        self.engine = database.engine
        old = self.insert('raw_template_files', files={'nested.yaml': YAML})
        number, = database.insert('raw_template', {
            'template': json.dumps(STOCK), 'files_id': old})
        template_rewrite.rewrite_all(self.engine)
        new = self.read('files_id', 'raw_template', number)
        self.assertNotEqual(old, new)
        for row_id in (old, new):
            self.assertNotIn('updatable', self.read(
                'files', 'raw_template_files', row_id)['nested.yaml'])
        self.assertEqual([], template_rewrite.rewrite_all(self.engine))

    def test_change_names_stack(self):
        database = self.useFixture(base.HeatDatabase())
        self.engine = database.engine
        files = self.insert('raw_template_files', files={'a.yaml': YAML})
        number, = database.insert('raw_template', {
            'template': json.dumps(GUARDED), 'files_id': files})
        database.add_stack('1234', raw_template_id=number)
        orphan = self.insert('raw_template', template=GUARDED)
        wanted = [
            template_rewrite.Change('template', number, 'stack web (1234)'),
            template_rewrite.Change('template', orphan, 'no stack'),
            template_rewrite.Change('files', files, 'stack web (1234)')]
        self.assertEqual(wanted, template_rewrite.list_changes(self.engine))
        self.assertEqual(wanted, template_rewrite.rewrite_all(self.engine))

    def test_attribute_name_in_description_is_not_rewritten(self):
        self.insert('raw_template', template={
            **STOCK, 'description': 'what is updatable, and allow'})
        self.insert('raw_template', template=None)
        self.assertEqual([], template_rewrite.list_changes(self.engine))


class RewriteSnapshotTest(testtools.TestCase):

    def test_template_and_files_of_snapshot_are_rewritten(self):
        data = {'template': GUARDED, 'files': {'nested.yaml': YAML},
                'resources': {'one': {'name': 'updatable'}}}
        new = template_rewrite._rewrite_snapshot(data)
        self.assertEqual(STOCK, new['template'])
        self.assertIn('immutable', new['files']['nested.yaml'])
        self.assertEqual(data['resources'], new['resources'])

    def test_unchanged_snapshot_is_returned_itself(self):
        data = {'template': STOCK, 'files': {}}
        self.assertIs(data, template_rewrite._rewrite_snapshot(data))
