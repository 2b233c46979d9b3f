# SPDX-License-Identifier: Apache-2.0

"""What stops, or may stop, a planned update."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class PlannedUpdate:
    """A planned update.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    :param entries: each :class:`tree_plan.Entry`.
    """

    stack: typing.Any
    updated: typing.Any
    entries: list


@dataclasses.dataclass(frozen=True)
class Stop:
    """Something that stops an update.

    :param type: of the error, as in an error response.
    :param path: of the resource. None if the whole update is stopped.
    :param is_certain: False if the update may or may not be stopped.
    :param is_before_start: whether the update is rejected without any change.
        Otherwise it fails at the resource.
    """

    type: str
    message: str
    path: str | None = None
    is_certain: bool = True
    is_before_start: bool = True

    def body(self) -> dict[str, typing.Any]:
        """Return the stop as the API returns it."""
        return {'type': self.type, 'message': self.message,
                'certainty': 'will' if self.is_certain else 'may',
                'when': 'before_start' if self.is_before_start else 'during'}
