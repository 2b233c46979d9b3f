# SPDX-License-Identifier: Apache-2.0

"""The progress of a measurement, separate from its output."""

import sys


def say(text):
    """Print the progress to stderr."""
    print(text, file=sys.stderr, flush=True)
