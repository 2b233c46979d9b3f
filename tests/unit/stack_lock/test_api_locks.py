# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.stack_lock import api

ID = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e'


class ParseQueryTest(testtools.TestCase):

    def test_valid_query_parameters_are_parsed(self):
        for params, wanted in (
                ({}, api.Query()),
                ({'limit': '1'}, api.Query(limit=1)),
                ({'limit': '00010'}, api.Query(limit=10)),
                ({'limit': '1000', 'marker': ID.upper(), 'level': 'stacks',
                  'all_projects': 'True'},
                 api.Query(1000, ID, 'stacks', True)),
                ({'expires_before': '2026-12-24T19:00:00+01:00'},
                 api.Query(expires_before='2026-12-24T18:00:00Z')),
                ({'all_projects': 'false'}, api.Query())):
            self.assertEqual(wanted, api.parse_query(params))

    def test_invalid_query_parameters_are_rejected(self):
        for name, bad_values, wanted in (
                ('limit', ('0', '-1', '1001', 'x', '', '1.5', '\u0661',
                           '0' * 9, '9' * 5000),
                 'a number from 1 to 1000'),
                ('marker', ('', 'x', '1'), 'a UUID'),
                ('level', ('', 'ALL', 'x'), 'one of stacks, all'),
                ('all_projects', ('', '1', 'yes'), 'true or false'),
                ('expires_before', ('', 'x', '2026-12-24'),
                 'with its time zone'),
                ('offset', ('1',), 'any of limit, marker, level')):
            for text in bad_values:
                error = self.assertRaises(ValueError, api.parse_query,
                                          {name: text})
                self.assertIn('Invalid', str(error))
                self.assertIn(wanted, str(error))
