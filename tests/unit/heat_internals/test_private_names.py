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


class FindProblemsTest(testtools.TestCase):
    def problem(self, name, signature=None, owner='Kept'):
        problems = private_names.PrivateName(
            f'{__name__}:{owner}.{name}', (), signature).find_problems()
        return problems[0].removeprefix(f'{__name__}:') if problems else None

    def test_attribute_set_by_method_is_found(self):
        self.assertIsNone(self.problem('_kept'))
        self.assertEqual(
            'Kept._gone is missing: no method of the class sets this '
            'attribute', self.problem('_gone'))

    def test_class_attribute_is_reported_as_missing(self):
        self.assertIn('no method of the class sets this attribute',
                      self.problem('_of_class'))

    def test_missing_class_is_reported(self):
        for signature in (None, '(self)'):
            self.assertIn('the owner of this attribute is missing',
                          self.problem('_kept', signature, 'Gone'))

    def test_signature_of_method_is_checked(self):
        self.assertIsNone(self.problem('__init__', '(self)'))
        self.assertEqual(
            'Kept.__init__: (self) is not supported: expected (self, wish)',
            self.problem('__init__', '(self, wish)'))
        self.assertEqual(
            'Kept._gone: Heat has no such attribute: expected (self)',
            self.problem('_gone', '(self)'))


class DeclaredNamesTest(testtools.TestCase):
    def test_declared_names_fit_installed_heat(self):
        self.assertEqual([], private_names.find_problems(
            [*conf.FEATURES, private_names.TEMPLATE_SYNTAX, 'sandbox']))

    def test_every_declared_name_has_known_users(self):
        known = {*conf.FEATURES, private_names.TEMPLATE_SYNTAX, 'sandbox'}
        for declared in private_names.DECLARED:
            self.assertNotEqual((), declared.users, declared)
            self.assertEqual(set(), set(declared.users) - known, declared)

    def test_declared_names_are_unique(self):
        targets = [each.target for each in private_names.DECLARED]
        self.assertEqual(sorted(set(targets)), sorted(targets))

    def test_only_names_of_enabled_features_are_checked(self):
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '_backup_stack', lambda self: None))
        self.assertEqual(
            ['heat.engine.stack:Stack._backup_stack: (self) is not supported: '
             'expected (self, create_if_missing=True)'],
            private_names.find_problems(['stack_lock', 'update_policy']))
        self.assertEqual([], private_names.find_problems(['stack_lock']))

    def test_removed_instance_attributes_are_reported(self):
        def __init__(self):
            """Keep nothing."""
        self.useFixture(fixtures.MockPatchObject(
            rsrc_defn, 'ResourceDefinition', type(
                'ResourceDefinition', (), {'__init__': __init__})))
        problems = private_names.find_problems(['update_policy'])
        self.assertEqual(5, len(problems), problems)
        self.assertIn('heat.engine.rsrc_defn:ResourceDefinition._frozen is '
                      'missing', problems[0])

    def test_wrapped_method_is_accepted(self):
        # The patches of heat-extras wrap methods like this.
        before = stack.Stack.__init__

        def __init__(self, *args):
            """Replace the original method."""
        __init__.__wrapped__ = before
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '__init__', __init__))
        self.assertEqual([], private_names.find_problems(['update_policy']))
