# SPDX-License-Identifier: Apache-2.0

"""A line that shows what a command waits for.

On a terminal it is one line that is rewritten. Elsewhere a new line is
printed every three seconds.
"""

import _thread
import contextlib
import itertools
import os
import sys
import time

_SPINNER = '|/-\\'
# Of a terminal that does not say it.
_WIDTH = 80
# Seconds between two looks, and between two lines.
_LOOK = 0.2
_EVERY = 3

# Heat 24 replaces these by functions of eventlet. Threads of eventlet do not
# run during an import.
_allocate_lock, _sleep = _thread.allocate_lock, time.sleep
_start_new_thread = _thread.start_new_thread


class ProgressLine:
    """Show a text and how long it has been shown, in a thread.

    :param text: what is in progress; the attribute can be changed
    :param delay: seconds until it is shown for the first time
    :param out: a text file; standard error without one
    """

    def __init__(self, text, delay=0, out=None):
        self.text = text
        self._delay = delay
        self._out = sys.stderr if out is None else out
        self._lock = _allocate_lock()
        self._is_over = False
        self._shown: tuple[str | None, float] = None, 0

    def __enter__(self):
        self._begin = self._since = time.monotonic()
        self._show('|')
        _start_new_thread(self._run, ())
        return self

    def __exit__(self, *_error):
        with self.hidden():
            self._is_over = True

    @contextlib.contextmanager
    def hidden(self):
        """Remove the line from a terminal while something else is printed."""
        with self._lock:
            if is_rewritable(self._out) and self._shown[0]:
                self._print('\r\x1b[K')
            yield

    def _run(self):
        for sign in itertools.cycle(_SPINNER):
            _sleep(_LOOK)
            with self._lock:
                if self._is_over:
                    return
                self._show(sign)

    def _show(self, sign):
        now, text = time.monotonic(), self.text
        if now - self._begin < self._delay:
            return
        shown, when = self._shown
        if self._delay == 0 and text != shown:
            self._since = now
        seconds = int(now - self._since)
        if is_rewritable(self._out):
            self._print('\r\x1b[K' + f'{sign} {text} ({seconds} s)'[
                :_columns(self._out) - 1])
        elif text != shown and not seconds:
            self._print(f'{text} ...\n')
        elif text != shown or now - when >= _EVERY:
            self._print(f'{text}, {seconds} s so far\n')
        else:
            return
        self._shown = text, now

    def _print(self, text):
        self._out.write(text)
        self._out.flush()


def is_rewritable(out):
    """Return whether a file is a terminal that can remove a line."""
    return out.isatty() and os.environ.get('TERM') != 'dumb'


def _columns(out):
    """Return the width of a terminal; a wrapped line can not be removed."""
    with contextlib.suppress(OSError):
        return os.get_terminal_size(out.fileno()).columns or _WIDTH
    return _WIDTH
