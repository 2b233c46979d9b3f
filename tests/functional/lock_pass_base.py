# SPDX-License-Identifier: Apache-2.0

"""Base of the tests of lock passes."""

from tests.functional import templates
from tests.functional import test_stack_lock_expiry
from tests.harness import request_times
from tests.harness import waiting

FILES = {'member.yaml': """
heat_template_version: 2018-08-31
parameters:
  value: {type: string, default: one}
resources:
  inner:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}}
"""}

_TEST = {
    'type': 'OS::Heat::TestResource',
    'properties': {
        'value': {'get_param': 'value'},
        'fail': {'get_param': 'is_bad'},
        'action_wait_secs': {'update': {'get_param': 'wait'}}}}

# For tests without nested stacks.
LONE = {
    'heat_template_version': '2018-08-31',
    'parameters': {
        'value': {'type': 'string', 'default': 'one'},
        'size': {'type': 'number', 'default': 1},
        'wait': {'type': 'number', 'default': 0},
        'is_bad': {'type': 'boolean', 'default': False}},
    'resources': {'test': _TEST},
}

TEMPLATE = {
    **LONE,
    'resources': {
        **templates.SCALING['resources'],
        'group': {
            'type': 'OS::Heat::AutoScalingGroup',
            'properties': {'min_size': 1, 'max_size': 3,
                           'desired_capacity': {'get_param': 'size'},
                           'resource': {'type': 'member.yaml', 'properties': {
                               'value': {'get_param': 'value'}}}}},
        # After the nested stacks: Heat can cancel a nested update so late that
        # it cancels the rollback of the nested stack.
        'test': {**_TEST, 'depends_on': 'group'}},
}


class PassTestCase(test_stack_lock_expiry.ExpiryTestCase):
    """Test case with a locked stack, and a user for lock passes."""

    name = 'passed'
    template = TEMPLATE
    files = FILES
    # The lock status would hide the status of an update.
    covered = ('[heat_extras]\nstatus_overlay = full\n'
               + test_stack_lock_expiry.ExpiryTestCase.settings)
    # Duration of an update that a test checks, in seconds.
    long = 8

    def setUp(self):
        super().setUp()
        self.bob = self.sandbox.client('bob')
        self.assert_status(200, self.lock(level='stacks', reason='db move'))

    def _delete(self):
        self.unlock(self.admin)
        self.client.wait_for_end(self.path)
        self.client.delete(self.path)

    def grant(self, client=None, path=None, **fields):
        wanted = {'user': {'id': 'bob'},
                  'expires_at': request_times.from_now(minutes=10)}
        return (client or self.client).post(
            (path or self.path) + '/actions', {
                'lock_pass': {**wanted, **fields}})

    def revoke(self, client=None):
        return (client or self.client).post(self.path + '/actions',
                                            {'lock_pass': None})

    def change(self, client, path=None, **parameters):
        return client.put(path or self.path, {
            'template': self.template, 'files': self.files,
            'parameters': {'value': 'two', **parameters}})

    def shown_pass(self):
        return self.client.show_stack(self.path)['lock_pass']

    def columns(self):
        """Return the lock columns of the stack tree in the database."""
        return set(self.sandbox.sql(
            'SELECT lock_level, lock_passing FROM stack '
            'WHERE name LIKE ? || "%" AND deleted_at IS NULL '
            'AND backup = 0', self.name))

    def wait_until_closed(self):
        waiting.until_equal('the lock to hold again', {('stacks', None)},
                            self.columns)

    def end(self, *statuses):
        """Wait until an update ends, and the lock is in effect again."""
        # A stack is UPDATE_FAILED for a moment before its rollback begins.
        moment = 'UPDATE_FAILED' if 'ROLLBACK_COMPLETE' in statuses else None
        self.client.wait_for_stack(self.path, statuses, failed=moment)
        self.wait_until_closed()
