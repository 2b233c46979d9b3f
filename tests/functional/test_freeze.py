# SPDX-License-Identifier: Apache-2.0

"""Tests of freezes."""

import json
import time

from heat_extras.freeze import window
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from tests.functional import base
from tests.functional import every_operation
from tests.functional import freeze_base
from tests.functional import templates
from tests.harness import waiting


class FreezeTest(every_operation.EveryOperation, freeze_base.FreezeTestCase):
    template = templates.SCALING
    files = templates.FILES

    def nested(self):
        answer = self.client.get(self.path + '/resources/group').json()
        child = answer['resource']['physical_resource_id']
        return f'/stacks/{self.name_of(child)}/{child}'

    def name_of(self, stack_id):
        return self.client.show_stack(stack_id)['stack_name']

    def create_another(self):
        return self.client.post('/stacks', {
            'stack_name': 'another', 'template': templates.SMALL})

    def test_changes_are_rejected_without_trace(self):
        self.take_snapshot()
        before, events = self.trace(), self.events()
        self.freeze()
        for path in self.path, self.nested():
            requests = self.requests(path)
            for name in window.CHANGES:
                if name in requests and not (
                        path != self.path and 'snapshot' in name
                        or path != self.path and name == 'restore'):
                    self.assert_frozen(requests[name](), name)
        message = self.assert_frozen(self.create_another(), 'create')
        self.assertTrue(message.startswith('Stack another is frozen'), message)
        self.assert_frozen(self.client.patch(self.path, {}), 'update')
        # A thread would have shown its result by this time.
        time.sleep(0.5)
        self.assertEqual((before, events), (self.trace(), self.events()))
        self.assert_status(404, self.client.get('/stacks/another'))
        self.write_file()
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_list_shows_active_and_next_freezes(self):
        begin, end = freeze_base.moment(hours=-1), freeze_base.moment(hours=1)
        later, last = freeze_base.moment(hours=2), freeze_base.moment(hours=3)
        self.write_file(
            {'name': 'next', 'begin': later, 'end': last,
             'operations': ['snapshot_delete']},
            {'name': 'now', 'reason': 'holidays', 'begin': begin, 'end': end},
            {'name': 'past', 'begin': begin, 'duration': '1m'},
            {'name': 'other', 'begin': begin, 'end': end,
             'projects': ['no-such-project']},
            {'name': 'exempt', 'begin': begin, 'end': end,
             'exempt': 'role:member'})
        listed = self.client.get('/freezes').json()['freezes']
        self.assertEqual(
            [('now', 'holidays', begin, end, True),
             ('next', None, later, last, False)],
            [tuple(each[name] for name in ('name', 'reason', 'begin', 'end',
                                           'active')) for each in listed])
        self.assertEqual(['snapshot_delete'], listed[1]['operations'])
        self.assert_status(400, self.client.get('/freezes?at=now'))
        done = self.client.openstack('stack', 'freeze', 'list', '-f', 'value',
                                     '-c', 'Name', '-c', 'Active')
        self.assertEqual((0, 'now True\nnext False\n'),
                         (done.returncode, done.stdout), done.stderr)

    def test_signal_that_freeze_ignores_is_reported(self):
        self.freeze(operations=['signal'])
        done = self.client.openstack('stack', 'resource', 'signal', self.name,
                                     'scale_up')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn(f'Frozen until {self.end} (freeze "year-end": bank '
                      'holidays). Signals are ignored', done.stderr)

    def test_other_operations_are_allowed(self):
        self.take_snapshot()
        self.freeze()
        requests = self.requests(self.path)
        for name in requests:
            if name in window.CHANGES or name in (
                    states.UNLOCK, operations.EXTEND_LOCK):
                continue
            answer = requests[name]()
            # The plan of a preview contains the freeze.
            if 'plan_stops' not in answer.text:
                self.assertNotIn('frozen', answer.text, name)
            if name == states.LOCK:
                for other in operations.EXTEND_LOCK, states.UNLOCK:
                    self.assert_status(200, requests[other]())

    def test_freeze_of_named_projects_and_operations(self):
        project = self.sandbox.url.rpartition('/')[2]
        self.freeze(projects=['another'])
        self.assert_status(200, self.requests(self.path)['check']())
        self.client.wait_for_stack(self.path, ['CHECK_COMPLETE'])
        self.freeze(projects=['another', project], operations=['delete'])
        self.assert_frozen(self.client.delete(self.path), 'delete')
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_exempt_user_can_change_frozen_stack(self):
        self.freeze(exempt='role:admin or user_id:root')
        self.assert_frozen(self.update())
        self.assert_frozen(self.sandbox.client('eve', 'member').delete(
            self.path))
        self.assert_status(200, self.admin.post(
            self.path + '/actions', {'check': None}))
        self.client.wait_for_stack(self.path, ['CHECK_COMPLETE'])

    def test_lock_pass_gives_no_exemption(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'lock_pass': {
                'user': {'id': 'alice'},
                'expires_at': freeze_base.moment(minutes=10)}}))
        self.freeze()
        self.assert_frozen(self.update(), 'update')
        self.write_file()
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_mark_of_locked_stack_is_rejected_because_of_freeze(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.freeze()
        self.assert_frozen(self.client.patch(
            self.path + '/resources/no', {'mark_unhealthy': True}),
            'mark unhealthy')

    def test_freeze_does_not_replace_404_and_403(self):
        self.freeze()
        self.assert_status(404, self.client.delete('/stacks/no/such'))
        self.assert_status(403, self.reader.delete(self.path))

    def test_freeze_starts_and_ends_on_time(self):
        begin, end = freeze_base.moment(
            seconds=3), freeze_base.moment(seconds=6)
        self.freeze(begin=begin, end=end)

        def refused():
            answer = self.client.patch(self.path + '/resources/no', {
                'mark_unhealthy': True})
            return answer.status_code, freeze_base.moment()

        code, now = waiting.until('a refusal', refused,
                                  lambda value: value[0] == 409)
        self.assertLessEqual(begin, now)
        code, now = waiting.until('its end', refused,
                                  lambda value: value[0] != 409)
        self.assertLessEqual(end, now)
        self.assertEqual(404, code)

    def test_guards_list_freeze_at_given_time(self):
        self.freeze(exempt='role:admin', end=freeze_base.moment(days=3))
        end = freeze_base.moment(days=3)
        answer = self.assert_status(200, self.client.get(
            self.path + '/guards?blocking=delete&nested=false'))
        guard, = answer.json()['guards']
        self.assertEqual(
            ('freeze', 'year-end', self.name, 'bank holidays', 'role:admin'),
            tuple(guard[key] for key in (
                'kind', 'name', 'stack_name', 'reason', 'lifted_by')))
        self.assertLess(guard['set_at'], freeze_base.moment())
        self.assertEqual(end[:15], guard['expires_at'][:15])
        self.assertEqual(f'try again at {guard["expires_at"]}',
                         guard['how_to_lift'])
        self.assertIn('replace', guard['stops'])
        for action in 'signal', 'cancel', 'lock', 'unlock', 'protect':
            self.assertNotIn(action, guard['stops'])
        for at, wanted in ((freeze_base.moment(days=2), ['year-end']),
                           (freeze_base.moment(days=4), []),
                           (freeze_base.moment(days=-1), [])):
            self.assertEqual(wanted, self.listed('--at', at))
        self.assertEqual(['year-end'], self.listed())
        # The request and the window can have other time zones.
        self.write_file({'name': 'year-end', 'begin': '2026-03-07T18:00',
                         'duration': '1d', 'timezone': 'America/New_York'})
        for at, wanted in (('2026-03-07T22:59:59Z', []),
                           ('2026-03-08T00:00:00+01:00', ['year-end']),
                           ('2026-03-08T17:59:59-04:00', ['year-end']),
                           ('2026-03-08T22:00:00Z', []),
                           ('2026-03-09T07:30:00+09:30', [])):
            self.assertEqual(wanted, self.listed('--at', at), at)
        self.freeze(exempt='role:admin')
        answer = self.admin.get(self.path + '/guards')
        self.assertEqual([], answer.json()['guards'])
        done = self.client.openstack('stack', 'guard', 'list', self.name,
                                     '--at', 'soon')
        self.assertIn("Invalid at: 'soon' must be a time with its time zone",
                      done.stderr)

    def listed(self, *words):
        done = self.client.openstack('stack', 'guard', 'list', self.name,
                                     '-f', 'json', *words)
        self.assertEqual(0, done.returncode, done.stderr)
        return [row['Name'] for row in json.loads(done.stdout)]

    def test_guards_do_not_list_lock_after_expiration(self):
        self.assert_status(200, self.lock(
            level='stacks', expires_at=freeze_base.moment(hours=1)))
        for hours, wanted in ((0.5, ['lock']), (1.5, [])):
            at = freeze_base.moment(hours=hours)
            answer = self.client.get(f'{self.path}/guards?at={at}')
            self.assertEqual(wanted, [
                each['kind'] for each in answer.json()['guards']])

    def test_rejected_operations_are_counted(self):
        before = self.counted('frozen_operations_total{operation="update"}')
        self.freeze()
        self.assert_frozen(self.update())
        self.assertEqual(before + 1, self.counted(
            'frozen_operations_total{operation="update"}'))

    def test_signals_are_allowed_by_default(self):
        self.freeze()
        self.assert_scales(2)

    def assert_scales(self, size):
        self.client.post(self.path + '/resources/scale_up/signal')
        waiting.until_equal('members', size, self.members)
        self.client.wait_for_end(self.nested())

    def members(self):
        return len(self.client.get(
            self.nested() + '/resources').json()['resources'])

    def test_signals_in_operations_are_ignored_and_counted(self):
        signal = self.path + '/resources/%s/signal'
        self.freeze(operations=['signal'], exempt='role:admin')
        name = 'frozen_signals_total{freeze="year-end"}'
        before = self.counted(name)
        events = self.events()
        for _ in range(2):
            self.assert_status(200, self.client.post(signal % 'scale_up'))
        waiting.until_equal('ignored signals', before + 2,
                            lambda: self.counted(name))
        self.assert_status(200, self.client.post(
            signal % 'handle', {'id': '1'}))
        waiting.until('the signal of an agent', self.events,
                      lambda value: any(each[0] == 'handle'
                                        and each[1] == 'SIGNAL_COMPLETE'
                                        or 'status:SUCCESS' in each[2]
                                        for each in value[len(events):]))
        self.assertEqual((1, before + 2), (self.members(),
                                           self.counted(name)))
        self.assert_status(200, self.admin.post(signal % 'scale_up'))
        waiting.until_equal('members', 2, self.members)
        self.client.wait_for_end(self.nested())

    def test_last_valid_file_remains_in_effect(self):
        self.freeze()
        self.assert_frozen(self.update())
        good = self.end
        with open(self.sandbox.log_path) as log:
            log.seek(0, 2)
            self.freeze(begin='soon', end='2020-01-01T00:00:00Z')
            self.end = good
            for _ in range(3):
                self.assert_frozen(self.update())
            lines = [line for line in log.read().splitlines()
                     if 'stay in effect' in line]
        self.assertEqual(1, len(lines), lines)
        for part in (self.file_path, 'freeze year-end', "'soon' is not valid",
                     'expected a date and a time'):
            self.assertIn(part, lines[0])
        self.write_file()
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])


class LegacyFreezeTest(FreezeTest):
    more = base.LEGACY


class AloneTest(freeze_base.FreezeTestCase):
    """The feature works without other features."""

    options = ('--features', 'freeze')
    template = templates.SCALING
    files = templates.FILES

    def test_freeze_without_other_features(self):
        self.freeze(operations=['update', 'signal'])
        self.assert_frozen(self.update(), 'update')
        self.assert_status(200, self.client.post(
            self.path + '/resources/scale_up/signal'))
        self.write_file()
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        with open(self.sandbox.log_path) as source:
            log = source.read()
        self.assertIn('Signal to scale_up of stack', log)
        self.assertIn('ignored: freeze "year-end" is in effect', log)


class CfnTest(freeze_base.FreezeTestCase):
    # As in test_stack_lock_cfn.
    more = '[oslo_policy]\nenforce_new_defaults = false\n'

    def test_cfn_api_returns_same_message(self):
        self.freeze()
        native = self.assert_frozen(self.client.delete(self.path), 'delete')
        url = self.sandbox.url.partition('/v1/')[0] + '/cfn/v1/'
        answer = self.client.request('GET', url, params={
            'Action': 'DeleteStack', 'Version': '2010-05-15',
            'ContentType': 'JSON', 'StackName': self.name})
        self.assert_status(400, answer)
        self.assertIn('InvalidAction', answer.text)
        self.assertIn(native, answer.text)
