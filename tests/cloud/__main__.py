# SPDX-License-Identifier: Apache-2.0

"""Run a cloud for manual work: python -m tests.cloud."""

import os
import sys
import time

from tests.harness.cloud import cloud
from tests.harness.cloud import users

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
                             f'{person.project})' for person in users.ALL)),
              flush=True)
        try:
            # SIGTERM ends this process, and the kernel then ends the services.
            while sys.stdin.read(1):
                pass
        except KeyboardInterrupt:
            pass


if __name__ == '__main__':
    main()
