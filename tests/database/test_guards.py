# SPDX-License-Identifier: Apache-2.0

"""Unhealthy marks and guards on each database."""

import types

from heat.db import models
import sqlalchemy

from heat_extras.db import models as our_models
from heat_extras.guards import guard
from heat_extras.health import service
from tests.database import base
from tests.harness import databases

TEMPLATE = {'heat_template_version': '2018-08-31', 'resources': {
    'server': {'type': 'OS::Heat::TestResource'}}}
RESTRICTING = {'resource_registry': {'resources': {
    'serv*': {'restricted_actions': ['update', 'replace']}}}}


class GuardsTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def mark(self, resource_id, stack_id, reason='disk errors'):
        """Mark a resource as Heat and the feature do."""
        resource = types.SimpleNamespace(
            id=resource_id, context=self.context, action='CREATE',
            status_reason='was made', stack=types.SimpleNamespace(id=stack_id))
        service.record_change(resource, reason, True)
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(models.Resource.__table__)
                .where(models.Resource.__table__.c.id == resource_id)
                .values(action='CHECK', status='FAILED',
                        status_reason=reason))
        return resource

    def marked(self):
        with self.engine.begin() as connection:
            return list(connection.execute(
                sqlalchemy.select(our_models.mark_table)))

    def test_all_kinds_of_guards_are_listed(self):
        root = self.stacks.add_stack(name='web')
        nested = self.stacks.add_stack(owner=root, nested_depth=1)
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(models.RawTemplate.__table__).values(
                    template=TEMPLATE, environment=RESTRICTING))
        self.mark(self.stacks.add_resource(nested), nested)
        self.lock(root)
        guards = guard.list_bodies(self.context, self.stack(root))
        self.assertEqual(
            [('lock', None, 'alice', 'db move'),
             ('restriction', 'server', None, 'restricted_actions: replace'),
             ('restriction', 'server', None, 'restricted_actions: update'),
             ('unhealthy', 'server', 'alice',
              'disk errors. The environment of stack stack2 forbids '
              'the replacement of resource server (restricted_actions). Every '
              'update will fail until the environment allows the replacement, '
              'or until the mark is reset.')],
            sorted((each['kind'], each['name'], each['set_by'],
                    each['reason']) for each in guards))
        self.assertEqual(
            ['lock'], [each['kind'] for each in guard.list_bodies(
                self.context, self.stack(root), nested=False)])
        stranger = self.new_context(project_id='other')
        self.assertEqual([None], [
            each['set_by'] for each in guard.list_bodies(
                stranger, self.stack(root), blocking='delete')])

    def test_marks_of_deleted_resources_are_removed(self):
        stack = self.stacks.add_stack()
        gone, here = (self.stacks.add_resource(stack, name=name)
                      for name in ('gone', 'here'))
        self.mark(gone, stack)
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.delete(models.Resource.__table__).where(
                    models.Resource.__table__.c.id == gone))
        resource = self.mark(here, stack)
        resource = self.mark(here, stack, 'again')
        self.assertEqual([(here, 'again')], [
            (row.resource_id, row.reason) for row in self.marked()])
        self.assertIsNone(service.read_row(resource, 'disk errors'))
        self.assertEqual('alice',
                         service.read_row(resource, 'again').marked_by)
