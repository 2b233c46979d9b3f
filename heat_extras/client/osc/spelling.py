# SPDX-License-Identifier: Apache-2.0

"""Commands below a command that takes the names of stacks.

cliff takes the beginning of a word for the word, where only one command begins
so: with ``stack lock list`` there, ``stack lock l`` would list locks, and say
of the stack ``l`` that nothing went wrong.
"""

from osc_lib import exceptions


def check(command, word):
    """Insist on the last word of a command, as it was typed.

    :param command: a cliff.command.Command
    :raises CommandError: for a beginning of it
    """
    typed = (command.cmd_name or word).split()
    if typed[-1] == word:
        return
    above = ' '.join(typed[:-1])
    raise exceptions.CommandError(
        f'found "{above} {typed[-1]}", wanted "{above} {word}", or for a stack'
        f' with that name "{above} -- {typed[-1]}". Nothing was done')
