# SPDX-License-Identifier: Apache-2.0

"""Resources that count for heat_extras_limits, in a running Heat."""

from concurrent import futures
import json


from tests.functional import base
from tests.harness import waiting

RULES = """
rules:
  - name: few
    limit: {types: ["OS::Heat::RandomString"], max: 5, per: project}
"""

DEFAULTS = """
[DEFAULT]
convergence_engine = %s
"""

# Some tests wait for the end; the others must finish before it.
SECONDS = 12
GROUP = {'inner.yaml': """
heat_template_version: 2018-08-31
resources: {text: {type: OS::Heat::RandomString}}
"""}


def template(**resources):
    return {'heat_template_version': '2018-08-31', 'resources': resources}


def strings(*names, length=8):
    return {name: {'type': 'OS::Heat::RandomString',
                   'properties': {'length': length}} for name in names}


def group(count):
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count, 'resource_def': {'type': 'inner.yaml'}}}


def in_front_of(*names):
    """Return a resource that is deleted slowly, before *names*."""
    return {'slow': {'type': 'OS::Heat::TestResource', 'depends_on': names,
                     'properties': {
                         'action_wait_secs': {'delete': SECONDS}}}}


class UsageTestCase(base.TestCase):
    is_shared = False
    convergence = True

    @classmethod
    def setUpClass(cls):
        path = cls.write_for_class('limits.yaml', RULES)
        cls.settings = (f'{DEFAULTS % cls.convergence}[heat_extras]\n'
                        'features = lifecycle\n'
                        f'limits_file = {path}\n')
        super().setUpClass()

    def setUp(self):
        super().setUp()
        url = self.sandbox.url.rpartition('/')[0]
        project = self.id().rpartition('.')[2].replace('_', '')
        self.client = base.Client(f'{url}/{project}')

    def update(self, path, resources, **body):
        answer = self.client.put(path, dict(
            body, template=template(**resources), files=GROUP,
            disable_rollback=True))
        self.assertEqual(202, answer.status_code, answer.text)

    def updated(self, path, resources):
        before = self.client.show_stack(path)['stack_status']
        self.update(path, resources)
        self.wait(path, 'UPDATE_COMPLETE', before)

    def wait(self, path, status, before=None):
        return self.client.wait_for_stack(path, [status], failed=before)

    def refused(self, path, resources, *wanted):
        """Update a stack and expect a denial."""
        self.update(path, resources)
        self.assert_denied(path, *wanted)

    def assert_denied(self, path, *wanted):
        reason = waiting.until(
            f'the denial of {path}',
            lambda: self.client.show_stack(path)['stack_status_reason'],
            lambda reason: 'denied' in reason)
        for text in ('few: ', *wanted):
            self.assertIn(text, reason)

    def create_refused(self, name, resources, *wanted):
        path = self.client.create_stack(name, template(**resources),
                                        wait=False, files=GROUP)
        self.assert_denied(path, *wanted)
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE', 'CREATE_FAILED')

    def cut_short(self, path, resources, made=()):
        """Update a stack; cancel when the slow one is being deleted.

        :param made: names of what is to be made by then.
        """
        before = self.client.show_stack(path)['stack_status']
        done = self.count(path, 'CREATE_COMPLETE', *made)
        self.update(path, resources)
        self.wait_for_deletion(path)
        waiting.until_equal('the replacements', done + len(made), lambda:
                            self.count(path, 'CREATE_COMPLETE', *made))
        answer = self.client.post(path + '/actions',
                                  {'cancel_without_rollback': None})
        self.assertEqual(200, answer.status_code, answer.text)
        self.wait(path, 'UPDATE_FAILED', before)

    def wait_for_deletion(self, path):
        waiting.until('the slow deletion to begin', lambda: self.count(
            path, 'DELETE_IN_PROGRESS', 'slow'))

    def count(self, path, status, *names):
        events = self.client.get(path + '/events').json()['events']
        return sum(event['resource_name'] in names
                   and event['resource_status'] == status
                   for event in events)


class ConvergenceTest(UsageTestCase):

    def test_removed_resources_count_until_deleted(self):
        three = strings('a', 'b', 'c')
        path = self.client.create_stack('away', template(
            **three, **in_front_of('a', 'b', 'c')))
        self.cut_short(path, {})
        self.refused(path, strings('d', 'e', 'f'), '6 resources',
                     '3 of these resources are not removed yet')
        self.create_refused('more', strings('a', 'b', 'c'),
                            '6 resources', 'in the project')
        self.client.create_stack('rest', template(**strings('a', 'b')))
        # The same names are the same resources.
        self.updated(path, three)
        self.updated(path, {})
        self.client.create_stack('last', template(**strings('a', 'b', 'c')))

    def test_replaced_resources_count_until_deleted(self):
        names = ('a', 'b', 'c')
        path = self.client.create_stack('replaced', template(
            **strings(*names), **in_front_of(*names)))
        other = strings(*names, length=9)
        self.cut_short(path, other, names)
        self.create_refused('more', strings('a'), '7 resources')
        # Nothing is added by what stays, goes, or is repeated.
        self.updated(path, strings(*names[:2], length=9))
        self.updated(path, other)

    def test_removed_nested_resources_count_until_deleted(self):
        path = self.client.create_stack('nested', template(
            group=group(3), **in_front_of('group')), files=GROUP)
        self.cut_short(path, {})
        self.create_refused('more', {'group': group(3)}, '6 resources')
        self.refused(path, {'other': group(3)}, '6 resources')
        self.updated(path, {})
        self.updated(path, {'other': group(5)})

    def test_update_at_limit_is_allowed(self):
        names = ('a', 'b', 'c', 'd')
        path = self.client.create_stack('full', template(
            **strings(*names), group=group(1)), files=GROUP)
        self.updated(path, {**strings(*names, length=9), 'group': group(1)})
        self.refused(path, {**strings('a', 'b', 'x', length=9),
                            'group': group(1)}, '6 resources')
        self.refused(path, {**strings('a', 'b', length=9),
                            'group': group(2)}, '6 resources')
        self.updated(path, {**strings('a', 'b', length=9),
                            'group': group(1)})
        self.updated(path, {**strings('a', 'b', length=10),
                            'group': group(3)})

    def test_resources_of_stack_being_deleted_count(self):
        path = self.client.create_stack('deleted', template(
            **strings('a', 'b', 'c'), **in_front_of('a', 'b', 'c')))
        self.client.delete(path)
        self.wait_for_deletion(path)
        self.create_refused('more', strings('a', 'b', 'c'), '6 resources')

    def test_simultaneous_creates_do_not_exceed_limit(self):
        with futures.ThreadPoolExecutor() as pool:
            paths = list(pool.map(lambda name: self.client.create_stack(
                name, template(**strings('a', 'b', 'c')), wait=False),
                ('one', 'two', 'three', 'four')))
        ends = [self.client.wait_for_end(path)['stack_status']
                for path in paths]
        self.assertLessEqual(ends.count('CREATE_COMPLETE'), 1, ends)

    def test_adopted_and_restored_resources_count(self):
        three = template(**strings('a', 'b', 'c'))
        path = self.client.create_stack('kept', three)
        self.client.post(path + '/snapshots', {'name': 'before'})
        snapshot = waiting.until('the snapshot', lambda: [
            first for first in self.client.get(path + '/snapshots').json()[
                'snapshots'] if first['status'] == 'COMPLETE'])[0]['id']
        self.updated(path, strings('a'))
        given = self.client.create_stack('given', three)
        answer = self.client.post(f'{path}/snapshots/{snapshot}/restore')
        self.assertEqual(202, answer.status_code, answer.text)
        self.assert_denied(path, '6 resources')
        data = self.client.delete(given + '/abandon').json()
        self.wait(given, 'DELETE_COMPLETE')
        # Heat no longer manages the abandoned resources.
        self.client.create_stack('others', three)
        answer = self.client.post('/stacks', {
            'stack_name': 'adopted', 'template': three, 'timeout_mins': 10,
            'adopt_stack_data': json.dumps(data)})
        self.assertEqual(201, answer.status_code, answer.text)
        self.assert_denied('adopted', '7 resources')


class LegacyTest(UsageTestCase):
    convergence = False

    def test_resources_in_backup_stack_count(self):
        names = ('a', 'b', 'c')
        path = self.client.create_stack('replaced', template(
            **strings(*names), **in_front_of(*names)))
        self.cut_short(path, strings(*names, length=9), names)
        self.create_refused('more', strings('a', 'b'), '8 resources')

    def test_removed_resources_count_until_deleted(self):
        names = ('a', 'b', 'c')
        path = self.client.create_stack('away', template(
            **strings(*names), **in_front_of(*names)))
        self.cut_short(path, {})
        self.refused(path, strings('d', 'e', 'f'), '6 resources')
        self.create_refused('more', strings('a', 'b', 'c'), '6 resources')
