# SPDX-License-Identifier: Apache-2.0

"""Alarms of Aodh for a locked stack."""

from tests.consumers import aodh
from tests.consumers import base
from tests.consumers import cases
from tests.consumers import results_file
from tests.functional import templates
from tests.harness import unreliable_service
from tests.harness import waiting

NAME = 'scaled'
SIGNALLED = 'gets response: 200 OK'
# The number of alarms in an hour, by Aodh's evaluation_interval.
HOUR = 60
IN_VAIN = 'Failed to communicate with Heat service for alarm alarm-1'


def line(log, wanted):
    """Return the first line that contains a text, without its log prefix."""
    return next(each.partition(' [-] ')[2] for each in log.splitlines()
                if wanted in each)


class AodhTest(base.ConsumerTestCase):
    def setUp(self):
        super().setUp()
        self.case = self.project()
        self.heat = self.environment.client(self.case)
        self.path = self.heat.create_stack(
            NAME, templates.SCALING, files=templates.FILES)
        self.notifier = aodh.Notifier(
            self.environment.directory, self.environment.auth_url, self.case)

    def _act(self, name, fields=None):
        answer = self.heat.post(self.path + '/actions', {name: fields})
        self.assertEqual(200, answer.status_code, answer.text)

    def _newest_reason(self):
        event, = self.heat.get(
            f'{self.path}/events?sort_dir=desc&limit=1').json()['events']
        return event['resource_status_reason']

    def _resource(self, path):
        return self.heat.get(
            f'{self.path}/resources/{path}').json()['resource']

    def _group(self):
        return self._resource('group')['physical_resource_id']

    def _members(self):
        """Return the resources of the group by their names."""
        value = self.heat.get(f'/stacks/{self._group()}/resources')
        return {each['resource_name']: each
                for each in value.json()['resources']}

    def _ids(self):
        return {name: each['physical_resource_id']
                for name, each in self._members().items()}

    def _scale(self, times=1):
        return self.notifier.signal(
            f'{self.heat.url}{self.path}/resources/scale_up/signal', times)

    def _heal(self, times=1):
        """Report a member that its load balancer considers unhealthy."""
        nested, = self._ids().values()
        inner, = self.heat.get(
            f'/stacks/{nested}/resources').json()['resources']
        return self.notifier.heal(
            times, stack_id=self.path.rpartition('/')[2], asg_id=self._group(),
            unhealthy_members=[{'id': inner['physical_resource_id']}])

    def _wait_for_members(self, is_right):
        self.heat.wait_for_end(self.path)
        return waiting.until('the members', self._ids, is_right)

    def _more(self, before):
        """Return the number of new rows by table."""
        now = self.environment.rows()
        return {name: now[name] - before[name] for name in now
                if now[name] != before[name]}

    def _keep(self, asked, came, read, rows):
        """Record the result of an alarm for the documentation."""
        results_file.keep_act('aodh', aodh.release(), asked, came=came,
                              read=cases.shortened(read), rows=rows)

    def test_repeated_alarms_add_no_database_rows(self):
        self._act('lock', {'level': 'stacks'})
        start = self.environment.rows()
        log, scaled = self._scale(), self._more(start)
        self.assertEqual({'event': 1, 'heat_extras_ignored_signal': 1,
                          'heat_extras_counter': 1}, scaled)
        between = self.environment.rows()
        said_of_healing, healed = self._heal(), self._more(between)
        self.assertEqual({'heat_extras_counter': 1}, healed)
        once = self.environment.rows()
        self.assertEqual(HOUR - 1,
                         self._scale(HOUR - 1).count(SIGNALLED))
        self.assertEqual(HOUR - 1, self._heal(HOUR - 1).count(IN_VAIN))
        self.assertEqual({}, self._more(once))
        self._keep(f'scaling: {HOUR} rings while it is locked', 'ignored',
                   line(log, SIGNALLED), scaled)
        self._keep(f'healing: {HOUR} rings while it is locked', 'refused',
                   line(said_of_healing, IN_VAIN), healed)
        self._act('unlock')
        self.assertIn(f'{HOUR} signals were ignored',
                      self._newest_reason())

    def test_signal_is_ignored_until_unlock(self):
        self._act('lock', {'level': 'stacks'})
        self.assertIn(SIGNALLED, self._scale())
        self.assertEqual(1, len(self._ids()))
        self._act('unlock')
        self.assertIn(SIGNALLED, self._scale())
        self._wait_for_members(lambda value: len(value) == 2)
        self._keep('scaling: the first ring after the unlock', 'done', '', {})

    def test_retries_of_aodh_do_not_repeat_signals(self):
        front = self.useFixture(
            unreliable_service.UnreliableService(self.heat.url))
        signal = f'{self.path}/resources/scale_up/signal'
        url = f'{front.url}/{self.heat.url.split("/", 3)[3]}{signal}'
        notifier = aodh.Notifier(self.environment.directory,
                                 self.environment.auth_url,
                                 self.case, retries=3)
        self._act('lock', {'level': 'stacks'})
        front.be('late')
        self.assertIn('gets response: 500', notifier.signal(url))
        front.be('away')
        self.assertIn('Unable to notify', notifier.signal(url))
        front.be('')
        self.assertIn(SIGNALLED, notifier.signal(url))
        self._act('unlock')
        # The signal whose response was lost, and the last signal.
        self.assertIn('2 signals were ignored', self._newest_reason())

    def test_group_member_is_not_replaced_until_unlock(self):
        before = self._ids()
        self._act('lock', {'level': 'stacks', 'reason': 'db move'})
        log = self._heal()
        self.assertIn(IN_VAIN, log)
        self.assertIn('is locked (level stacks) by alice', log)
        # The member is not marked unhealthy, which the next update would use.
        self.assertEqual(['CREATE_COMPLETE'], [
            each['resource_status'] for each in self._members().values()])
        self.assertEqual(before, self._ids())
        self._act('unlock')
        log = self._heal()
        self.assertNotIn(IN_VAIN, log)
        self._wait_for_members(
            lambda value: len(value) == 1 and value != before)
        self._keep('healing: the first ring after the unlock', 'done', '', {})
