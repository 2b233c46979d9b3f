# SPDX-License-Identifier: Apache-2.0

"""What stops an update, or may: each feature brings its own.

An entry point in ``heat_extras.plan_stops``, named like the feature it
belongs to, is a function that takes a request context and a
:class:`PlannedUpdate` and returns :class:`Stop` objects. It is asked only
where its feature is on. It calls what the update itself calls.
"""

import dataclasses
import typing

NAMESPACE = 'heat_extras.plan_stops'


@dataclasses.dataclass(frozen=True)
class PlannedUpdate:
    """An update that somebody asks about.

    :param stack: the heat.engine.stack.Stack as it is.
    :param updated: the stack as it would be.
    :param entries: each :class:`tree_plan.Entry`.
    """

    stack: typing.Any
    updated: typing.Any
    entries: list


@dataclasses.dataclass(frozen=True)
class Stop:
    """Something that stops an update.

    :param type: of the error, as in the answer of a request.
    :param path: of the resource; None: it stops the whole update.
    :param is_certain: False where it may stop it.
    :param is_before_start: whether nothing is changed then; otherwise the
        update fails at the resource.
    """

    type: str
    message: str
    path: str | None = None
    is_certain: bool = True
    is_before_start: bool = True

    def body(self) -> dict[str, typing.Any]:
        """Make what the API answers."""
        return {'type': self.type, 'message': self.message,
                'certainty': 'will' if self.is_certain else 'may',
                'when': 'before_start' if self.is_before_start else 'during'}
