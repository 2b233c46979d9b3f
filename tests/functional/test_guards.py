# SPDX-License-Identifier: Apache-2.0

"""Tests of the list of guards."""

import json

from tests.functional import health_base

VERSION = {'heat_template_version': '2018-08-31'}
TEXT = {'type': 'OS::Heat::RandomString'}
FILES = {'member.yaml': json.dumps({**VERSION, 'resources': {'text': TEXT}})}
TEMPLATE = {
    **VERSION,
    'parameters': {'key': {'type': 'string', 'default': 'one',
                           'updatable': False},
                   'free': {'type': 'boolean', 'default': False}},
    'resources': {'text': TEXT,
                  'test': {'type': 'OS::Heat::TestResource'},
                  'part': {'type': 'member.yaml',
                           'update_policy': {'allow': {
                               'replace': {'get_param': 'free'}}}}},
}
ENVIRONMENT = {'resource_registry': {'resources': {
    'te*': {'restricted_actions': 'replace'},
    'part': {'text': {'restricted_actions': ['update', 'replace']}}}}}


class GuardsTestCase(health_base.HealthTestCase):
    template = TEMPLATE
    files = FILES

    def guards(self, query='', path=None, client=None):
        answer = (client or self.client).get(
            f'{path or self.path}/guards{query}')
        self.assert_status(200, answer)
        return answer.json()['guards']


class MarkTest(GuardsTestCase):
    """Tests of marks in the list of guards."""

    def test_mark_stops_updates_if_replacement_is_forbidden(self):
        self.assert_status(200, self.mark('test', reason='disk errors'))
        for environment, stops in (({}, []), (ENVIRONMENT, ['update'])):
            if environment:
                self.assert_status(200, self.mark('test', mark=False))
                self.update(environment=environment)
                self.assert_status(200, self.mark('test',
                                                  reason='disk errors'))
            marked, = (each for each in self.guards()
                       if each['kind'] == 'unhealthy')
            self.assertEqual(['suspend', 'resume', *stops], marked['stops'])
            self.assertTrue(marked['reason'].startswith('disk errors'))


class GuardsTest(GuardsTestCase):

    def shown(self, *arguments, **keywords):
        return [(each['kind'], each['name'])
                for each in self.guards(*arguments, **keywords)]

    def test_every_kind_is_listed(self):
        parameter, policy = ('parameter', 'key'), ('policy', 'part')
        self.assertEqual([parameter, policy], self.shown())
        self.update(environment=ENVIRONMENT)
        part = self.nested('part')
        restrictions = [('restriction', 'test'), ('restriction', 'text')]
        inside = [('restriction', 'text')] * 2
        self.assertEqual([parameter, policy, *restrictions], self.shown(
            '?nested=false'))
        self.assertEqual([parameter, policy, *restrictions, *inside],
                         self.shown())
        self.assertEqual([('policy', None), *inside], self.shown(path=part))
        self.assert_status(200, self.mark('text', path=part,
                                          reason='disk errors'))
        marked, = self.guards('?blocking=suspend')
        self.assertEqual(
            ('unhealthy', part.split('/')[2], 'text', 'alice',
             'resource:mark_unhealthy'),
            tuple(marked[key] for key in (
                'kind', 'stack_name', 'name', 'set_by', 'lifted_by')))
        # Every update would replace the resource, which two guards forbid.
        self.assertEqual(['suspend', 'resume', 'update'], marked['stops'])
        for words in ('disk errors', 'restricted_actions', 'replace: false'):
            self.assertIn(words, marked['reason'])
        self.assertIn(f'--reset {part.split("/")[2]} text',
                      marked['how_to_lift'])
        self.assertRegex(marked['set_at'], r'^2\d{3}-\d\d-\d\dT.*Z$')

        self.assert_status(200, self.client.post(
            self.path + '/actions',
            {'lock': {'level': 'stacks', 'reason': 'db move'}}))
        locked, = self.guards('?blocking=delete')
        self.assertEqual(
            ('lock', self.name, None, 'alice', 'db move', 'actions:unlock',
             f'openstack stack unlock {self.name}'),
            tuple(locked[key] for key in (
                'kind', 'stack_name', 'name', 'set_by', 'reason',
                'lifted_by', 'how_to_lift')))
        self.assertNotIn('unlock', locked['stops'])
        nested = {each['kind']: each['how_to_lift'] for each in self.guards(
            '?blocking=Delete', path=part)}
        self.assertEqual(f'openstack stack unlock {self.name}',
                         nested['lock'])
        # Delete by ID of the nested stack; the root stack can be deleted.
        self.assertEqual({'lock', 'policy'}, set(nested))
        self.assertIn(('lock', None), self.shown(
            client=self.sandbox.client('eve', 'reader')))
        self._lists()
        self.client.post(self.path + '/actions', {'unlock': None})
        self.assertEqual([], self.shown('?blocking=delete'))

    def _lists(self):
        for option, wanted in ((None, ['lock', 'parameter', 'policy',
                                       'restriction', 'restriction']),
                               ('--nested', ['lock', 'parameter', 'policy'] +
                                ['restriction'] * 4 + ['unhealthy'])):
            done = self.client.openstack(
                'stack', 'guard', 'list', self.name, '-f', 'json',
                *filter(None, [option]))
            self.assertEqual(0, done.returncode, done.stderr)
            rows = json.loads(done.stdout)
            self.assertEqual(wanted, [row['Kind'] for row in rows])
        self.assertIn('update', rows[0]['Stops'])
        done = self.client.openstack(
            'stack', 'guard', 'list', self.name, '--blocking', 'delete',
            '-f', 'value', '-c', 'Kind', '-c', 'Set By', '-c', 'Reason')
        self.assertEqual('lock alice db move\n', done.stdout)

    def test_guards_depend_on_who_asks(self):
        admin = self.sandbox.client('ops', 'admin')
        bob = self.sandbox.client('bob', 'member')
        for sender, change, undo in (
                (self.client, 'lock', 'unlock'),
                (self.client, 'protect', 'unprotect'),
                (admin, 'lock', 'unlock'), (admin, 'protect', 'unprotect')):
            self.set_guard(sender, change)
            for client in self.client, bob, admin:
                is_below = sender is admin and client is not admin
                how = (f'ask a user who has the policy rule actions:{undo}'
                       '_override' if is_below
                       else f'openstack stack {undo} {self.name}')
                for action, is_stopped in (
                        (change, client is not sender), (undo, is_below)):
                    self.assertEqual([how] if is_stopped else [], [
                        each['how_to_lift'] for each in self.guards(
                            f'?blocking={action}', client=client)])
                    # The requests agree.
                    self.set_guard(client, action, (
                        (403 if is_below else 409) if is_stopped else 200))
                    if action == undo and not is_stopped:
                        self.set_guard(sender, change)
            self.set_guard(admin, undo)

    def set_guard(self, client, action, status=200):
        body = {'level': 'stacks'} if action == 'lock' else None
        self.assert_status(status, client.post(self.path + '/actions',
                                               {action: body}))

    def test_invalid_requests_are_rejected(self):
        for query, part in (
                ('?blocking=dance', "'dance' must be one of update, "),
                ('?nested=perhaps', "'perhaps' must be true or false."),
                ('?other=1', "unknown parameter 'other'. Expected any of "
                             'nested, blocking, at.')):
            answer = self.assert_status(400, self.client.get(
                self.path + '/guards' + query))
            self.assertIn(part, answer.json()['error']['message'])
        self.assert_status(404, self.client.get('/stacks/no/such/guards'))
        self.assert_status(404, self.client.get('/stacks/nosuch/guards'))
        self.assert_status(405, self.client.post(self.path + '/guards', {}))
        self.assert_status(403, self.sandbox.client('eve', 'nobody').get(
            self.path + '/guards'))

    def test_stack_is_found_by_name(self):
        self.assertIn(('parameter', 'key'), self.shown(
            '?nested=false', path='/stacks/' + self.name))


class AloneTest(GuardsTest):
    """Guards of Heat are listed if no other feature is enabled."""

    options = ('--features', 'guards')
    template = {**VERSION, 'resources': {'text': TEXT, 'test': TEXT}}
    test_guards_depend_on_who_asks = None

    def test_every_kind_is_listed(self):
        self.update(environment=ENVIRONMENT)
        self.assertEqual([('restriction', 'test'), ('restriction', 'text')],
                         self.shown())

    def test_stack_is_found_by_name(self):
        self.assertEqual([], self.shown(path='/stacks/' + self.name))
