# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.health import words


class WordsTest(testtools.TestCase):
    def test_too_many_tells_what_to_do(self):
        text = words.too_many('web', 1, 3, 50)
        for part in ('web', '1 unhealthy resources of 3',
                     'max_unhealthy_percent = 50', '?force=true'):
            self.assertIn(part, text)

    def test_what_was_found_is_named_as_in_json(self):
        for found, wanted in ((None, 'null'), (True, 'a boolean'),
                              (1, 'a number'), (1.5, 'a number'),
                              ('x', 'a string'), ([], 'a list'),
                              ({}, 'an object'), (set(), 'set')):
            self.assertEqual(
                f'Invalid resource_status_reason: found {wanted}, wanted a '
                'string.', words.no_string(found))
