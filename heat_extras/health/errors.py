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

"""Extends :mod:`heat.common.exception`: the errors of health on the wire.

Why they say that they live there: :mod:`heat_extras.remote_errors`. Their
HTTP codes are in :mod:`heat_extras.health.patches.api_fault`.
"""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class HealthInvalid(heat_exception.HeatException):
    """A request to change a resource's health cannot be meant (400)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


class TooManyUnhealthy(heat_exception.HeatException):
    """Too much of a stack would be marked as unhealthy (409)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add the classes to heat.common.exception."""
    return remote_errors.records(HealthInvalid, TooManyUnhealthy)
