# SPDX-License-Identifier: Apache-2.0

"""A resource that appears while its tree is being locked.

A worker of a failed traversal replaces a resource (heat.engine.resource:
Resource.make_replacement), and another worker then takes the new one. The
new row must not escape the fence, which was raised before it was there.
"""

from heat.db import api as db_api

from tests.database import prepared_writers
from tests.database import race
from tests.database import test_races
from tests.harness import databases


class LateResourceTest(test_races.RaceTest):

    scenarios = databases.SERVERS

    def create(self, prepared):
        return db_api.resource_create(self.new_context(), {
            'name': 'new', 'stack_id': prepared.nested, 'action': 'INIT',
            'status': 'COMPLETE', 'root_stack_id': prepared.root}).id

    def replace(self, prepared):
        return db_api.resource_create_replacement(
            self.new_context(), prepared.resource,
            {'name': 'new', 'stack_id': prepared.nested, 'action': 'INIT',
             'status': 'COMPLETE', 'root_stack_id': prepared.root}, 7).id

    def take(self, prepared, resource_id):
        return db_api.resource_update(self.new_context(), resource_id,
                                      dict(prepared_writers.AT_WORK), None)

    def check(self, bring, create_at):
        prepared = prepared_writers.PreparedWriter(self.stacks)
        with race.PausedLock(create_at) as early, race.PausedLock(
                'unfinished_snapshots') as late:
            lock = self.start_lock(prepared)
            early.pause.wait(lock)
            bringing = self.threads.start(bring, prepared)
            race.settle(bringing)
            early.pause.resume()
            late.pause.wait(lock)
            self.check_taken(prepared, lock, late, bringing)

    def check_taken(self, prepared, lock, late, bringing):
        """Take what came, while the lock waits for *late*."""
        taking = self.threads.start(
            lambda: self.take(prepared, bringing.result(race.SECONDS)))
        race.settle(taking)
        late.pause.resume()
        locked = race.outcome(lock, test_races.LOCK_REFUSALS)
        taken = race.outcome(taking, test_races.WRITER_REFUSALS)
        if locked:
            self.assertEqual([], self.at_work(prepared, taken))

    def test_resource_created_before_fence(self):
        self.check(self.create, 'stack_ids')

    def test_resource_created_after_fence(self):
        self.check(self.create, 'bump_atomic_keys')

    def test_replacement_created_before_fence(self):
        self.check(self.replace, 'stack_ids')

    def test_replacement_that_fence_waits_for(self):
        prepared = prepared_writers.PreparedWriter(self.stacks)
        pause = race.Pause()

        def replace():
            context = self.new_context()
            with db_api.context_manager.writer.using(context):
                new = db_api.resource_create(context, {
                    'name': 'new', 'stack_id': prepared.nested,
                    'action': 'INIT', 'status': 'COMPLETE',
                    'root_stack_id': prepared.root})
                db_api.resource_update(
                    context, prepared.resource, {'replaced_by': new.id}, 7)
                pause()
                return new.id

        replacing = self.threads.start(replace)
        pause.wait(replacing)
        with race.PausedLock('unfinished_snapshots') as late:
            lock = self.start_lock(prepared)
            race.settle(lock)
            pause.resume()
            late.pause.wait(lock)
            self.check_taken(prepared, lock, late, replacing)
