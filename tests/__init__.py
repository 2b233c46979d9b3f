# SPDX-License-Identifier: Apache-2.0

"""The tests of heat-extras."""

import signal

# A shell lets what it runs in the background ("tox &") ignore SIGINT, and the
# commands that tests interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
