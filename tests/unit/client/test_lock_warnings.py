# SPDX-License-Identifier: Apache-2.0

from heat_extras.client.osc import lock
from tests.unit.client import base as client_base
from tests.unit.client.osc import base

NO_HANDLER = 'not protected: no handler installed'


def resource(name, protection, reason=None):
    return {'resource_name': name, 'lock_protection': protection,
            'lock_protection_reason': reason}


class ProtectionWarningTest(base.CommandTestCase):

    def lock(self, *arguments):
        # With a table, another line is printed to stderr.
        return self.call(lock.LockStack, *arguments, '-f', 'json')

    def test_warning_has_count_and_most_frequent_reason(self):
        self.heat.add('web').resources = [
            resource('server', 'protected'),
            resource('image', 'found_protected'),
            resource('share', 'failed', 'Manila said no'),
            resource('one', 'no_lock_api', NO_HANDLER),
            resource('two', 'failed', NO_HANDLER)]
        code, out, err = self.lock('web')
        self.assertEqual(
            'WARNING: stack web: 3 of 5 resources are not protected: '
            'no handler installed\n', err)
        self.assertEqual(0, code)
        self.assertIn('/resources?nested_depth=5', self.asked())

    def test_no_warning_if_all_resources_are_protected(self):
        self.heat.add('web').resources = [resource('server', 'protected')]
        self.assertEqual('', self.lock('web')[2])

    def test_no_warning_for_resources_in_heat_only(self):
        web = self.heat.add('web')
        web.resources = [
            {**resource(f'r{number}', 'no_lock_api', NO_HANDLER),
             'resource_type': kind} for number, kind in enumerate((
                 'OS::Heat::RandomString', 'OS::Heat::WaitConditionHandle',
                 'AWS::CloudFormation::WaitCondition'))]
        self.assertEqual('', self.lock('web')[2])
        web.resources.extend(
            {**resource(kind, 'no_lock_api', NO_HANDLER),
             'resource_type': kind}
            for kind in ('OS::Heat::Stack', 'OS::Neutron::Net'))
        self.heat.add('other').resources = web.resources
        self.assertIn('2 of 2 resources are not', self.lock('other')[2])

    def test_no_warning_for_level_stacks(self):
        self.heat.add('web').resources = [resource('one', None)]
        self.assertEqual('', self.lock('--level', 'stacks', 'web')[2])

    def test_no_warning_if_server_reports_no_protection(self):
        self.heat.add('web').resources = [{'resource_name': 'server'}]
        self.assertEqual('', self.lock('web')[2])

    def test_no_warning_while_lock_is_in_progress(self):
        web = self.heat.add('web')
        web.resources = [resource('server', None)]
        web.to_come = ['later']
        code, out, err = self.call(lock.LockStack, 'web', '-f', 'value',
                                   '-c', 'Result')
        self.assertEqual((0, 'in progress\n'), (code, out))
        self.assertEqual(
            'stack web: lock is in progress. To follow it: openstack stack '
            'event list --follow web. With --wait, the command waits until '
            'the action is complete\n', err)

    def test_failed_resource_list_is_a_warning(self):
        self.heat.add('web').resources = client_base.fault(
            403, 'Forbidden', 'Not yours.')
        code, out, err = self.lock('web')
        self.assertEqual(
            (0, 'WARNING: stack web: the stack is locked, but the protection '
                'of its resources could not be listed: Not '
                'yours.\n'), (code, err))

    def asked(self):
        return ' '.join(path for _, path, *_ in self.heat.requests)
