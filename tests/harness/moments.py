# SPDX-License-Identifier: Apache-2.0

"""Moments as requests write them."""

import datetime


def after(**time):
    """Return a moment from now on.

    :param time: how far from now, as :class:`datetime.timedelta` takes it.
    """
    moment = datetime.datetime.now(datetime.timezone.utc)
    return (moment + datetime.timedelta(**time)).isoformat()
