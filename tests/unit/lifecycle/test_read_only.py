# SPDX-License-Identifier: Apache-2.0

import copy
import json
import operator

from heat.engine import resource
from heat.engine import stack
from heat.engine import template
import testtools

from heat_extras.lifecycle import read_only


class Part:
    """Replaces a class of Heat."""

    __module__ = 'heat.engine.fake'

    def __init__(self, **attributes):
        vars(self).update(attributes)

    def get_parts(self, like=None):
        return [part for part in self.parts.values()
                if like is None or part is like]

    def store(self):
        self.stored = True

    def _persist(self):
        self.stored = True

    def __iter__(self):
        return iter(self.parts)

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, key):
        return self.parts[key]

    def __contains__(self, key):
        return key in self.parts


class ViewTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.part = Part(name='inner', data={'a': [1, {'b': 2}]}, parts={})
        self.whole = Part(name='outer', parts={'inner': self.part})
        self.view = read_only.wrap_value(self.whole, 'billing',
                                         operation_id='42')

    def test_view_shows_attributes_and_items(self):
        self.assertEqual('outer', self.view.name)
        self.assertEqual('inner', self.view['inner'].name)
        self.assertEqual('inner', self.view.parts['inner'].name)
        self.assertEqual(['inner'], list(self.view))
        self.assertEqual(1, len(self.view))
        self.assertIn('inner', self.view)
        self.assertEqual(2, self.view['inner'].data['a'][1]['b'])
        self.assertRaises(AttributeError, getattr, self.view, 'absent')

    def test_view_is_instance_of_wrapped_class(self):
        self.assertIsInstance(self.view, Part)
        self.assertEqual(self.view, self.whole)

    def test_view_shows_additional_attributes(self):
        self.assertEqual('42', self.view.operation_id)

    def test_read_methods_accept_and_return_views(self):
        inner = self.view['inner']
        part, = self.view.get_parts(like=inner)
        self.assertEqual('inner', part.name)
        self.assert_refused(part.store)

    def assert_refused(self, act, *args):
        error = self.assertRaises(read_only.ReadOnly, act, *args)
        self.assertIn('lifecycle plugin billing tried to change a stack',
                      str(error))

    def test_changes_are_rejected(self):
        before = copy.deepcopy(self.part.data)
        inner = self.view['inner']
        for act, *args in (
                (setattr, self.view, 'name', 'x'),
                (delattr, self.view, 'name'),
                (operator.setitem, self.view, 'inner', 1),
                (operator.delitem, self.view, 'inner'),
                (self.view.store,), (self.view._persist,)):
            self.assert_refused(act, *args)
        inner.data['a'][1].clear()
        inner.data['a'].append(1)
        inner.data.clear()
        self.view.parts.clear()
        self.assertEqual(before, self.part.data)
        self.assertIn('inner', self.whole.parts)
        self.assertFalse(hasattr(self.whole, 'stored'))

    def test_copy_can_be_changed(self):
        own_copy = copy.deepcopy(self.view['inner'].data)
        own_copy['a'][1]['b'] = 3
        self.assertEqual(2, self.part.data['a'][1]['b'])
        self.assertEqual(dict, type(own_copy['a'][1]))

    def test_view_data_can_be_serialized_as_json(self):
        self.assertEqual(json.dumps(self.part.data),
                         json.dumps(self.view['inner'].data))

    def test_none_is_not_wrapped(self):
        self.assertIsNone(read_only.wrap_value(None, 'billing'))


class MethodsTest(testtools.TestCase):
    """Methods of Heat's classes that write cannot be called."""

    WRITE = {
        stack.Stack: (
            'store', 'delete', 'update', 'converge_stack', 'state_set',
            'mark_failed', 'add_resource', 'purge_db', 'rollback',
            'set_stack_user_project_id', 'delete_all_snapshots', '_add_event',
            'persist_state_and_release_lock', 'migrate_to_convergence'),
        resource.Resource: (
            'store', 'delete', 'data_set', 'data_delete', 'metadata_set',
            'signal', 'make_replacement', 'resource_id_set', 'state_reset',
            'clear_hook', 'trigger_hook', 'restore_prev_rsrc'),
        template.Template: ('store', 'add_resource', 'merge_snippets',
                            'remove_all_resources'),
    }
    READ = {
        stack.Stack: (
            'get', 'items', 'keys', 'values', 'identifier', 'root_stack_id',
            'path_in_stack', 'total_resources', 'timeout_secs',
            'preview_resources', 'prepare_abandon', 'resource_by_refid',
            'iter_resources', 'requires_deferred_auth'),
        resource.Resource: (
            'FnGetAtt', 'FnGetRefId', 'type', 'data', 'metadata_get',
            'has_nested', 'required_by', 'physical_resource_name',
            'frozen_definition', 'get_live_state', 'client'),
        template.Template: ('resource_definitions', 'parameters', 'outputs',
                            'get_section_name', 'conditions'),
    }

    def test_read_methods_are_distinguished_from_write_methods(self):
        for table, wanted in ((self.WRITE, False), (self.READ, True)):
            for owner, names in table.items():
                for name in names:
                    self.assertTrue(hasattr(owner, name), (owner, name))
                    self.assertEqual(wanted, read_only.is_read_method(name),
                                     name)
