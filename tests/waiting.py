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

"""Wait in a test: never for ever, and never in vain without a word."""

import time

SECONDS = 60
_STEP_SECONDS = 0.1


def until(what, condition, seconds=SECONDS):
    """Wait until *condition* returns something true, and return that.

    :param what: is waited for, in words.
    :raises AssertionError: when it does not in time.
    """
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(
                f'waited {seconds} seconds for {what}, found {found!r}')
        time.sleep(_STEP_SECONDS)
    return found
