# SPDX-License-Identifier: Apache-2.0

"""A running operation of one stack, as it is noted in the database.

Pure: nothing of Heat is imported.
"""

import dataclasses

# The plugins are asked; those who let it pass are told that it does not
# start; Heat is at work; the plugins are told of the end.
PRE, ABORT, RUNNING, POST = 'pre', 'abort', 'running', 'post'

# Heat has not begun, so there is nothing to roll back.
NOT_BEGUN = (PRE, ABORT)


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation of one stack, from its pre call to its post call.

    :param id: the same in the pre call and in every post call.
    :param traversal: of the stack, on the convergence engine; None for what
        runs in a thread of one engine.
    :param passed: names of the plugins that let it pass.
    :param prior: action and status of the stack before; None where it is
        not known.
    """

    id: str
    stack_id: str
    action: str
    traversal: str | None = None
    engine_id: str | None = None
    phase: str = PRE
    passed: tuple = ()
    is_failure: bool = False
    prior: tuple[str, str] | None = None
