# SPDX-License-Identifier: Apache-2.0

"""Each step of a lock transaction fails once, as on a Galera node.

It is retried, and the result is the same as without the failure.
"""

import datetime
import types

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy
import testscenarios

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_pass
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import service
from heat_extras.stack_lock import states
from tests.database import base
from tests.database import failing_steps
from tests.database import stack_rows
from tests.database import test_delete_protection
from tests.database import test_expiry
from tests.database import test_lock_pass
from tests.database import test_name_collation
from tests.harness import databases

# Of whom, why and by whom.
_PASS = ('pass_user_name', 'pass_user_domain', 'pass_reason',
         'pass_granted_by', 'pass_granted_by_project')
_STACK = heat_models.Stack.__table__

_ERRORS = [(name, {'error': getattr(failing_steps, name)}) for name in (
    'CERTIFICATION', 'VIEW', 'NO_QUORUM', 'AT_COMMIT', 'CUT', 'LATE')]


def checker(action):
    """Make the check of a request of a member's."""
    def check(lock):
        if lock.refuses(action):
            raise errors.StackLockConflict(message=f'no {action}')
    return check


class StepsTestCase(base.DatabaseTest):
    """Run a transaction, and run it again for each step, which fails.

    :cvar names: of the methods ``prepare_...``, which may return something,
        and ``do_...``, which gets that.
    """

    scenarios = testscenarios.multiply_scenarios(databases.MARIADBS[:1],
                                                 _ERRORS)

    def check(self, prepare, do):
        wanted, steps = self.attempt(prepare, do)
        numbers = steps.commits if (
            self.error is failing_steps.AT_COMMIT or self.error.is_late
        ) else range(1, steps.count + 1)
        self.assertIsNone(wanted['answer'])
        self.assertGreater(len(numbers), 0)
        outcomes = {number: self.attempt(prepare, do, number)[0]
                    for number in numbers}
        self.assertEqual({}, {number: each for number, each in outcomes.items()
                              if each != wanted}, wanted)

    def attempt(self, prepare, do, number=0):
        self.database.empty()
        # Its names begin anew.
        self.stacks = stack_rows.StackRows(self.engine)
        arranged = prepare()
        answer = None
        with failing_steps.FailingStep(self.engine, number,
                                       self.error) as steps:
            try:
                do(arranged)
            except Exception as error:
                answer = repr(error)
        return {'answer': answer, **self.picture()}, steps

    def picture(self):
        """Return the stored state without values that differ in each run."""
        with self.engine.connect() as connection:
            def rows(table, *names, where=None):
                query = sqlalchemy.select(*(table.c[name] for name in names))
                return sorted(map(str, connection.execute(query)))
            return {
                'stacks': rows(_STACK, 'name', 'lock_level', 'lock_passing',
                               'action', 'status'),
                'guards': rows(models.guard_table, 'kind', 'level', 'action',
                               'status', 'status_reason', 'set_by'),
                'resources': rows(heat_models.Resource.__table__, 'name',
                                  'atomic_key', 'status'),
                'events': rows(heat_models.Event.__table__,
                               'resource_action', 'resource_status'),
                'held': rows(heat_models.StackLock.__table__, 'engine_id'),
                'entries': [bool(each) for row in connection.execute(
                    sqlalchemy.select(
                        models.guard_table.c.expires_at,
                        models.guard_table.c.pass_user_id,
                        models.guard_table.c.pass_used_at)) for each in row],
                'protected': rows(models.protection_table, 'resource_name',
                                  'state')}


class LockTest(StepsTestCase):

    def plant(self):
        return self.stacks.add_tree(3, 2)[0]

    def plant_locked(self):
        root = self.plant()
        self.lock(root)
        return root

    def plant_protected(self):
        root = self.plant_locked()
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.insert(models.protection_table).values(
                    resource_id=1, stack_id=root, root_id=root,
                    resource_name='server', state='protected'))
        return root

    def test_lock(self):
        self.check(self.plant, lambda root: self.lock(
            root, check=checker(states.LOCK)))

    def test_lock_with_level_all(self):
        check = checker(states.LOCK)
        self.check(self.plant, lambda root: self.assertTrue(
            self.lock(root, level='all', check=check).is_pending))

    def unlock(self, root):
        return lock_transaction.unlock_tree(self.context, root,
                                            checker(states.UNLOCK),
                                            base.ENGINE)

    def test_unlock(self):
        self.check(self.plant_locked, self.unlock)

    def test_unlock_with_release(self):
        self.check(self.plant_protected, lambda root: self.assertTrue(
            self.unlock(root).is_pending))

    def test_end_of_lock_operation(self):
        def begin():
            root = self.plant()
            return self.lock(root, level='all')

        def end(begun):
            lock_thread._write_end(self.new_context(), begun.root.id, 'LOCK',
                                   begun.operation_id, None, None)
        self.check(begin, end)

    def test_protection_table_changes(self):
        def begin():
            root = self.plant()
            return self.lock(root, level='all')

        def write(begun):
            resource = test_name_collation.Resource(
                id=1, name='server', resource_id='1',
                stack=types.SimpleNamespace(id=begun.root.id))
            own = resource_table.Token(self.context, begun.root.id,
                                       begun.operation_id)
            resource_table.replace_rows(own, {resource: ('locking', None)})
            resource_table.replace_rows(own, {resource: ('protected', None)})
        self.check(begin, write)

    def test_stack_update_writes_status(self):
        self.check(self.plant, lambda root: db_api.stack_update(
            self.context, root, {'action': 'UPDATE', 'status': 'COMPLETE',
                                 'status_reason': 'as it was told'}))


class ExpiryTest(test_expiry.AutoUnlockTestCase, StepsTestCase):

    scenarios = StepsTestCase.scenarios

    def plant(self):
        self.root = self.stacks.add_tree(2, 2)[0]
        return self.lock_until()

    def test_extend(self):
        def plant():
            self.root = self.stacks.add_tree(2, 2)[0]
            self.lock_until(3600)
            context = self.new_context()
            return context, lock_request.transaction_check(
                context, self.stack(self.root), operations.EXTEND_LOCK)
        self.check(plant, lambda arranged: service.write_expiration(
            arranged[0], self.root, arranged[1], test_expiry.FAR))

    def test_expiration_unlock(self):
        self.check(self.plant, self.lift)


class PassTest(test_lock_pass.LockPassTestCase, StepsTestCase):

    scenarios = StepsTestCase.scenarios

    def plant(self):
        self.ids = self.stacks.add_tree(3, levels=2)
        self.root_id = self.ids[0]
        self.lock(self.root_id)

    def plant_granted(self):
        self.plant()
        self.grant()

    def plant_used(self):
        self.plant_granted()
        self.use()
        self.finish()

    def test_grant(self):
        def plant():
            self.plant()
            with self.engine.connect() as connection:
                return db_time.read_time(connection) + datetime.timedelta(
                    hours=1)

        def grant_until(end):
            lock_pass.grant(self.new_context(), self.root_id,
                            test_lock_pass.allow, {
                                **dict.fromkeys(_PASS), 'pass_user_id': 'bob',
                                'pass_expires_at': end})
        self.check(plant, grant_until)

    def test_revoke(self):
        self.check(self.plant_granted, lambda nothing: self.revoke())

    def test_use(self):
        if self.error.is_late:
            self.skipTest('Bare Heat takes what it wrote for lost, too.')

        def plant():
            self.plant_granted()
            return (self.admitted(),
                    self.stack(self.root_id).current_traversal)

        def use(arranged):
            pass_use, traversal = arranged
            with rpc_request.processing(rpc_request.Request(
                    'update', pass_use.context, pass_use=pass_use)):
                self.assertTrue(db_api.stack_update(
                    pass_use.context, self.root_id,
                    {'action': 'UPDATE', 'status': 'IN_PROGRESS'},
                    exp_trvsl=traversal))
        self.check(plant, use)

    def test_relock_after_update(self):
        def close(nothing):
            # The next report retries a failed check.
            for _ in range(2):
                pass_use.relock_if_idle(self.new_context(is_admin=True),
                                        self.root_id)
        self.check(self.plant_used, close)


class DeleteProtectionTest(test_delete_protection.DeleteProtectionTestCase,
                           StepsTestCase):

    scenarios = StepsTestCase.scenarios

    def plant(self):
        self.root_id = self.stacks.add_stack()

    def plant_protected(self):
        self.plant()
        self.protect()

    def test_protect(self):
        self.check(self.plant, lambda nothing: self.protect())

    def test_delete_intent(self):
        self.check(self.plant, lambda nothing: delete_intent.DeleteIntent(
            base.ENGINE).store(self.new_context(), self.root_id))
        self.assertEqual({base.ENGINE}, self.intents())

    def test_unprotect(self):
        self.check(self.plant_protected, lambda nothing: self.unprotect())
