# SPDX-License-Identifier: Apache-2.0

"""Commands below a command that takes the names of stacks.

cliff takes the beginning of a word for the word, where only one command begins
so: with ``stack lock list`` there, ``stack lock l`` would list locks, and say
of the stack ``l`` that nothing went wrong.
"""

from osc_lib import exceptions


def check(command, words):
    """Insist on the last words of a command, as they were typed.

    :param command: a cliff.command.Command
    :raises CommandError: for beginnings of them
    """
    count = len(words.split())
    typed = (command.cmd_name or words).split()
    last = ' '.join(typed[-count:])
    if last == words:
        return
    above = ' '.join(typed[:-count])
    what = ('a stack with that name' if count == 1
            else 'stacks with these names')
    raise exceptions.CommandError(
        f'found "{above} {last}", wanted "{above} {words}", or for {what} '
        f'"{above} -- {last}". Nothing was done')
