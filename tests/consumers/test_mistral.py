# SPDX-License-Identifier: Apache-2.0

"""Workflows of Mistral for a locked stack, and after the unlock."""

import json
import os

from tests.cloud import base
from tests.consumers import cases
from tests.consumers import environments
from tests.consumers import mistral
from tests.consumers import results_file
from tests.consumers import scenarios
from tests.harness import waiting

_LOCKED = 'is locked (level stacks) by alice'
# More retries than a test needs, and a small number of retries.
_MANY, _FEW = 200, 2
_UPDATING = ("<% task().result.stack_status = 'UPDATE_IN_PROGRESS' %>")


class MistralTest(base.CloudTestCase):
    @classmethod
    def setUpClass(cls):
        # The tests do not use the shared cloud.
        super(base.CloudTestCase, cls).setUpClass()
        cls.cloud = cls.use_in_class(mistral.Cloud())

    def setUp(self):
        super().setUp()
        for name in ('mistral-engine', 'mistral-api'):
            self.addDetail(f'{name}.log', base.logs.file_content(
                self.cloud.logs()[name]))
        # The user of the workflow is not the user who locks.
        self.workflows = mistral.Workflows(
            self.cloud.client(environments.CONSUMER))
        self.path = self.create_stack(scenarios.TEMPLATE)
        self.name = self.path.split('/')[2]

    def update(self, retries=0):
        """Return a task that updates the stack."""
        return {'action': 'heat.stacks_update', 'input': {
            'stack_id': self.name, 'template': scenarios.TEMPLATE,
            'parameters': scenarios.PARAMETERS[scenarios.UPDATE]},
            **_retry(retries)}

    def poll(self):
        """Return a task that waits until the update is complete."""
        return {'action': 'heat.stacks_get', 'wait-before': 1,
                'input': {'stack_id': self.name},
                **_retry(_MANY, **{'continue-on': _UPDATING})}

    def start(self, **tasks):
        return self.workflows.start(self.name, tasks)

    def lock(self):
        self.assert_status(200, self.act(
            self.path, 'lock', {'level': 'stacks', 'reason': 'db move'}))

    def unlock(self):
        self.assert_status(200, self.act(self.path, 'unlock'))

    def value(self):
        return self.alice.show_stack(self.path)['parameters']['value']

    def rows(self):
        (count,), = self.cloud.host.database.execute(
            'SELECT COUNT(*) FROM heat.event')
        return count

    def keep(self, asked, came, read=''):
        """Record the result of a workflow for the documentation."""
        results_file.keep_act('mistral', mistral.release(), asked, came=came,
                              read=cases.shortened(read.replace(
                               self.name, scenarios.NAME)))

    def assert_refused_for_good(self, run):
        state, output = self.workflows.end(run)
        self.assertEqual(mistral.ERROR, state, output)
        self.assertIn(_LOCKED, output)
        self.assertIn('db move', output)
        return output

    def assert_done(self, run):
        state, output = self.workflows.end(run)
        self.assertEqual(mistral.SUCCESS, state, output)
        self.assertEqual('two', self.value())

    def wait_for_tries(self, run, number):
        waiting.until('tries of the update',
                      lambda: self.workflows.tries(run)['update'],
                      lambda value: len(value) >= number)

    def test_update_without_lock_succeeds(self):
        run = self.start(update=self.update(), poll=self.poll())
        self.assert_done(run)
        self.assertEqual('UPDATE_COMPLETE', self.alice.show_stack(
            self.path)['stack_status'])
        self.keep('update, and poll ``stack_status``; no lock', 'done')

    def test_rejected_update_ends_workflow_with_reason(self):
        self.lock()
        locked = self.rows()
        output = self.assert_refused_for_good(
            self.start(update=self.update(), poll=self.poll()))
        self.assertEqual(('one', locked), (self.value(), self.rows()))
        self.keep('update while it is locked', 'refused: ``ERROR``',
                  line(output, _LOCKED))

    def test_delete_of_locked_stack_is_rejected(self):
        self.lock()
        output = self.assert_refused_for_good(self.start(delete={
            'action': 'heat.stacks_delete',
            'input': {'stack_id': self.name}}))
        self.assertEqual('CREATE_COMPLETE', self.alice.show_stack(
            self.path)['stack_status'])
        self.keep('deletion while it is locked', 'refused: ``ERROR``',
                  line(output, _LOCKED))

    def test_rejected_retries_end_and_add_no_rows(self):
        self.lock()
        locked = self.rows()
        run = self.start(update=self.update(_FEW))
        output = self.assert_refused_for_good(run)
        self.assertEqual([mistral.ERROR] * (1 + _FEW),
                         self.workflows.tries(run)['update'])
        self.assertEqual(locked, self.rows())
        self.keep(f'update with ``retry``, {_FEW} times, all while it is '
                  'locked', f'refused {1 + _FEW} times: ``ERROR``',
                  line(output, _LOCKED))

    def test_retry_after_unlock_succeeds(self):
        self.lock()
        run = self.start(update=self.update(_MANY), poll=self.poll())
        self.wait_for_tries(run, 1 + _FEW)
        self.assertEqual((mistral.RUNNING, 'one'),
                         (self.workflows.state(run), self.value()))
        self.unlock()
        self.assert_done(run)
        *refused, last = self.workflows.tries(run)['update']
        self.assertEqual(({mistral.ERROR}, mistral.SUCCESS),
                         (set(refused), last))
        self.keep('update with ``retry``, unlocked meanwhile',
                  'done by the first try after the unlock')

    def test_rejected_task_can_be_rerun_after_unlock(self):
        self.lock()
        run = self.start(update=self.update(), poll=self.poll())
        self.assert_refused_for_good(run)
        self.unlock()
        self.workflows.rerun(run)
        self.assert_done(run)
        self.keep('refused; the task is run again after the unlock', 'done')

    def test_polling_ends_if_stack_is_locked_after_update(self):
        # The task polls only after the stack is locked.
        run = self.start(update=self.update(),
                         poll={**self.poll(), 'pause-before': True})
        waiting.until('the update to begin', self.value,
                      lambda value: value == 'two')
        self.alice.wait_for_end(self.path)
        self.lock()
        self.workflows.resume(run)
        self.assert_done(run)
        self.keep('update, and poll ``stack_status``; locked at its end',
                  'done')

    def test_create_is_rejected_during_freeze(self):
        path = self.cloud.heat.freezes_file
        self.addCleanup(_freeze, path, [])
        _freeze(path,
                [{**environments.WINDOW, 'projects': [self.alice.project_id]}])
        run = self.start(
            create={
                'action': 'heat.stacks_create', 'input': {
                    'stack_name': self.name +
                    '-more', 'template': scenarios.TEMPLATE
                }
            })
        state, output = self.workflows.end(run)
        self.assertEqual(mistral.ERROR, state, output)
        self.assertIn('is frozen until', output)
        self.assert_status(404, self.alice.get(f'/stacks/{self.name}-more'))
        self.keep('creation while the project is frozen',
                  'refused: ``ERROR``', line(output, 'is frozen until'))


def line(output, wanted):
    """Return the message of an action from the first line with a text.

    The line starts with other information about the action.
    """
    matched = next(each for each in output.splitlines() if wanted in each)
    return matched.rpartition("msg='")[2].rpartition("'")[0] or matched


def _retry(count, **more):
    return {'retry': {'count': count, 'delay': 1, **more}} if count else {}


def _freeze(path, freezes):
    with open(path + '.new', 'w') as target:
        json.dump({'freezes': freezes}, target)
    os.replace(target.name, path)
