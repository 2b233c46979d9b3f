# SPDX-License-Identifier: Apache-2.0

"""The help of a command, without the options of logging.

That of oslo.config begins with seventy lines about them.
"""

import argparse
import sys

_EPILOG = ('"COMMAND --help" tells more of a command. The options of logging '
           'that heat-manage has, like --log-file, are taken, too.')

# Options of oslo.config's that need no command.
_OTHERS = {'--version', '--shell_completion'}


def show_if_asked(prog, arguments, add_parsers):
    """Print the help of a command and exit, where it is asked for.

    Without a command, print the short usage, and exit with 2.

    :param prog: the name of the command.
    :param arguments: those of the command line.
    :param add_parsers: adds the subcommands to argparse's subparsers.
    """
    parser, commands = _parser(prog, add_parsers)
    if not commands.isdisjoint(arguments) or not _OTHERS.isdisjoint(
            arguments):
        return
    if not {'-h', '--help'}.isdisjoint(arguments):
        parser.print_help()
        sys.exit(0)
    parser.error('found none of its commands, wanted one of: '
                 + ', '.join(sorted(commands)))


def _parser(prog, add_parsers):
    parser = argparse.ArgumentParser(
        prog=prog, epilog=_EPILOG,
        usage='%(prog)s [--config-file PATH] [--config-dir DIR] COMMAND ...')
    parser.add_argument('--config-file', metavar='PATH',
                        help="Heat's configuration; may be given several "
                             'times (default: where heat-manage finds it).')
    parser.add_argument('--config-dir', metavar='DIR',
                        help='A directory with more of it.')
    parser.add_argument('-d', '--debug', action='store_true',
                        help='Log more, to standard error.')
    parser.add_argument('--version', action='store_true',
                        help='Show the version and exit.')
    commands = parser.add_subparsers(title='commands', metavar='COMMAND')
    add_parsers(commands)
    return parser, set(commands.choices)
