# SPDX-License-Identifier: Apache-2.0

"""Plans after engines were killed, and updates on two engines."""

from concurrent import futures

from tests.engines import base
from tests.functional import plan_cases
from tests.functional import test_planned_update


def _body(value, seconds=0):
    def slow(text):
        return plan_cases.test(text, wait_secs=seconds)

    return plan_cases.body(
        {'slow': slow(value), 'other': plan_cases.test('same'),
         'nested': {'type': 'm.yaml', 'properties': {'p': value}}},
        {'m.yaml': {'parameters': {'p': {'type': 'string'}},
                    'resources': {'in': slow({'get_param': 'p'}),
                                  'same': plan_cases.test()}}})


class PlanTestCase(base.CloudTestCase):

    def create(self, name):
        body = _body('one')
        return self.client.create_stack(name, body.pop('template'), **body)

    def preview(self, path, body):
        return self.assert_status(200, self.client.put(
            path + '/preview', body)).json()['resource_changes']


class PlanTest(PlanTestCase):
    kind = base.MARIADB

    def test_one_of_simultaneous_planned_updates_is_accepted(self):
        path = self.create('at-once')
        for number in range(3):
            bodies = [_body(f'{number}-{each}') for each in range(4)]
            plans = [test_planned_update.reviewed(self.preview(path, each))
                     for each in bodies]
            with futures.ThreadPoolExecutor(4) as pool:
                answers = list(pool.map(
                    lambda each, plan, path=path: self.client.put(
                        path, {**each, 'plan': plan}), bodies, plans))
            self.assertEqual([202, 409, 409, 409], sorted(
                each.status_code for each in answers))
            self.client.wait_for_status(path, 'UPDATE_COMPLETE')


class KilledTest(PlanTestCase):
    kind = base.MARIADB
    features = 'plan, update_policy'

    def resources(self, path):
        """Return the rows of the resources of a tree, by name."""
        return {row.name: row for row in self.query(
            'SELECT r.uuid, r.name, r.action, r.status, r.engine_id '
            'FROM resource r WHERE r.root_stack_id = :id '
            "AND r.action NOT IN ('INIT', 'DELETE')",
            id=path.rpartition('/')[2])}

    def test_plan_matches_update_after_engines_were_killed(self):
        path = self.create('killed')
        self.assert_status(202, self.client.put(path, _body('two', 600)))
        before = self.wait_for(
            'resources in progress', lambda: self.resources(path),
            lambda found: found['slow'].engine_id and found['in'].engine_id)
        for engine in self.cloud.engines.values():
            engine.kill()
        self.cloud.ensure_engines()
        after = _body('three')
        plan = {entry['path']: entry
                for entry in self.preview(path, after)['plan']}
        self.assertEqual({
            'slow': ('replaced', 'will'), 'other': ('unchanged', 'will'),
            'nested': ('updated', 'will'), 'nested/in': ('replaced', 'will'),
            'nested/same': ('unchanged', 'will')}, {
                name: (entry['action'], entry['certainty'])
                for name, entry in plan.items()})
        self.assertIn('was interrupted', str(plan['slow']['reasons']))
        self.assert_status(202, self.client.put(path, after))
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')
        now = self.resources(path)
        self.assertEqual({'slow', 'in'}, {
            name for name in now if now[name].uuid != before[name].uuid})


class LegacyPlanTest(PlanTest):
    more = 'convergence_engine = false\n'
