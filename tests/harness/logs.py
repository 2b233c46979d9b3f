# SPDX-License-Identifier: Apache-2.0

"""Logs of processes, shown if a test fails."""

import os

from testtools import content

_TAIL = 40
# stestr also stores details of passed tests, up to 4 MiB for each test.
_MOST = 1 << 20
_TEXT = content.text_content('').content_type


def tail(path, lines=_TAIL):
    """Return the last lines of a file, or '' without the file."""
    if not os.path.exists(path):
        return ''
    with open(path, errors='replace') as source:
        return ''.join(source.readlines()[-lines:])


def show(user, name, path):
    """Let a test or fixture show a file if it fails, even if deleted."""
    shown, kept = file_content(path), []
    user.addDetail(name, content.Content(
        _TEXT, lambda: kept or shown.iter_bytes()))
    # Temporary files are already deleted when details are read.
    user.addCleanup(lambda: kept.extend(shown.iter_bytes()))


def file_content(path):
    """Return a file as a detail of a test, read only if the test fails.

    It begins where the file ends now; of what is long the end is shown.
    """
    start = os.path.getsize(path) if os.path.exists(path) else 0

    def read():
        if not os.path.exists(path):
            return [b'(there is no such file)']
        with open(path, 'rb') as source:
            source.seek(max(start, os.path.getsize(path) - _MOST))
            return [source.read()]
    return content.Content(_TEXT, read)
