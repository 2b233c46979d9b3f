# SPDX-License-Identifier: Apache-2.0

"""The table of Heat's database writers is complete, on this Heat."""

import ast
import inspect

from heat.db import api as heat_db_api
import testtools

from heat_extras import monkey_patch
from heat_extras.stack_lock import db_api_table
from heat_extras.stack_lock.patches import db_api

# What opens a transaction to write in, in the source of heat.db.api.
_DECORATORS = ('context_manager.writer', 'context_manager.writer.independent')
_TRANSACTIONS = ('context_manager.writer.using',
                 'context_manager.writer.independent.using')
# On whatever connection or session.
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


class TableTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.found = {_HELPERS.get(name, name) for name in find_writers(
            inspect.getsource(heat_db_api))}
        self.patched = {
            record.target.rpartition(':')[2]
            for record in monkey_patch.records('heat.db.api', db_api)}

    def guarded(self):
        return {name for name, (verdict, _) in db_api_table.WRITERS.items()
                if verdict != db_api_table.PASS}

    def test_every_writer_of_heat_is_listed(self):
        self.assertEqual(set(), self.found - set(db_api_table.WRITERS))

    def test_every_verdict_is_known_and_has_a_reason(self):
        for name, (verdict, reason) in db_api_table.WRITERS.items():
            self.assertIn(
                verdict, (db_api_table.REFUSE, db_api_table.BY_VALUE,
                          db_api_table.OVERTAKEN, db_api_table.PASS), name)
            self.assertTrue(reason, name)

    def test_every_guarded_writer_is_patched_and_no_other(self):
        self.assertEqual(self.guarded(), self.patched)

    def test_every_guarded_writer_is_in_this_heat(self):
        self.assertEqual(set(), self.guarded() - self.found)

    def test_reads_are_not_listed(self):
        for name in set(db_api_table.WRITERS) - self.found:
            self.assertFalse(hasattr(heat_db_api, name), name)


class ScanTest(testtools.TestCase):

    def test_sees_every_way_to_write(self):
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


class ValuesTest(testtools.TestCase):

    def test_metadata_and_caches_pass(self):
        self.assertFalse(db_api_table.is_refused({'rsrc_metadata': {}}))
        self.assertFalse(db_api_table.is_refused(
            {'attr_data_id': 1, 'atomic_key': 2}))

    def test_the_begin_of_a_scaling_is_refused_and_its_end_passes(self):
        for value, refused in ((True, True), (False, False),
                               ({'data': 'of a wait condition'}, False)):
            self.assertEqual(refused, db_api_table.is_refused({
                'rsrc_metadata': {'cooldown_end': {},
                                  'scaling_in_progress': value}}), value)

    def test_everything_else_is_refused(self):
        for name in ('action', 'status', 'status_reason', 'engine_id',
                     'replaced_by', 'physical_resource_id', 'a_new_column'):
            self.assertTrue(db_api_table.is_refused(
                {name: None, 'rsrc_metadata': {}}), name)
