# SPDX-License-Identifier: Apache-2.0

"""Names that are equal in the usual collations of MySQL and MariaDB."""

import types

from heat.db import api as db_api

from heat_extras.db import models as our_models
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.database import base
from tests.harness import databases

NAMES = ('web', 'Web', 'w\u00e9b', 'web ', 'WEB')


class Resource(types.SimpleNamespace):
    """The attributes of a resource that the table uses."""

    __hash__ = object.__hash__

    def type(self):
        return 'X'


class NamesTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        self.root = self.stacks.add_stack()
        self.ids = {name: self.stacks.add_resource(self.root, name=name)
                    for name in NAMES}

    def test_no_primary_key_contains_name(self):
        for name, table in our_models.metadata.tables.items():
            for column in table.primary_key.columns:
                self.assertNotIn('name', column.name, name)

    def test_ignored_signals_are_counted_by_exact_name(self):
        for name, number in self.ids.items():
            self.assertTrue(ignored_signals.count_ignored(
                self.context, self.root, number, name))
            self.assertFalse(ignored_signals.count_ignored(
                self.context, self.root, number, name))
        with db_api.context_manager.writer.using(self.context) as session:
            rows = session.execute(
                ignored_signals.select_counts([self.root])).all()
        self.assertEqual({(name, 2) for name in NAMES},
                         {(row.resource_name, row.count) for row in rows})
        with db_api.context_manager.writer.using(self.context) as session:
            stacks = {self.root: self.stack(self.root)}
            text = ignored_signals.pop_summary(session, stacks)
            self.assertIn(f'{2 * len(NAMES)} signals were ignored', text)
            self.assertIsNone(ignored_signals.pop_summary(session, stacks))

    def test_protection_is_stored_for_each_resource(self):
        resources = [Resource(
            id=number, name=name, resource_id=f'physical {name}',
            stack=types.SimpleNamespace(id=self.root))
            for name, number in self.ids.items()]
        own = resource_table.Token(
            self.context, self.root,
            self.lock(self.root, level='all').operation_id)
        resource_table.replace_rows(
            own, dict.fromkeys(resources, (resource_states.PROTECTED, None)))
        resource_table.replace_rows(
            own, {resources[0]: (resource_states.FAILED, 'no')})
        states = {row.resource_name: row.state
                  for row in resource_table.read_tree(self.context,
                                                      self.root).values()}
        self.assertEqual({**dict.fromkeys(NAMES, resource_states.PROTECTED),
                          NAMES[0]: resource_states.FAILED}, states)
