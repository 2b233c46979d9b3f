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

"""A lifecycle plugin with the operator's settings for it.

Pure: nothing of Heat is imported.
"""

import dataclasses

DEFAULT_ORDINAL = 100

FAIL, WARN = 'fail', 'warn'
MODES = (FAIL, WARN)

DENY, ALLOW = 'deny', 'allow'
ERROR_RULES = (DENY, ALLOW)


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One plugin of ``heat.stack_lifecycle_plugins``.

    :param name: of its entry point.
    :param instance: what its class made.
    :param mode: ``fail``: what it denies is refused; ``warn``: it is only
        told about.
    :param timeout: seconds that a call may take; 0 for any.
    :param on_error: whether an error of the plugin counts as a denial
        (``deny``) or not (``allow``).
    """

    name: str
    instance: object
    ordinal: float = DEFAULT_ORDINAL
    mode: str = FAIL
    timeout: int = 0
    on_error: str = DENY

    def method(self, name):
        """Return a method of the plugin, or None when it has none."""
        found = getattr(self.instance, name, None)
        return found if callable(found) else None

    @property
    def sort_key(self):
        return (self.ordinal, self.name)
