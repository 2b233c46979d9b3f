# SPDX-License-Identifier: Apache-2.0

"""Heat is unchanged before activation and after deactivation."""

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
    """Return the name of the class or module of Heat that a record changes."""
    module, _, path = record.target.partition(':')
    return module + ':' + path.rpartition('.')[0] if '.' in path else module


def columns():
    """List the mapped columns as attributes of Heat's class and table."""
    names = {column.name for column in models.stack_columns()}
    return ({f'heat.db.models:Stack.{name}' for name in names}
            | {f'column stack.{name}' for name in names})


class HeatUnchangedTest(testtools.TestCase):
    """Run in separate processes, because columns cannot be unmapped."""

    def look(self, action):
        targets = {owner(record) for record in records()}
        # Columns are added to this class, which no record changes.
        targets.add('heat.db.models:Stack')
        done = subprocess.run(
            [sys.executable, '-m', 'tests.unit.heat_unchanged', action,
             *sorted(targets)], cwd=ROOT, capture_output=True, text=True,
            timeout=SECONDS, env=os.environ | {'PYTHONWARNINGS': 'ignore'})
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_only_template_syntax_is_patched_if_not_enabled(self):
        wanted = {f'{owner(record)}.{record.attribute}'
                  for record in activation._records([], activation.ENGINE)}
        self.assertEqual({'after': sorted(wanted)}, self.look('load'))

    def test_only_mapped_columns_remain_after_deactivation(self):
        changes = self.look('apply')
        # While features are active, each record and the listener are visible.
        wanted = {f'{owner(record)}.{record.attribute}'
                  for record in records()}
        self.assertEqual(set(), wanted - set(changes['during']))
        self.assertEqual(
            1, sum(name.startswith('listener')
                   for name in changes['during']), changes['during'])
        # SQLAlchemy cannot unmap a column. All else is unchanged.
        self.assertEqual(columns(), set(changes['after']))
