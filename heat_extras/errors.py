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

"""Errors of heat-extras itself.

The errors that travel from engine to API through Heat's RPC live in
:mod:`heat_extras.remote_errors`.
"""


class HeatExtrasError(Exception):
    """Base of the errors that an operator reads in one line."""


class PatchError(HeatExtrasError):
    """A patch does not fit this Heat, or cannot be undone."""


class ActivationError(HeatExtrasError):
    """An enabled feature cannot be turned on in this process."""
