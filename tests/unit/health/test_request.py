# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.health import request

TRUE = {'mark_unhealthy': True}
BAD = (
    (None, 'must be an object'),
    ([1], 'must be an object'),
    ('x', 'must be an object'),
    ({}, 'Missing mandatory (mark_unhealthy)'),
    ({**TRUE, 'force': True}, "Invalid keys in resource mark unhealthy: "
                              "'force'"),
    ({'mark_unhealthy': 'true'}, 'without quotes'),
    ({'mark_unhealthy': 1}, 'acceptable values are: true, false'),
    ({'mark_unhealthy': None}, 'acceptable values are: true, false'),
    ({**TRUE, 'resource_status_reason': 5}, 'must be a string'),
    ({**TRUE, 'resource_status_reason': {}}, 'must be a string'),
    ({**TRUE, 'resource_status_reason': None}, 'must be a string'),
    ({**TRUE, 'resource_status_reason': 'x' * 256}, '256 characters'),
    ({**TRUE, 'resource_status_reason': 'a\0b'}, 'U+0000'),
    ({**TRUE, 'resource_status_reason': '\ud800'}, 'U+D800'),
)


class ParseBodyTest(testtools.TestCase):
    def test_valid_bodies_are_parsed(self):
        self.assertEqual({**TRUE, 'resource_status_reason': ''},
                         request.parse_body(TRUE))
        for reason in ('', 'x' * 255, 'Größe "L", 数据库'):
            body = {'mark_unhealthy': False, 'resource_status_reason': reason}
            self.assertEqual(body, request.parse_body(body))

    def test_invalid_bodies_are_rejected(self):
        for body, text in BAD:
            error = self.assertRaises(ValueError, request.parse_body, body)
            self.assertIn(text, str(error))


class ParseForceTest(testtools.TestCase):
    def test_valid_force_values_are_parsed(self):
        for values, wanted in (([], False), (['true'], True),
                               (['True'], True), (['false'], False)):
            self.assertIs(wanted, request.parse_force(values))

    def test_invalid_force_values_are_rejected(self):
        for values in ([''], ['1'], ['perhaps'], ['true', 'true']):
            error = self.assertRaises(ValueError, request.parse_force,
                                      values)
            self.assertIn('force=true or force=false, at most '
                          'once', str(error))
