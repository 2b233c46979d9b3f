# SPDX-License-Identifier: Apache-2.0

"""The shipped plugin heat_extras_placement, in a running Heat."""

from tests.functional import base
from tests.rigs import heat_client
from tests.rigs import waiting

RACKS = """
racks:
  - {name: r1, capacity: {"OS::Heat::TestResource": 2}}
  - {name: r2, capacity: {"OS::Heat::TestResource": 2}}
  - {name: r3, capacity: {"OS::Heat::TestResource": 1}}
"""


def member(group, policy, **properties):
    return {'type': 'OS::Heat::TestResource', 'properties': properties,
            'metadata': {'heat_extras_placement': {
                'group': group, 'policy': policy}}}


def template(**resources):
    return {'heat_template_version': '2018-08-31', 'resources': resources}


def pair(**properties):
    return template(a=member('pair', 'same_rack'),
                    b=member('pair', 'same_rack', **properties))


def settings(test_case):
    """Write the racks for the tests of a class; returns what names them."""
    path = test_case.write_for_class('racks.yaml', RACKS)
    return f'[heat_extras]\nplacement_inventory = {path}\n'


def rows(sandbox):
    """Read the plan: name of a resource, rack, operation."""
    return sandbox.sql('SELECT resource_name, rack, operation_id FROM '
                       "heat_extras_placement WHERE stack_id != ''")


class PlacementTest(base.TestCase):
    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.settings = settings(cls)
        super().setUpClass()

    def tearDown(self):
        super().tearDown()
        for stack in self.client.get('/stacks').json()['stacks']:
            self.delete(f'/stacks/{stack["stack_name"]}/{stack["id"]}')
        self.assertEqual({}, self.places())

    def delete(self, path):
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])

    def places(self):
        """Read which resource has which rack.

        The plugin is told of the end of an operation, and keeps or gives
        back what it has planned, after the stack shows that end.
        """
        found = waiting.until(
            'the plan to be final', lambda: rows(self.sandbox),
            lambda found: not any(operation for _name, _rack, operation
                                  in found), heat_client.STACK_SECONDS)
        return {name: rack for name, rack, _operation in found}

    def refused(self, name, wanted, body):
        path = self.client.create_stack(name, body, wait=False)
        stack = self.client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertIn(wanted, stack['stack_status_reason'])

    def test_same_rack_until_there_is_no_room(self):
        self.client.create_stack('one', pair())
        places = self.places()
        self.assertEqual(places['a'], places['b'])
        path = self.client.create_stack('two', pair())
        self.refused('three', 'placement group pair: found no room on any '
                              'rack for 2 OS::Heat::TestResource together',
                     pair())
        self.delete(path)
        self.client.create_stack('four', pair())

    def test_spread_also_when_a_stack_grows(self):
        members = {name: member('apart', 'spread') for name in ('a', 'b')}
        path = self.client.create_stack('apart', template(**members))
        before = self.places()
        members['c'] = member('apart', 'spread')
        self.client.put(path, {'template': template(**members)})
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        places = self.places()
        self.assertEqual({'r1', 'r2', 'r3'}, set(places.values()))
        del places['c']
        self.assertEqual(before, places)

        larger = {**members, 'd': member('apart', 'spread')}
        self.client.put(path, {'template': template(**larger)})
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn('too few racks without members of the group',
                      stack['stack_status_reason'])
        self.assertEqual(3, len(self.places()))
        del members['b']
        self.client.put(path, {'template': template(**members)})
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual({'a', 'c'}, set(self.places()))

    def test_what_failed_gives_its_places_back(self):
        path = self.client.create_stack('broken', pair(fail=True),
                                        wait=False)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertEqual({}, self.places())
