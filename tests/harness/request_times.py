# SPDX-License-Identifier: Apache-2.0

"""Times in the format of requests."""

import datetime


def from_now(**time):
    """Return a time relative to now.

    :param time: arguments of :class:`datetime.timedelta`.
    """
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(**time)).isoformat()
