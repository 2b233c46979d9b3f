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

"""Extends :mod:`heat.api.middleware.fault`: HTTP codes of our errors."""

import webob.exc

from heat_extras import patching

_CODES = {
    'StackLocked': webob.exc.HTTPConflict,
    'StackLockConflict': webob.exc.HTTPConflict,
    'StackLockInvalid': webob.exc.HTTPBadRequest,
    'StackLockForbidden': webob.exc.HTTPForbidden,
}


class StackLockFaultMixin:
    """Extends heat.api.middleware.fault:FaultWrapper."""

    @patching.value(why='the map from error to HTTP code is a class '
                        'attribute; an unknown error is answered with 500')
    def error_map(original):
        return {**original, **_CODES}
