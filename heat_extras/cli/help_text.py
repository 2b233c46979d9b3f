# SPDX-License-Identifier: Apache-2.0

"""The help of a command is the docstring of what runs it.

Pure: nothing of Heat is imported.
"""

import argparse
import inspect
import typing

_EXAMPLES = 'Examples:\n'


def use_docstring(parser: argparse.ArgumentParser,
                  text: str | None = None) -> None:
    """Show a docstring in the help of a command, line by line as it is.

    Its examples are at the end of the help.

    :param parser: the parser of the command.
    :param text: by default, the description that the parser has.
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
