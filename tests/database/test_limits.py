# SPDX-License-Identifier: Apache-2.0

"""The resources that heat_extras_limits counts, on each database."""

import collections

from heat.db import models
from oslo_utils import uuidutils

from heat_extras.lifecycle_plugins.limits import resource_count
from tests.database import base
from tests.database import stack_rows
from tests.database import statements
from tests.harness import databases

VALUE, TEXT = 'OS::Heat::Value', 'OS::Heat::RandomString'

Judged = collections.namedtuple('Judged', 'id tenant_id')


def template(**resources):
    return {'heat_template_version': '2018-08-31', 'resources': {
        name: {'type': kind} for name, kind in resources.items()}}


class LimitsTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def add_template(self, **resources):
        return self.stacks.insert(
            models.RawTemplate, template=template(**resources),
            environment={})

    def add_stack(self, owner=None, resources=(), **values):
        return self.stacks.add_stack(owner, **{
            'raw_template_id': self.add_template(**dict(resources)),
            **values})

    def add(self, stack, name, **values):
        return self.stacks.add_resource(stack, name=name, **values)

    def found(self, stack_id, scope='project'):
        """Return the sorted types of the resources of other stacks."""
        there = resource_count.read_existing(
            self.context, Judged(stack_id, stack_rows.PROJECT), scope)
        return sorted(kind for first in there.elsewhere
                      for kind in first.types)

    def test_only_deleted_resources_do_not_count(self):
        stack = self.add_stack(resources={'a': VALUE, 'b': TEXT})
        old = self.add_template(c=TEXT)
        self.add(stack, 'a', current_template_id=self.stack(
            stack).raw_template_id)
        self.add(stack, 'b')
        self.add(stack, 'b', action='DELETE', status='FAILED',
                 current_template_id=None)
        self.add(stack, 'c', current_template_id=old)
        self.add(stack, 'c', current_template_id=old, action='DELETE')
        self.add(stack, 'c', current_template_id=old, action='INIT')
        self.add(stack, 'c', current_template_id=old, status='FAILED')
        judged = self.add_stack(resources={'a': VALUE})
        self.assertEqual([TEXT, TEXT, TEXT, VALUE], self.found(judged))
        self.assertEqual([], self.found(judged, 'tree'))
        elsewhere = self.add_stack(tenant='elsewhere')
        there = resource_count.read_existing(
            self.context, Judged(elsewhere, 'elsewhere'), 'project')
        self.assertEqual(((), ()), (there.own, there.elsewhere))

    def test_resource_type_is_read_from_its_own_template(self):
        stack = self.add_stack(resources={'a': VALUE})
        self.add(stack, 'a', current_template_id=self.add_template(a=TEXT))
        self.assertEqual([TEXT], self.found(self.add_stack()))

    def test_backup_and_nested_stacks_count(self):
        root = self.add_stack(resources={'a': VALUE}, convergence=False)
        self.add(root, 'a')
        backup = self.add_stack(root, backup=True, resources={'a': TEXT})
        self.add(backup, 'a')
        nested = self.add_stack(root, resources={'x': TEXT})
        self.add(nested, 'x')
        self.assertEqual([TEXT, TEXT, VALUE], self.found(self.add_stack()))
        self.assertEqual([TEXT, VALUE], self.found(nested, 'tree'))
        there = resource_count.read_existing(
            self.context, Judged(root, stack_rows.PROJECT), 'tree')
        self.assertEqual([(backup, 'a'), (nested, 'x'), (root, 'a')],
                         sorted((first.key for first in there.own),
                                key=[(backup, 'a'), (nested, 'x'),
                                     (root, 'a')].index))
        self.assertEqual(3, len(resource_count.list_inside(self.context,
                                                           root)))

    def test_replaced_root_resource_does_not_count_for_nested_stack(self):
        root = self.add_stack(resources={'a': TEXT}, action='UPDATE',
                              status='IN_PROGRESS')
        new = self.add(root, 'a')
        self.add(root, 'a', replaced_by=new)
        nested = self.add_stack(root)
        self.assertEqual([TEXT], self.found(nested))
        self.assertEqual([TEXT, TEXT], self.found(self.add_stack()))

    def test_resources_count_as_soon_as_create_starts(self):
        self.add_stack(resources={'a': TEXT}, action='CREATE',
                       status='IN_PROGRESS')
        self.assertEqual([TEXT], self.found(self.add_stack()))
        self.assertEqual([TEXT], self.found(self.add_stack(
            resources={'a': VALUE}, action='CREATE', status='FAILED')))

    def test_number_of_statements_does_not_depend_on_project(self):
        def ask(scope):
            counted = statements.Statements(self.engine)
            with counted:
                self.found(judged, scope)
            return len(counted.sent)

        judged = self.add_stack()
        for count in (1, 20):
            for _number in range(count):
                stack = self.add_stack(resources={'a': TEXT})
                nested = self.add_stack(stack, resources={'a': TEXT})
                self.add(stack, 'a', uuid=uuidutils.generate_uuid())
                self.add(nested, 'a')
            self.assertEqual(3, ask('project'))
            self.assertEqual(2, ask('tree'))
