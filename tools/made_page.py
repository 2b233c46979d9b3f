# SPDX-License-Identifier: Apache-2.0

"""A page of the documentation that a tool makes out of the code."""

import sys


def show_or_check(page, shows):
    """Print a page, or write or check it.

    With ``--write FILE`` it goes into a file; with ``--check FILE`` it fails
    unless that is the same.

    :param page: the text, the same for every run.
    :param shows: what it shows, in the plural.
    """
    if sys.argv[1:2] == ['--write']:
        with open(sys.argv[2], 'w') as target:
            target.write(page)
        return
    if sys.argv[1:2] != ['--check']:
        print(page, end='')
        return
    with open(sys.argv[2]) as source:
        if source.read() != page:
            sys.exit(f'{sys.argv[2]} does not show the {shows} as they are: '
                     f'run {sys.argv[0]} > {sys.argv[2]}')
