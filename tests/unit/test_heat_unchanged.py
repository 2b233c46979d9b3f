# SPDX-License-Identifier: Apache-2.0

"""Heat stays what it is until a feature is on, and once it is off."""

import json
import os
import pathlib
import subprocess
import sys

import testtools

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.db import models

ROOT = pathlib.Path(__file__).parents[2]
SECONDS = 300


def records():
    """List the patch records of every feature and process."""
    features = activation._load(list(heat_extras_conf.FEATURES))
    return [record for process in (activation.ENGINE, activation.API)
            for record in activation._records(features, process)]


def owner(record):
    """Name the class or module of Heat that a record is about."""
    module, _, path = record.target.partition(':')
    return module + ':' + path.rpartition('.')[0] if '.' in path else module


def columns():
    """Name what the mapped columns are on Heat's class and table."""
    names = {column.name for column in models.stack_columns()}
    return ({f'heat.db.models:Stack.{name}'
             for name in names | {'heat_extras'}}
            | {f'column stack.{name}' for name in names})


class UntouchedTest(testtools.TestCase):
    """In processes of their own, for columns cannot be unmapped."""

    def look(self, action):
        targets = {owner(record) for record in records()}
        # Columns come to this class, which no record is about.
        targets.add('heat.db.models:Stack')
        done = subprocess.run(
            [sys.executable, '-m', 'tests.unit.heat_unchanged', action,
             *sorted(targets)], cwd=ROOT, capture_output=True, text=True,
            timeout=SECONDS, env=os.environ | {'PYTHONWARNINGS': 'ignore'})
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_installed_but_not_enabled_only_reads_our_words(self):
        wanted = {f'{owner(record)}.{record.attribute}'
                  for record in activation._template_syntax_records(
                      activation.ENGINE)}
        self.assertEqual({'after': sorted(wanted)}, self.look('load'))

    def test_off_again_leaves_the_mapped_columns_alone(self):
        changes = self.look('apply')
        # While it is on, each record shows, and so does the listener.
        wanted = {f'{owner(record)}.{record.attribute}'
                  for record in records()}
        self.assertEqual(set(), wanted - set(changes['during']))
        self.assertEqual(
            1, sum(name.startswith('listener')
                   for name in changes['during']), changes['during'])
        # SQLAlchemy cannot unmap a column; all else is as it was.
        self.assertEqual(columns(), set(changes['after']))
