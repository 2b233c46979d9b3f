# SPDX-License-Identifier: Apache-2.0

"""Measure the page of stacks, with and without heat-extras-dashboard.

``python -m tests.dashboard`` starts the cloud of tests/cloud and two
Horizons, and sends requests to both in turn.
"""

import contextlib
import statistics

from tests.dashboard import base
from tests.dashboard import horizon
from tests.dashboard import many_stacks
from tests.dashboard import page_client
from tests.harness.cloud import cloud
from tests.harness.cloud import users

TIMES = 11


def main():
    """Print medians and their ratio."""
    running = cloud.shared()
    many_stacks.create_copies(running, running.client('alice'))
    with contextlib.ExitStack() as held:
        page_clients = [
            page_client.PageClient(
                held.enter_context(
                    horizon.Horizon(running.keystone.auth_url, is_bare,
                                    many_stacks.COUNT)), users.ALICE)
            for is_bare in (True, False)
        ]
        for each in page_clients:
            each.get(base.STACKS)
        took = [[each.get(base.STACKS)[1] for each in page_clients]
                for _time in range(TIMES)]
    bare, extended = (statistics.median(each) for each in zip(*took,
                                                              strict=True))
    print(f'{many_stacks.COUNT} stacks: bare {bare:.2f} s, with the plugin '
          f'{extended:.2f} s, ratio {extended / bare:.3f} '
          f'(medians of {TIMES} in turn)')


if __name__ == '__main__':
    main()
