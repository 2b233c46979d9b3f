# SPDX-License-Identifier: Apache-2.0

"""Every known trap of patching has a test that fails if it is not avoided."""

import inspect
import types

import testtools

from heat_extras import monkey_patch
from heat_extras import operator_errors


class Base:
    def inherited(self):
        return 'base'


class Target(Base):
    numbers = (1, 2)

    def method(self, value, other=3):
        return f'method {value} {other}'

    @classmethod
    def classy(cls, value):
        return f'{cls.__name__} {value}'

    @staticmethod
    def static(value):
        return f'static {value}'


def function(value):
    return f'function {value}'


class Mixin:
    @monkey_patch.add(why='test')
    def added(self):
        return 'added'

    @monkey_patch.value(why='test')
    def numbers(original):
        return (*original, 3)

    @monkey_patch.wrap('(self, value, other=3)', why='test')
    def method(self, original, value, other=3):
        return f'wrapped {original(value, other=other)}'

    @monkey_patch.wrap('(cls, value)', why='test')
    def classy(cls, original, value):
        return f'wrapped {original(value)} of {cls.__name__}'

    @monkey_patch.wrap('(value)', why='test')
    def static(original, value):
        return f'wrapped {original(value)}'

    @monkey_patch.wrap('(self)', why='test')
    def inherited(self, original):
        return f'wrapped {original()}'

    def not_marked(self):
        """Not a patch."""


class PatchingTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.patches = monkey_patch.records(f'{__name__}:Target', Mixin)
        self.before = dict(vars(Target))
        self.addCleanup(self._undo_all)

    def _undo_all(self):
        monkey_patch.undo(self.patches)
        self.assertEqual(self.before, dict(vars(Target)))

    def test_records_include_only_marked_functions(self):
        self.assertEqual(
            ['added', 'numbers', 'method', 'classy', 'static', 'inherited'],
            [patch.attribute for patch in self.patches])
        self.assertTrue(all(patch.why for patch in self.patches))

    def test_wrappers_receive_bound_original(self):
        monkey_patch.apply(self.patches)
        target = Target()
        self.assertEqual('wrapped method 1 2', target.method(1, other=2))
        self.assertEqual('wrapped Target 1 of Target', Target.classy(1))
        self.assertEqual('wrapped static 1', Target.static(1))
        self.assertEqual('wrapped base', target.inherited())
        self.assertEqual('added', target.added())
        self.assertEqual((1, 2, 3), Target.numbers)

    def test_classmethod_and_staticmethod_are_preserved(self):
        monkey_patch.apply(self.patches)
        self.assertIsInstance(vars(Target)['classy'], classmethod)
        self.assertIsInstance(vars(Target)['static'], staticmethod)

    def test_wrapped_classmethod_receives_subclass(self):
        class Child(Target):
            pass
        monkey_patch.apply(self.patches)
        self.assertEqual('wrapped Child 1 of Child', Child.classy(1))

    def test_signature_is_preserved(self):
        monkey_patch.apply(self.patches)
        self.assertEqual('(self, value, other=3)',
                         str(inspect.signature(Target.method)))

    def test_repeated_apply_changes_nothing(self):
        monkey_patch.apply(self.patches)
        monkey_patch.apply(monkey_patch.records(f'{__name__}:Target', Mixin))
        self.assertEqual('wrapped method 1 3', Target().method(1))

    def test_undo_deletes_wrapper_of_inherited_method(self):
        monkey_patch.apply(self.patches)
        monkey_patch.undo(self.patches)
        self.assertNotIn('inherited', vars(Target))
        self.assertEqual('base', Target().inherited())

    def test_undo_without_apply_changes_nothing(self):
        monkey_patch.undo(self.patches)
        self.assertEqual(self.before, dict(vars(Target)))

    def test_undo_is_rejected_if_patched_on_top(self):
        monkey_patch.apply(self.patches)
        wrapper = vars(Target)['method']
        Target.method = lambda self: 'theirs'
        error = self.assertRaises(operator_errors.PatchError,
                                  monkey_patch.undo, self.patches)
        self.assertIn(f'{__name__}:Target.method', str(error))
        self.assertEqual('theirs', Target().method())
        self.assertEqual('wrapped base', Target().inherited())
        Target.method = wrapper

    def test_second_patch_on_top_is_undone_first(self):
        class Second:
            @monkey_patch.wrap('(self, value, other=3)', why='test')
            def method(self, original, value, other=3):
                return f'second {original(value)}'
        second = monkey_patch.records(f'{__name__}:Target', Second)
        monkey_patch.apply(self.patches)
        monkey_patch.apply(second)
        self.assertEqual('second wrapped method 1 3', Target().method(1))
        self.assertRaises(operator_errors.PatchError, monkey_patch.undo,
                          self.patches)
        monkey_patch.undo(second + self.patches)
        self.assertEqual('method 1 3', Target().method(1))


class MismatchTest(testtools.TestCase):
    def _refused(self, *patches):
        before = dict(vars(Target))
        good = monkey_patch.records(f'{__name__}:Target', Mixin)
        error = self.assertRaises(operator_errors.PatchError,
                                  monkey_patch.apply, good + list(patches))
        self.assertEqual(before, dict(vars(Target)))
        return str(error)

    def test_signature_mismatch_is_rejected(self):
        text = self._refused(monkey_patch.Patch(
            f'{__name__}:Target.method', monkey_patch.WRAP, Mixin.method,
            ('(self, value)',), 'test'))
        self.assertIn(f'{__name__}:Target.method: (self, value, other=3) is '
                      'not supported: expected (self, value)', text)

    def test_missing_attribute_is_rejected(self):
        text = self._refused(monkey_patch.Patch(
            f'{__name__}:Target.absent', monkey_patch.WRAP, Mixin.method,
            ('(self)',), 'test'))
        self.assertIn('Target.absent: Heat has no such attribute', text)

    def test_missing_owner_is_rejected(self):
        self.assertIn('Nowhere', self._refused(monkey_patch.Patch(
            f'{__name__}:Nowhere.method', monkey_patch.WRAP, Mixin.method)))

    def test_missing_module_is_rejected(self):
        self.assertIn('no_such_module', self._refused(monkey_patch.Patch(
            'no_such_module:method', monkey_patch.WRAP, Mixin.method)))

    def test_adding_existing_attribute_is_rejected(self):
        self.assertIn('already has an attribute', self._refused(
            monkey_patch.Patch(f'{__name__}:Target.method', monkey_patch.ADD,
                               Mixin.method)))

    def test_all_problems_are_reported_together(self):
        text = self._refused(
            *(monkey_patch.Patch(f'{__name__}:Target.{name}',
                                 monkey_patch.WRAP, None)
              for name in ('one', 'two')))
        self.assertIn('Target.one', text)
        self.assertIn('Target.two', text)

    def test_failed_apply_is_rolled_back(self):
        def explode(original):
            raise RuntimeError('in the middle')
        before = dict(vars(Target))
        patches = monkey_patch.records(f'{__name__}:Target', Mixin) + [
            monkey_patch.Patch(f'{__name__}:Target.numbers',
                               monkey_patch.VALUE, explode)]
        self.assertRaises(RuntimeError, monkey_patch.apply, patches)
        self.assertEqual(before, dict(vars(Target)))
        self.assertFalse(any(map(monkey_patch.is_applied, patches)))


class ModuleTest(testtools.TestCase):
    def test_module_functions_are_patched(self):
        source = types.ModuleType('source')

        @monkey_patch.wrap('(value)', why='test')
        def wrapper(original, value):
            return f'wrapped {original(value)}'
        wrapper.__module__ = 'source'
        source.function = wrapper
        # Functions that a module imports are not its patches.
        source.method = Mixin.method
        patches = monkey_patch.records(__name__, source)
        self.assertEqual([f'{__name__}:function'],
                         [patch.target for patch in patches])
        monkey_patch.apply(patches)
        self.addCleanup(monkey_patch.undo, patches)
        self.assertEqual('wrapped function 1', function(1))
