# SPDX-License-Identifier: Apache-2.0

"""Heat's database writers, and the effect of a lock on each of them.

Every function of heat.db.api that writes is listed, for all supported
releases together.
"""

import ast
import inspect

from heat.db import api as heat_db_api
import testtools

from heat_extras import monkey_patch
from heat_extras.patches import db_api
from heat_extras.stack_lock import guarded_writes

REFUSE, BY_VALUE, PASS = 'refuse', 'by value', 'pass'
# Not a lock, but a later operation keeps it away.
OVERTAKEN = 'overtaken'

_OPERATION = ('only inside an operation, which a lock waits for: the '
              'resource row is held by an engine, or the stack by StackLock')
_LATE = 'whose StackLock an engine can lose that hangs, and writes later'
_DETACHED = 'a row that no stack refers to yet, or no longer'
_AFTER_DELETE = ('only when the stack is DELETE_COMPLETE, which cannot be '
                 'locked')
_NOT_OURS = 'nothing of a stack'
_MANAGE = 'an operator with heat-manage, which no plugin is loaded into'

WRITERS = {
    'stack_create': (REFUSE, 'under a locked owner'),
    'stack_update': (REFUSE, 'the lock is a predicate of the UPDATE'),
    'persist_state_and_release_lock': (
        REFUSE, 'the lock is a predicate of the UPDATE; the StackLock row '
                'goes all the same'),
    'stack_tags_set': (REFUSE, 'the INSERT fails'),
    'stack_tags_delete': (OVERTAKEN, 'only from store(), after its own '
                                     'compare-and-swap or under StackLock'),
    'stack_delete': (PASS, _AFTER_DELETE),
    'reset_stack_status': (PASS, _MANAGE),
    'stack_lock_create': (PASS, 'export takes it too on older releases; '
                                'the operations under it are refused'),
    'stack_lock_steal': (PASS, 'as stack_lock_create'),
    'stack_lock_release': (PASS, 'a lock must not keep StackLock rows'),
    'resource_create': (REFUSE, 'the INSERT fails'),
    'resource_create_replacement': (REFUSE, 'the INSERT fails'),
    'resource_update': (BY_VALUE, 'the lock is a predicate of the UPDATE'),
    'resource_update_and_save': (BY_VALUE, 'the UPDATE fails'),
    'resource_delete': (PASS, _OPERATION),
    'resource_exchange_stacks': (REFUSE, 'only of legacy stacks, ' + _LATE),
    'resource_purge_deleted': (PASS, 'rows of resources that are deleted'),
    'resource_attr_id_set': (PASS, 'cached attributes: a read does it'),
    'resource_attr_data_delete': (PASS, 'cached attributes: a read does it'),
    'resource_data_set': (PASS, 'a read stores URLs of signals there; '
                                'hooks are cleared by signals, which are '
                                'refused earlier'),
    'resource_data_delete': (PASS, 'as resource_data_set'),
    'resource_prop_data_create': (PASS, _DETACHED),
    'resource_prop_data_create_or_update': (PASS, _DETACHED),
    'raw_template_create': (PASS, _DETACHED),
    'raw_template_update': (REFUSE, 'nothing is written; only of legacy '
                                    'stacks, ' + _LATE),
    'raw_template_delete': (PASS, _DETACHED),
    'raw_template_files_create': (PASS, _DETACHED),
    'user_creds_create': (PASS, _DETACHED),
    'user_creds_delete': (PASS, 'store() rotates credentials only after its '
                                'compare-and-swap; otherwise '
                                + _AFTER_DELETE),
    'snapshot_create': (REFUSE, 'the INSERT fails'),
    'snapshot_update': (REFUSE, 'the UPDATE fails'),
    'snapshot_delete': (PASS, 'the snapshot is DELETE_IN_PROGRESS, which a '
                              'lock waits for'),
    'resource_snapshot_create': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'resource_snapshot_update': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'resource_snapshot_delete': (PASS, 'inside a snapshot, which a lock '
                                       'waits for'),
    'event_create': (PASS, 'an ignored signal leaves an event'),
    'sync_point_create': (PASS, 'of a traversal that the lock has ended'),
    'sync_point_update_input_data': (PASS, 'of a traversal that the lock '
                                           'has ended'),
    'sync_point_delete_all_by_stack_and_traversal': (
        PASS, 'of a traversal that is over'),
    'software_config_create': (PASS, _NOT_OURS),
    'software_config_delete': (PASS, _NOT_OURS),
    'software_deployment_create': (PASS, 'deployments pass'),
    'software_deployment_update': (PASS, 'deployments pass'),
    'software_deployment_delete': (PASS, 'deployments pass'),
    'service_create': (PASS, _NOT_OURS),
    'service_update': (PASS, _NOT_OURS),
    'service_delete': (PASS, _NOT_OURS),
    'purge_deleted': (PASS, _MANAGE),
    '_purge_stacks': (PASS, _MANAGE),
    'encrypt_parameters_and_properties': (PASS, _MANAGE),
    'decrypt_parameters_and_properties': (PASS, _MANAGE),
}

# Code that opens a write transaction in the source of heat.db.api.
_DECORATORS = ('context_manager.writer', 'context_manager.writer.independent')
_TRANSACTIONS = ('context_manager.writer.using',
                 'context_manager.writer.independent.using')
# On any connection or session.
_METHODS = ('begin', 'commit')
# Private helpers, listed with the function that calls each.
_HELPERS = {'_reset_stack_status': 'reset_stack_status'}


def is_writer(function):
    """Return whether a function of heat.db.api writes, from its source.

    :param function: an :class:`ast.FunctionDef`.
    """
    if any(ast.unparse(decorator) in _DECORATORS
           for decorator in function.decorator_list):
        return True
    return any(_opens_transaction(node) for node in ast.walk(function)
               if isinstance(node, ast.Call))


def _opens_transaction(call):
    name = ast.unparse(call.func)
    return name in _TRANSACTIONS or name.rpartition('.')[2] in _METHODS


def find_writers(source):
    """List the functions of a module that write."""
    return {node.name for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef) and is_writer(node)}


class WriterTableTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.found = {_HELPERS.get(name, name) for name in find_writers(
            inspect.getsource(heat_db_api))}
        self.patched = {
            record.target.rpartition(':')[2]
            for record in monkey_patch.records('heat.db.api', db_api)}

    def guarded(self):
        return {name for name, (verdict, _) in WRITERS.items()
                if verdict != PASS}

    def test_every_database_writer_of_heat_is_listed(self):
        self.assertEqual(set(), self.found - set(WRITERS))

    def test_every_verdict_is_known_and_has_a_reason(self):
        for name, (verdict, reason) in WRITERS.items():
            self.assertIn(verdict, (REFUSE, BY_VALUE, OVERTAKEN, PASS), name)
            self.assertTrue(reason, name)

    def test_exactly_guarded_writers_are_patched(self):
        self.assertEqual(self.guarded(), self.patched)

    def test_every_guarded_writer_exists_in_this_heat(self):
        self.assertEqual(set(), self.guarded() - self.found)

    def test_readers_are_not_listed(self):
        for name in set(WRITERS) - self.found:
            self.assertFalse(hasattr(heat_db_api, name), name)


class FindWritersTest(testtools.TestCase):

    def test_scan_finds_every_kind_of_writer(self):
        self.assertEqual({'a', 'b', 'c', 'd', 'e'}, find_writers("""
@retry_on_db_error
@context_manager.writer
def a(context): pass

@context_manager.writer.independent
def b(context): pass

def c(context):
    with context_manager.writer.independent.using(context) as session: pass

def d():
    with engine.begin() as connection: pass

def e():
    with engine.connect() as conn, conn.begin(): pass

@context_manager.reader
def f(context):
    with context_manager.reader.independent.using(context): pass
"""))


class WrittenValuesTest(testtools.TestCase):

    def test_writes_of_metadata_and_caches_are_allowed(self):
        self.assertFalse(guarded_writes.is_refused({'rsrc_metadata': {}}))
        self.assertFalse(guarded_writes.is_refused(
            {'attr_data_id': 1, 'atomic_key': 2}))

    def test_start_of_scaling_is_rejected_and_end_is_allowed(self):
        for value, refused in ((True, True), (False, False),
                               ({'data': 'of a wait condition'}, False)):
            self.assertEqual(refused, guarded_writes.is_refused({
                'rsrc_metadata': {'cooldown_end': {},
                                  'scaling_in_progress': value}}), value)

    def test_writes_of_other_columns_are_rejected(self):
        for name in ('action', 'status', 'status_reason', 'engine_id',
                     'replaced_by', 'physical_resource_id', 'a_new_column'):
            self.assertTrue(guarded_writes.is_refused(
                {name: None, 'rsrc_metadata': {}}), name)
