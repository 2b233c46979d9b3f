# SPDX-License-Identifier: Apache-2.0

"""Show the step for which a command waits.

On a terminal the line is rewritten. Otherwise it is printed once, but not if
it has a delay.
"""

import _thread
import contextlib
import itertools
import os
import sys
import time

_SPINNER = '|/-\\'
# If a terminal does not report its width.
_WIDTH = 80
# Seconds until the line is rewritten.
_PAUSE = 0.2

# Heat 24 replaces these by functions of eventlet. Threads of eventlet do not
# run during an import.
_allocate_lock, _sleep = _thread.allocate_lock, time.sleep
_start_new_thread = _thread.start_new_thread


class ProgressLine:
    """Show a text on standard error, and how long it has been shown.

    :param text: the step in progress.
    :param delay: seconds until a terminal shows it.
    """

    def __init__(self, text, delay=0):
        self._text = text
        self._delay = delay
        self._lock = _allocate_lock()
        self._is_over = False

    def __enter__(self):
        self._is_terminal = (sys.stderr.isatty()
                             and os.environ.get('TERM') != 'dumb')
        self.show(self._text)
        if self._is_terminal:
            _start_new_thread(self._rewrite, ())
        return self

    def __exit__(self, *_error):
        with self._lock:
            self._is_over = True
            if self._is_terminal:
                _print('\r\x1b[K')

    def show(self, text):
        """Show another text."""
        self._text, self._since = text, time.monotonic()
        if not (self._is_terminal or self._delay):
            _print(f'{text} ...\n')

    def _rewrite(self):
        for sign in itertools.cycle(_SPINNER):
            with self._lock:
                if self._is_over:
                    return
                seconds = int(time.monotonic() - self._since)
                if seconds >= self._delay:
                    line = f'{sign} {self._text} ({seconds} s)'
                    _print('\r\x1b[K' + line[:_columns() - 1])
            _sleep(_PAUSE)


def _print(text):
    sys.stderr.write(text)
    sys.stderr.flush()


def _columns():
    """Return the width of the terminal. A wrapped line cannot be removed."""
    with contextlib.suppress(OSError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
    return _WIDTH
