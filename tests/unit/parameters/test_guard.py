# SPDX-License-Identifier: Apache-2.0

import types

from heat_extras.parameters import guard
from heat_extras.parameters import options
from tests.unit.parameters import base


class ListGuardsTest(base.TestCase):
    def test_each_parameter_lift_has_its_own_instructions(self):
        lift = {option.name: option for option in options.OPTIONS}[
            'parameter_lift']
        stack = types.SimpleNamespace(id='1', updatable={'key': False})
        ways = set()
        for choice in lift.type.choices:
            self.set_lift(choice)
            listed, = guard.ParametersGuard().list_guards(
                None, types.SimpleNamespace(stacks=[stack]))
            self.assertEqual('key', listed.name)
            ways.add(listed.how_to_lift)
        self.assertEqual(len(lift.type.choices), len(ways))
