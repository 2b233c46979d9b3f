# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.health import request

TRUE = {'mark_unhealthy': True}
BAD = (
    (None, 'found null, wanted an object'),
    ([1], 'found a list'),
    ('x', 'found a string'),
    ({}, 'Missing mandatory (mark_unhealthy)'),
    ({**TRUE, 'force': True}, "Invalid keys in resource mark unhealthy: "
                              "'force'"),
    ({'mark_unhealthy': 'true'}, 'found a string'),
    ({'mark_unhealthy': 1}, 'found a number'),
    ({'mark_unhealthy': None}, 'found null'),
    ({**TRUE, 'resource_status_reason': 5}, 'found a number'),
    ({**TRUE, 'resource_status_reason': {}}, 'found an object'),
    ({**TRUE, 'resource_status_reason': None}, 'found null'),
    ({**TRUE, 'resource_status_reason': 'x' * 256}, '256 characters'),
    ({**TRUE, 'resource_status_reason': 'a\0b'}, 'U+0000'),
    ({**TRUE, 'resource_status_reason': '\ud800'}, 'U+D800'),
)


class ParseBodyTest(testtools.TestCase):
    def test_good_bodies(self):
        self.assertEqual((True, ''), request.parse_body(TRUE))
        for reason in ('', 'x' * 255, 'Größe "L", 数据库'):
            self.assertEqual((False, reason), request.parse_body(
                {'mark_unhealthy': False, 'resource_status_reason': reason}))

    def test_bad_bodies(self):
        for body, text in BAD:
            error = self.assertRaises(ValueError, request.parse_body, body)
            self.assertIn(text, str(error))


class ParseForceTest(testtools.TestCase):
    def test_good_queries(self):
        for values, wanted in (([], False), (['true'], True),
                               (['True'], True), (['false'], False)):
            self.assertIs(wanted, request.parse_force(values))

    def test_bad_queries(self):
        for values in ([''], ['1'], ['perhaps'], ['true', 'true']):
            error = self.assertRaises(ValueError, request.parse_force,
                                      values)
            self.assertIn('wanted true or false, once', str(error))
