# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.engine import rsrc_defn
from heat.engine import stack
import testtools

from heat_extras import conf
from heat_extras.heat_internals import private_names


class Kept:
    _of_class = None

    def __init__(self):
        self._kept = self._other = None


class ProblemsTest(testtools.TestCase):
    def problem(self, name, signature=None, owner='Kept'):
        problems = private_names.PrivateName(
            f'{__name__}:{owner}.{name}', (), signature).find_problems()
        return problems[0].removeprefix(f'{__name__}:') if problems else None

    def test_what_methods_keep(self):
        self.assertIsNone(self.problem('_kept'))
        self.assertEqual(
            'Kept._gone is missing: no method of the class sets this '
            'attribute', self.problem('_gone'))

    def test_what_no_method_reads_is_of_no_use(self):
        self.assertIn('no method of the class sets this attribute',
                      self.problem('_of_class'))

    def test_a_class_that_is_gone(self):
        for signature in (None, '(self)'):
            self.assertIn('the owner of this attribute is missing',
                          self.problem('_kept', signature, 'Gone'))

    def test_a_function(self):
        self.assertIsNone(self.problem('__init__', '(self)'))
        self.assertEqual(
            'Kept.__init__: (self) is not supported: expected (self, wish)',
            self.problem('__init__', '(self, wish)'))
        self.assertEqual(
            'Kept._gone: Heat has no such attribute: expected (self)',
            self.problem('_gone', '(self)'))


class DeclaredTest(testtools.TestCase):
    def test_fit_the_heat_that_is_installed(self):
        self.assertEqual([], private_names.find_problems(
            [*conf.FEATURES, private_names.TEMPLATE_SYNTAX, 'sandbox']))

    def test_users_are_features(self):
        known = {*conf.FEATURES, private_names.TEMPLATE_SYNTAX, 'sandbox'}
        for declared in private_names.DECLARED:
            self.assertNotEqual((), declared.users, declared)
            self.assertEqual(set(), set(declared.users) - known, declared)

    def test_no_name_twice(self):
        targets = [each.target for each in private_names.DECLARED]
        self.assertEqual(sorted(set(targets)), sorted(targets))

    def test_only_what_a_feature_uses(self):
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '_backup_stack', lambda self: None))
        self.assertEqual(
            ['heat.engine.stack:Stack._backup_stack: (self) is not supported: '
             'expected (self, create_if_missing=True)'],
            private_names.find_problems(['stack_lock', 'update_policy']))
        self.assertEqual([], private_names.find_problems(['stack_lock']))

    def test_what_a_class_keeps_no_more(self):
        def __init__(self):
            """Keep nothing."""
        self.useFixture(fixtures.MockPatchObject(
            rsrc_defn, 'ResourceDefinition', type(
                'ResourceDefinition', (), {'__init__': __init__})))
        problems = private_names.find_problems(['update_policy'])
        self.assertEqual(5, len(problems), problems)
        self.assertIn('heat.engine.rsrc_defn:ResourceDefinition._frozen is '
                      'missing', problems[0])

    def test_a_method_that_is_wrapped(self):
        # As by what we patch ourselves.
        before = stack.Stack.__init__

        def __init__(self, *args):
            """Stand in for the one that is wrapped."""
        __init__.__wrapped__ = before
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '__init__', __init__))
        self.assertEqual([], private_names.find_problems(['update_policy']))
