# SPDX-License-Identifier: Apache-2.0

"""Use the docstring of a command as its help.

Pure: does not import Heat.
"""

import argparse
import inspect
import typing

_EXAMPLES = 'Examples:\n'


def use_docstring(parser: argparse.ArgumentParser,
                  text: str | None = None) -> None:
    """Show a docstring in the help of a command, with its line breaks.

    Put its examples at the end of the help.

    :param parser: the parser of the command.
    :param text: the docstring. The default is the parser's description.
    """
    formatter: typing.Any = parser.formatter_class
    if not issubclass(formatter, argparse.RawDescriptionHelpFormatter):
        made: typing.Any = type('HelpFormatter', (
            argparse.RawDescriptionHelpFormatter, formatter), {})
        parser.formatter_class = made
    description, heading, examples = inspect.cleandoc(
        text or parser.description or '').partition(_EXAMPLES)
    parser.description = description.strip()
    parser.epilog = '\n\n'.join(filter(None, (
        parser.epilog, heading + examples)))
