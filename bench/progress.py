# SPDX-License-Identifier: Apache-2.0

"""How far a measurement is, apart from what it prints."""

import sys


def say(text):
    """Print it where no table is printed."""
    print(text, file=sys.stderr, flush=True)
