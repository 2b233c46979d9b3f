# SPDX-License-Identifier: Apache-2.0

"""What a service answers: the form of Open Policy Agent, or a plain one.

Pure: nothing of Heat is imported.
"""

from heat_extras.lifecycle import plugin_api

_MOST = 1000


class NotUnderstood(plugin_api.Unavailable):
    """An answer that is no decision."""


def judge(answer: object) -> None:
    """Return if an answer allows an action.

    :param answer: ``{"result": DECISION}`` or a DECISION, which is a boolean
        or ``{"allow": boolean, "reason": text}``.
    :raises Denied: when it does not.
    :raises NotUnderstood: when it says neither.
    """
    decision = (answer['result'] if isinstance(answer, dict)
                and 'result' in answer else answer)
    reason: object = None
    if isinstance(decision, dict):
        reason = decision.get('reason')
        decision = decision.get('allow')
    if decision is True:
        return
    if decision is not False:
        raise NotUnderstood('found no decision in the answer of the service, '
                            'wanted "allow": true or false')
    raise plugin_api.Denied(reason[:_MOST] if isinstance(reason,
                                                         str) and reason
                            else 'the service gave no reason')
