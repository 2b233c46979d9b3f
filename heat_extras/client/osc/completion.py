# SPDX-License-Identifier: Apache-2.0

"""Complete commands whose names begin with the name of another command.

cliff.complete.CompleteDictionary completes "stack lock" to "stack lock_list",
which does not exist.
"""

from cliff import complete
from cliff import hooks


class Complete(hooks.CommandHook):
    """Replace the dictionary of ``openstack complete``."""

    def get_parser(self, parser):
        """Add no argument. Overrides cliff.hooks.CommandHook."""
        return parser

    def get_epilog(self):
        """Add no text to the help. Overrides cliff.hooks.CommandHook."""
        return ''

    def before(self, parsed_args):
        """Replace the dictionary. Overrides cliff.hooks.CommandHook."""
        complete.CompleteDictionary = CompleteDictionary
        return parsed_args

    def after(self, parsed_args, return_code):
        """Keep the exit status. Overrides cliff.hooks.CommandHook."""
        return return_code


class CompleteDictionary:
    """The words that can follow each beginning of a command.

    The script of cliff completes no further words after a command whose words
    start with an option.
    """

    def __init__(self):
        self._next, self._options = {}, {}

    def add_command(self, command, actions):
        """Add a command with its options."""
        for place, word in enumerate(command):
            self._next.setdefault('_'.join(command[:place]), set()).add(word)
        self._options['_'.join(command)] = ' '.join(
            option for action in actions for option in action.option_strings)

    def get_commands(self):
        """Return the first words of all commands."""
        return ' '.join(sorted(self._next['']))

    def get_data(self):
        """List the beginnings of commands and the words that follow them."""
        return sorted(
            (name, ' '.join([*sorted(self._next.get(name, ())),
                             self._options.get(name, '')]).strip())
            for name in {*self._next, *self._options} if name)
