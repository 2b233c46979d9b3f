# SPDX-License-Identifier: Apache-2.0

"""Tests of the tables in the template guide."""

import itertools
import json

from heat.engine import environment
from heat.objects import raw_template
from oslo_config import cfg

from heat_extras.parameters import rules
from heat_extras.parameters import values
from tests import template_guide
from tests.unit.parameters import base

# Two different values of each type.
TYPES = {
    'string': ('a', 'b'),
    'number': ('3', 4.5),
    'comma_delimited_list': ('a,b', ['a']),
    'json': ('{"a": 1}', {'a': 2}),
    'boolean': ('true', False),
}
KINDS = ('plain', 'hidden', 'encrypted')
PLAIN = {'plain': 'plain', 'hidden': 'hidden', 'encrypted': 'hidden'}
FLAGS = {'``updatable: false``': {'updatable': False},
         '``updatable: true``': {'updatable': True},
         'nothing about it': {}}
COLUMNS = ((rules.SAME_UPDATE, rules.Operation.UPDATE),
           (rules.TWO_STEP, rules.Operation.UPDATE),
           (rules.SAME_UPDATE, rules.Operation.RESTORE),
           (rules.TWO_STEP, rules.Operation.RESTORE))


def make(cell, type_name, kind, value):
    """Make the parameters that a cell of the table describes.

    :param kind: only what a stack has is encrypted, not what comes.
    """
    definitions = {'other': {'type': 'string', 'default': 'x'}}
    if cell in FLAGS:
        definitions['p'] = {'type': type_name, 'hidden': kind != 'plain',
                            **FLAGS[cell]}
    else:
        assert cell == 'no such parameter', cell
        value = None
    if kind == 'encrypted' and not isinstance(
            value, (str, type(None))):
        # Heat encrypts only text.
        value = json.dumps(value)
    template = base.template(
        definitions, {} if value is None else {'p': value})
    if kind == 'encrypted':
        template = encrypted(template)
    return base.parameters(template)


def encrypted(template):
    """Store a template with encryption on, and load it."""
    raw_template.RawTemplate.encrypt_hidden_parameters(template)
    row = {'id': 1, 'template': template.t, 'files': None, 'files_id': None,
           'environment': template.env.env_as_dict()}
    loaded = raw_template.RawTemplate.from_db_object(
        None, raw_template.RawTemplate(), row)
    template.env = environment.Environment(loaded.environment)
    return template


class TemplateGuideTest(base.TestCase):
    def setUp(self):
        super().setUp()
        cfg.CONF.set_override('encrypt_parameters_and_properties', True)
        self.addCleanup(cfg.CONF.clear_override,
                        'encrypt_parameters_and_properties')

    def judge(self, old, new, operation=rules.Operation.UPDATE):
        answers = values.find_violations(old, new, operation=operation)
        self.assertIn(list(answers), ([], ['p']))
        return answers.get('p', rules.Decision.ALLOWED)

    def test_transitions_of_template_guide_for_every_type(self):
        rows = template_guide.transitions()
        self.assertEqual(11, len(rows))
        for row, type_name, kind in itertools.product(rows, TYPES, KINDS):
            old_cell, new_cell, change, same_update, two_step, restore = row
            first, second = TYPES[type_name]
            old = make(old_cell, type_name, kind, first)
            new = make(new_cell, type_name, PLAIN[kind],
                       first if change == 'same' else second)
            transitions = []
            for lift, operation in COLUMNS:
                self.set_lift(lift)
                transitions.append(self.judge(old, new, operation).value)
            self.assertEqual([same_update, two_step, restore, restore],
                             transitions, (row, type_name, kind))

    def test_spellings_of_template_guide_for_every_type(self):
        rows = template_guide.spellings()
        self.assertEqual(sorted(TYPES), sorted(
            template_guide.values(row[0])[0] for row in rows))
        cell = '``updatable: false``'
        for row, kind in itertools.product(rows, KINDS):
            (type_name,), (has,), same, other = map(template_guide.values, row)
            old = make(cell, type_name, kind, has)
            for spellings, answer in ((same, rules.Decision.ALLOWED),
                                      (other, rules.Decision.REJECTED)):
                for value in spellings:
                    self.assertEqual(answer, self.judge(
                        old, make(cell, type_name, PLAIN[kind], value)),
                        (type_name, kind, value))


class ValueSourceTest(base.TestCase):
    """Values from parameters, parameter_defaults and defaults."""

    definition = {'type': 'number', 'default': 1, 'updatable': False}

    def names(self, old, new, definition=None):
        old, new = (
            base.parameters(base.template({'p': definition or
                                           self.definition}, *sources))
            if isinstance(sources, tuple) else base.parameters(sources)
            for sources in (old, new))
        return list(values.find_violations(old, new))

    def test_fallback_to_different_default_is_a_change(self):
        self.assertEqual(['p'], self.names(({'p': 2},), ()))
        self.assertEqual(['p'], self.names((), ({'p': 2},)))

    def test_explicit_default_value_is_not_a_change(self):
        self.assertEqual([], self.names(({'p': '1'},), ()))
        self.assertEqual([], self.names((), ({'p': 1.0},)))

    def test_change_by_parameter_defaults_is_a_change(self):
        self.assertEqual(['p'], self.names((), ({}, {'p': 2})))
        self.assertEqual(['p'], self.names(({}, {'p': 2}), ()))
        self.assertEqual([], self.names(({'p': 2},), ({}, {'p': '2'})))

    def test_changed_default_is_a_change_only_if_used(self):
        changed = base.template({'p': self.definition | {'default': 2}})
        self.assertEqual(['p'], self.names((), changed))
        self.assertEqual([], self.names(({'p': 2},), changed))

    def test_changed_type_is_a_change(self):
        changed = base.template({'p': self.definition | {'type': 'string'}})
        self.assertEqual(['p'], self.names((), changed))

    def test_missing_value_is_left_to_heat(self):
        definition = {'type': 'number', 'updatable': False}
        self.assertEqual([], self.names(({'p': 1},), (), definition))

    def test_invalid_value_is_a_violation(self):
        self.assertEqual(['p'], self.names(({'p': 1},), ({'p': 'secret'},)))

    def test_violations_are_sorted_by_name(self):
        old, new = (base.parameters(base.template(
            {name: self.definition for name in ('c', 'a', 'b')},
            {'a': value, 'b': 1, 'c': value})) for value in (1, 2))
        self.assertEqual(['a', 'c'], list(values.find_violations(old, new)))

    def test_unknown_value_is_not_a_violation(self):
        old, new = (base.parameters(base.template({'p': self.definition},
                                                  {'p': value}))
                    for value in (1, 2))
        self.assertEqual({}, values.find_violations(old, new, unknown={'p'}))

    def test_updatable_column_has_restricted_parameters(self):
        for flags, stored in (
                ({'c': False, 'b': True, 'a': False},
                 {'a': False, 'c': False}), ({'b': True}, None), ({}, None)):
            parameters = base.parameters(base.template({
                name: {'type': 'string', 'default': 'x', 'updatable': flag}
                for name, flag in flags.items()}))
            self.assertEqual(stored, values.updatable_column(parameters))
