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

"""The request to change a resource's health that this thread works on.

Heat's own method loads the stack, takes the lock and writes the state; the
wrappers along its way ask here whether it is at it, and for whom.
"""

import contextlib
import contextvars
import dataclasses

_current = contextvars.ContextVar('heat_extras_marking', default=None)


@dataclasses.dataclass
class Request:
    """What was asked for, and what there is to say about it.

    :param warnings: texts for the answer.
    """

    is_mark: bool
    is_forced: bool = False
    warnings: list = dataclasses.field(default_factory=list)

    def answer(self, resource_name):
        """Make the body of the answer: null, as Heat's, without warnings."""
        if not self.warnings:
            return None
        return {'mark_unhealthy': {'resource_name': resource_name,
                                   'warnings': self.warnings}}


@contextlib.contextmanager
def under_way(request):
    """Say that *request* is being worked on in this thread."""
    token = _current.set(request)
    try:
        yield request
    finally:
        _current.reset(token)


def current():
    """Return the request under way in this thread, or None."""
    return _current.get()
