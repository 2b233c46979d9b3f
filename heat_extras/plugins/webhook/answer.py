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

"""What a service answers: the form of Open Policy Agent, or a plain one.

Pure: nothing of Heat is imported.
"""

from heat_extras.lifecycle import denial

_MOST = 1000


class NotUnderstood(ValueError):
    """An answer that is no decision."""


def judge(answer):
    """Return if an answer allows an action.

    :param answer: ``{"result": DECISION}`` or a DECISION, which is a boolean
        or ``{"allow": boolean, "reason": text}``.
    :raises Denied: when it does not.
    :raises NotUnderstood: when it says neither.
    """
    decision = (answer['result'] if isinstance(answer, dict)
                and 'result' in answer else answer)
    reason = None
    if isinstance(decision, dict):
        reason = decision.get('reason')
        decision = decision.get('allow')
    if decision is True:
        return
    if decision is not False:
        raise NotUnderstood('found no decision in the answer of the service, '
                            'wanted "allow": true or false')
    raise denial.Denied(reason[:_MOST] if isinstance(reason, str) and reason
                        else 'the service gave no reason')
