# SPDX-License-Identifier: Apache-2.0

from oslo_config import types
import testtools

from heat_extras.config_validation import validation


class WantedTest(testtools.TestCase):

    def test_types(self):
        choices = types.String(choices=['a', 'b'])
        for kind, said in (
                (types.Boolean(), 'true or false'),
                (types.Integer(), 'a whole number'),
                (types.Integer(min=0), 'a whole number, 0 or more'),
                (types.Integer(max=5), 'a whole number, 5 or less'),
                (types.Float(min=0, max=0.5), 'a number from 0 to 0.5'),
                (choices, 'one of a, b'),
                (types.List(choices), 'one or more of a, b, with commas '
                                      'between'),
                (types.List(), 'texts, with commas between'),
                (types.Dict(choices), 'NAME:VALUE, with commas between '
                                      'several, each VALUE one of a, b'),
                (types.String(), 'text')):
            self.assertEqual(said, validation.describe_type(kind))
