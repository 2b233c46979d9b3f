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

"""The brake: how much of a stack may be unhealthy at once. Pure."""


def is_exceeded(unhealthy: int, total: int, percent: int | None) -> bool:
    """Tell whether one more unhealthy resource is too many.

    :param unhealthy: how many are marked already.
    :param total: how many resources the stack has.
    :param percent: what is allowed, or None for no limit.
    """
    if percent is None:
        return False
    return (unhealthy + 1) * 100 > percent * total


def describe(stack_name: str, unhealthy: int, total: int,
             percent: int) -> str:
    """Tell a person why a mark was refused, and what to do."""
    return (f'Stack {stack_name} has {unhealthy} unhealthy resources of '
            f'{total}; one more is above max_unhealthy_percent = {percent} '
            'of this Heat. Update the stack to replace them first, or '
            'repeat the request with ?force=true.')
