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

"""Keep a cloud running to work in it by hand: python -m tests.cloud."""

import os
import sys
import time

from tests.cloud import cloud
from tests.cloud import people

_TEXT = """
Up in {seconds:.0f} s; logs are in {logs}. For example:

  export OS_CLIENT_CONFIG_FILE={clouds}
  {openstack} --os-cloud alice server list

People: {people}. To end it: Ctrl-C."""


def main():
    start = time.monotonic()
    with cloud.Cloud() as running:
        print(_TEXT.format(
            seconds=time.monotonic() - start, clouds=running.clouds_file,
            logs=os.path.dirname(running.logs()['keystone']),
            openstack=os.path.join(
                os.path.dirname(sys.executable), 'openstack'),
            people=', '.join(f'{person.name} ({person.role} in '
                             f'{person.project})' for person in people.ALL)),
              flush=True)
        try:
            # SIGTERM ends the process, and the kernel the services.
            while sys.stdin.read(1):
                pass
        except KeyboardInterrupt:
            pass


if __name__ == '__main__':
    main()
