# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""The API of Heat in a process of its own, which is also the Keystone.

``python -m tests.cloud_engines.api PORT CONFIG_FILE...``
"""

import sys
import time


def main(arguments):
    """Serve until the process is killed."""
    # First of all: see there.
    from heat_extras.sandbox import concurrency
    concurrency.prepare()
    from heat_extras.sandbox import server
    from heat_extras.sandbox import web
    web_server = web.Server(int(arguments[0]))
    server.configure(arguments[1:])
    server.start_api(web_server)
    while True:
        time.sleep(1)


if __name__ == '__main__':
    main(sys.argv[1:])
