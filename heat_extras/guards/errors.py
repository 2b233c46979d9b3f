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

"""Extends :mod:`heat.common.exception`: the error of guards on the wire.

Why it says that it lives there: :mod:`heat_extras.remote_errors`.
"""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class GuardsInvalid(heat_exception.HeatException):
    """A request for guards cannot be meant (400)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add the class to heat.common.exception."""
    return remote_errors.records(GuardsInvalid)
