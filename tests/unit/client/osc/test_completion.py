# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.client.osc import completion


class CompleteDictionaryTest(testtools.TestCase):

    def test_command_and_its_subcommands_are_completed(self):
        words = completion.CompleteDictionary()
        for command in (['stack', 'lock'], ['stack', 'lock', 'pass', 'list'],
                        ['stack', 'lock', 'list'], ['image', 'list']):
            words.add_command(command, [])
        self.assertEqual('image stack', words.get_commands())
        self.assertEqual(
            [('image', 'list'), ('image_list', ''), ('stack', 'lock'),
             ('stack_lock', 'list pass'), ('stack_lock_list', ''),
             ('stack_lock_pass', 'list'), ('stack_lock_pass_list', '')],
            words.get_data())
