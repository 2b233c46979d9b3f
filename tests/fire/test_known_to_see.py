# SPDX-License-Identifier: Apache-2.0

"""The fire sees: without the fence of a lock, or with rows that are wrong."""

import os

import sqlalchemy
from testtools import content

from heat_extras.sandbox import config
from tests.fire import aftermath
from tests.fire import calm
from tests.fire import test_fire
from tests.fire import user
from tests.functional import base as functional
from tests.rigs import environment
from tests.rigs import waiting
from tests.storm import picture

# Of one fire, and until it is blind.
_SECONDS = 40
_MOST_SECONDS = 300
# Nobody works on what is broken here.
_SHORT = 1


class KnownToSeeTest(test_fire.SlowFire):
    """With the fence taken out of every lock."""

    kind = test_fire.FireTest.kind

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(environment.Environment(HEAT_EXTRAS_UNGUARDED=1))
        super().setUpClass()

    def test_without_its_fence_a_lock_is_lost(self):
        self._seed = test_fire.SEED
        found = waiting.last(self._changes, bool, _MOST_SECONDS)
        self.addDetail('found', content.text_content('\n'.join(found)))
        self.assertNotEqual([], found, 'the fire is blind')

    def _changes(self):
        self._seed += 100
        self.burn(_SECONDS, self._seed)
        return [text for text in self.lost() if ' became ' in text]


class _SandboxTestCase(functional.TestCase):
    """A user on a sandbox, where a test breaks what the user looks at."""

    is_shared = False

    def setUp(self):
        super().setUp()
        self.database = picture.Database('sqlite:///' + os.path.join(
            self.sandbox.state_dir, config.DATABASE_FILE))
        self.addCleanup(self.database.close)
        self.user = user.User(self.client, self.database, self.id())
        self.assertTrue(self.user.create())
        self.path, = self.user.paths
        self.stack_id = self.path.rpartition('/')[2]

    def change(self, statement):
        """Change the rows of the stack, as somebody does who is mistaken."""
        engine = sqlalchemy.create_engine(
            'sqlite:///' + os.path.join(self.sandbox.state_dir,
                                        config.DATABASE_FILE))
        self.addCleanup(engine.dispose)
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(statement),
                               {'id': self.stack_id})

    def lock(self):
        answer = self.client.post(self.path + '/actions',
                                  {'lock': {'level': 'stacks'}})
        return answer.json()['lock']['id']


class CalmTest(_SandboxTestCase):
    def setUp(self):
        super().setUp()
        self.calm = calm.Calm(self.database, self.path, self.lock())

    def assert_seen(self, *parts):
        self.calm.look()
        text = '\n'.join(self.calm.violations)
        for part in parts:
            self.assertIn(part, text)

    def test_what_a_lock_keeps_is_fine(self):
        for name in 'update', 'check', 'suspend', 'delete':
            answer = self.user.send(name)
            self.calm.judge(name, *answer)
        self.calm.look()
        self.assertEqual([], self.calm.violations)
        self.assertIsNotNone(self.calm.span)

    def test_a_lock_that_is_gone(self):
        self.change('UPDATE stack SET lock_level = NULL, lock_id = NULL '
                    'WHERE id = :id')
        self.assert_seen('became None', 'the levels')

    def test_the_lock_of_somebody_else(self):
        self.change("UPDATE stack SET lock_id = 'x' WHERE id = :id")
        self.assert_seen('became x')

    def test_a_nested_stack_without_its_lock(self):
        self.change('UPDATE stack SET lock_level = NULL WHERE '
                    'owner_id = :id')
        self.assert_seen('the levels')

    def test_a_row_that_changes(self):
        self.change("UPDATE resource SET status = 'FAILED' WHERE "
                    'stack_id = :id')
        self.assert_seen("'COMPLETE' became 'FAILED'")

    def test_what_is_accepted(self):
        self.calm.judge('update', 202, '')
        self.assert_seen('update was answered 202')

    def test_what_is_refused_because_something_goes_on(self):
        self.calm.judge('update', 409, 'ActionInProgress')
        self.assert_seen('ActionInProgress')

    def test_what_promises_nothing(self):
        self.calm.judge('update', 0, 'timed out')
        self.calm.judge('update', 503, '')
        self.calm.look()
        self.assertEqual([], self.calm.violations)


class AftermathTest(_SandboxTestCase):
    def inspect(self):
        """Return what is Heat's, and what is ours."""
        after = aftermath.Aftermath(self.user, self.database,
                                    seconds=_SHORT).inspect()
        return '\n'.join(after.of_heat), '\n'.join(after.of_ours)

    def test_nothing_is_stuck(self):
        self.assertEqual(('', ''), self.inspect())

    def test_a_lock_without_an_answer_is_lifted(self):
        self.lock()
        self.assertEqual(('', ''), self.inspect())

    def test_what_heat_has_lost(self):
        self._leave_in_progress()
        of_heat, of_ours = self.inspect()
        self.assertIn('UPDATE_IN_PROGRESS', of_heat)
        self.assertEqual('', of_ours)

    def test_what_a_lock_called_at_rest_is_ours(self):
        self._leave_in_progress()
        self.user.at_rest.add(self.path)
        self.assertIn('was at rest', self.inspect()[1])

    def test_a_lock_under_way_is_ours(self):
        self.change("UPDATE stack SET lock_action = 'LOCK', "
                    "lock_status = 'IN_PROGRESS' WHERE id = :id")
        of_heat, of_ours = self.inspect()
        self.assertEqual('', of_heat)
        self.assertIn('LOCK_IN_PROGRESS', of_ours)

    def test_a_register_that_differs_is_ours(self):
        self.change('INSERT INTO heat_extras_lock (id, stack_id) '
                    "VALUES ('x', :id)")
        self.assertIn('the register has', self.inspect()[1])

    def test_a_refusal_without_a_reason_is_ours(self):
        self._ask = self.user.ask
        self.user.ask = self._refuse
        self.assertIn('answered 409', self.inspect()[1])

    def _refuse(self, method, path, body=None):
        if body and 'lock' in body:
            return 409, 'no'
        return self._ask(method, path, body)

    def _leave_in_progress(self):
        self.change("UPDATE stack SET action = 'UPDATE', "
                    "status = 'IN_PROGRESS' WHERE id = :id")
