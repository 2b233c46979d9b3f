# SPDX-License-Identifier: Apache-2.0

"""Which resources a stack has, whatever its template has."""

from unittest import mock

from heat.engine.resources import stack_resource
import testtools

from heat_extras.stack_lock.resource_locks import physical_resources


class PhysicalTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.rows, self.resources = {}, {}
        self.stack = mock.Mock(id='id-of-web')
        self.stack._resource_from_db_resource.side_effect = (
            lambda row, definitions: self.resources[row.name])
        for target, name, replacement in (
                (physical_resources.heat_stack.Stack, 'load',
                 mock.Mock(return_value=self.stack)),
                (physical_resources.resource_object.Resource,
                 'get_all_active_by_stack',
                 lambda context, stack_id: dict(self.rows))):
            patcher = mock.patch.object(target, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def add(self, name, resource, physical_id='physical'):
        row = mock.Mock(physical_resource_id=physical_id)
        row.name = name
        self.rows[len(self.rows)] = row
        self.resources[name] = resource

    def load(self):
        return physical_resources.load(None, ['id-of-web']).resources

    def test_two_of_one_name_are_two(self):
        for resource in ('old', 'new'):
            self.add(resource, resource)
        self.assertEqual(['old', 'new'], self.load())

    def test_what_has_nothing_physical_is_left_out(self):
        self.add('planned', 'planned', physical_id=None)
        self.assertEqual([], self.load())

    def test_what_is_nested_is_a_stack(self):
        self.add('group', mock.Mock(spec=stack_resource.StackResource))
        self.assertEqual([], self.load())

    def test_what_no_template_tells_of_is_left_out(self):
        self.add('unknown', None)
        self.assertEqual([], self.load())

    def test_what_the_resources_refer_to_is_kept(self):
        loaded = physical_resources.load(None, ['id-of-web'])
        self.assertIn(self.stack, loaded.stacks)
