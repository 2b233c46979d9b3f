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

"""How a resource stands to the lock of its service. Pure."""

# Told to users, as ``lock_protection``.
PROTECTED = 'protected'
FOUND = 'found_protected'
NO_API = 'no_lock_api'
FAILED = 'failed'

# Only in the ledger: the service is being asked, or was and its answer is
# not known. Such a resource counts as ours, and unlock looks it up.
LOCKING = 'locking'

# What an unlock has to lift.
OURS = (PROTECTED, LOCKING)


def shown(state: str | None) -> str | None:
    """Return what users are told of a state of the ledger."""
    return FAILED if state == LOCKING else state
