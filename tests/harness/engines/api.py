# SPDX-License-Identifier: Apache-2.0

"""The API of Heat in a separate process, which also replaces Keystone.

``python -m tests.harness.engines.api PORT CONFIG_FILE...``
"""

import sys
import time


def main(arguments):
    """Serve until the process is killed."""
    # This must come first: see this function.
    from heat_extras.sandbox import interpreter
    interpreter.prepare()
    from heat_extras.sandbox import heat_process
    web_server = heat_process.Server(int(arguments[0]))
    heat_process.configure(arguments[1:])
    heat_process.start_api(web_server)
    while True:
        time.sleep(1)


if __name__ == '__main__':
    main(sys.argv[1:])
